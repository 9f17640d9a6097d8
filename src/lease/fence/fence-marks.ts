/** Where a sink remembers the highest token that it has let through, for each election. */

export interface FenceMarks {
  /** 0 where no token has been seen. */
  read(name: string): Promise<bigint>;
  /**
   * Raises the mark to the token unless it is there or higher already, in one step that no other raise can part, and answers with
   * the mark as it is then. After the answer the mark never falls.
   */
  raise(name: string, token: bigint): Promise<bigint>;
}

/** The rule of every fence: the same term may come again, an older one may not. */
export function isStale(token: bigint, mark: bigint): boolean {
  return token < mark;
}

/** Lasts as long as the process: after a restart the first token that comes is believed, unless it is checked otherwise. */
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
