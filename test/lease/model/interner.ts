/** Numbers for things, in the order in which they turn up. */
import { keyOf } from './model-candidate.ts';

export class Things<T> {
  /** By number. */
  readonly all: T[] = [];
  private readonly numbers = new Map<string, number>();

  of(thing: T): number {
    const key = keyOf(thing);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.all.length);
    return this.all.push(thing) - 1;
  }
}
