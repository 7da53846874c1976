// The two halves of a character that takes two UTF-16 units.

/** Whether a UTF-16 unit begins a surrogate pair. */
export function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Whether a UTF-16 unit ends one. */
export function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
