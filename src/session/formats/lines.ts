// Bytes to lines, chunk by chunk: only the unfinished line is held. UTF-8 that is split between chunks stays whole
// because lines are cut as bytes; U+2028 is no line break.

const NEWLINE = 0x0a;

export interface LineCutter {
  /** The lines that this chunk completes, without their newline. They may share the chunk's memory. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** The last line, if the bytes did not end with a newline. */
  end(): Uint8Array | undefined;
}

/** A cutter for one stream. */
export function createLineCutter(): LineCutter {
  let rest: Uint8Array[] = [];
  const whole = (tail: Uint8Array): Uint8Array => {
    if (rest.length === 0) return tail;
    const line = joinBytes([...rest, tail]);
    rest = [];
    return line;
  };
  return {
    push(chunk) {
      const lines: Uint8Array[] = [];
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
        lines.push(whole(chunk.subarray(start, at)));
        start = at + 1;
      }
      if (start < chunk.length) rest.push(chunk.slice(start));
      return lines;
    },
    end() {
      return rest.length === 0 ? undefined : whole(new Uint8Array(0));
    },
  };
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
