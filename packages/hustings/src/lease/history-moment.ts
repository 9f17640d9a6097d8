/** Who led at an instant. */
import type { Term } from './lease-store.ts';

/** The term at a time, if there was one, with the terms before and after it. */
export interface HistoryMoment {
  readonly term: Term | null;
  readonly before: Term | null;
  readonly after: Term | null;
}

/** `all` is the whole history, newest first. */
export function momentOf(term: Term | null, all: readonly Term[], atMs: number): HistoryMoment {
  const earlier = (each: Term): boolean => (term === null ? each.startMs <= atMs : each.token < term.token);
  const later = (each: Term): boolean => (term === null ? each.startMs > atMs : each.token > term.token);
  return { term, before: all.find(earlier) ?? null, after: all.findLast(later) ?? null };
}
