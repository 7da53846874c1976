// Sizes as people type them.

const UNIT_BYTES: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Bytes of `65536`, `64k`, `1M`, `1MiB`, `2GB` (all binary: 1k is 1,024). `undefined` if it is none of these. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,12})\s*([kmg]?)(?:i?b)?$/i.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * (UNIT_BYTES[(match[2] ?? "").toLowerCase()] ?? 1);
}
