/**
 * Terms are partitioned among n processes: the process at place p uses only the terms p+1, p+1+n, p+1+2n and so on.
 * So no two processes start the same term, and a process that stores its largest term on disk never starts one twice.
 */

/** The smallest term of this place that is at least `least`. */
export function ownTermFrom(least: number, place: number, n: number): number {
  const ahead = (place + 1 - least) % n;
  return least + (ahead < 0 ? ahead + n : ahead);
}

/** The term of a node as its phase, for pictures. No node has entered a term before the first one. */
export function termPhase({ term }: { readonly term: number }): string | null {
  return term > 0 ? `term ${term}` : null;
}
