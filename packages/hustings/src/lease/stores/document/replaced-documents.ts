/**
 * Documents that were written under another incarnation of the server than the present one: somebody has restored a backup, and a
 * leader of the time after the backup may still work. Times are those of this process's monotonic clock.
 *
 * Guaranteed: the time begins when this process first reads the document under the present incarnation, and again if it reads the
 * document under another incarnation meanwhile.
 */
export class ReplacedDocuments {
  readonly #seen = new Map<string, { readonly incarnation: string; readonly sinceMs: number }>();

  /** For how long this process has seen the present incarnation; undefined if the document was written under it. */
  seenForMs(
    name: string,
    writtenUnder: string | undefined,
    present: string | undefined,
  ): (() => Promise<number>) | undefined {
    if (writtenUnder === undefined || present === undefined || writtenUnder === present) {
      this.#seen.delete(name);
      return undefined;
    }
    const before = this.#seen.get(name);
    const seen =
      before?.incarnation === present ? before : { incarnation: present, sinceMs: performance.now() };
    this.#seen.set(name, seen);
    return async () => Math.floor(performance.now() - seen.sinceMs);
  }
}
