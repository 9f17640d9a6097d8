/** Stores the highest token that a sink has accepted, per election. */

export interface FenceMarks {
  /** 0 before the first token. */
  read(name: string): Promise<bigint>;
  /**
   * Atomically raises the mark to the token, unless the mark is already as high, and returns the resulting mark. The mark never
   * falls afterwards.
   */
  raise(name: string, token: bigint): Promise<bigint>;
}

/** The rule of every fence: the same term may write again, an older one may not. */
export function isStale(token: bigint, mark: bigint): boolean {
  return token < mark;
}

/** Marks in memory. After a restart the first token is trusted, unless it is signed or checked against the store. */
export class MemoryFenceMarks implements FenceMarks {
  readonly #marks = new Map<string, bigint>();

  async read(name: string): Promise<bigint> {
    return this.#marks.get(name) ?? 0n;
  }

  async raise(name: string, token: bigint): Promise<bigint> {
    const mark = this.#marks.get(name) ?? 0n;
    if (isStale(token, mark)) return mark;
    this.#marks.set(name, token);
    return token;
  }
}
