// Names of files that the process already has open: `/dev/stderr`, `/dev/fd/3`. To open one that leads to a regular file
// would empty it, or write over what came before; the descriptor itself goes on where the last write ended.

const STREAMS: Readonly<Record<string, number>> = { "/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2 };

/** The descriptor that an absolute path names; undefined for any other path. */
export function ownDescriptor(path: string): number | undefined {
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1];
  return number === undefined ? STREAMS[path] : Number(number);
}

export function isOwnDescriptor(path: string): boolean {
  return ownDescriptor(path) !== undefined;
}
