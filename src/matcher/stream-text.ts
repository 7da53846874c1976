// The text of a stream, kept so that a late stretch of it is had without copying what is before.

/** Units of a block, about: small beside a text, large beside a chunk. */
const BLOCK = 4096;

export class StreamText {
  readonly #blocks: { readonly base: number; readonly text: string }[] = [];
  /** What came after the last block, in pieces. */
  #pieces: string[] = [];
  #blocksEnd = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The last UTF-16 unit; NaN if there is none. */
  get lastUnit(): number {
    const last = this.#pieces.at(-1) ?? this.#blocks.at(-1)?.text ?? "";
    return last.charCodeAt(last.length - 1);
  }

  push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length - this.#blocksEnd < BLOCK) return;
    this.#blocks.push({ base: this.#blocksEnd, text: this.#pieces.join("") });
    this.#pieces = [];
    this.#blocksEnd = this.#length;
  }

  /** All that has come from `offset` on, and at most a block of what is before it. */
  from(offset: number): { readonly text: string; readonly base: number } {
    let first = this.#blocks.length;
    while (first > 0 && (this.#blocks[first]?.base ?? this.#blocksEnd) > offset) first--;
    const parts = this.#blocks.slice(first).map(({ text }) => text);
    return { text: [...parts, ...this.#pieces].join(""), base: this.#blocks[first]?.base ?? this.#blocksEnd };
  }
}
