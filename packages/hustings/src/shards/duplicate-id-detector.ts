/**
 * Finds out that two live processes have one id: each has been heard of again since this one has seen it. The registration of a
 * process that has ended stays for a while, and is not heard of again.
 */
import type { MemberPresence } from './group-reader.ts';

export class DuplicateIdDetector {
  private known = new Map<string, { readonly ageMs: number; readonly isLive: boolean }>();
  private isFound = false;

  constructor(private readonly id: string) {}

  /** True once. */
  look(presences: readonly MemberPresence[]): boolean {
    const seen: typeof this.known = new Map();
    for (const { id, identity, ageMs } of presences) {
      if (id !== this.id) continue;
      const before = this.known.get(identity);
      const isLive = before !== undefined && (before.isLive || ageMs < before.ageMs);
      seen.set(identity, { ageMs, isLive });
    }
    this.known = seen;
    const live = [...seen.values()].filter(({ isLive }) => isLive).length;
    if (live < 2 || this.isFound) return false;
    this.isFound = true;
    return true;
  }
}
