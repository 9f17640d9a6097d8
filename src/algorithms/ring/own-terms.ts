/**
 * Terms are dealt out in turn: of n nodes only the one at place p calls the terms p+1, p+1+n, p+1+2n and so on. No two
 * call the same, and who has its largest on disk calls none twice.
 */

/** The first of this place's own terms that is not below `least`. */
export function ownTermFrom(least: number, place: number, n: number): number {
  const ahead = (place + 1 - least) % n;
  return least + (ahead < 0 ? ahead + n : ahead);
}
