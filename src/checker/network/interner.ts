/**
 * Numbers for things, in the order in which they turn up. Numbers must fit the 16 bits that a state has for each.
 */
import { CapacityError } from '../../kernel/errors.ts';
import { MOST_NUMBER } from '../search/system.ts';

export class Interner<T> {
  /** By number. */
  readonly all: T[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly what: string;

  constructor(what: string) {
    this.what = what;
  }

  /** The number of a thing with this key, which is made if it is new. */
  of(key: string, make: () => T): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.all.length;
    if (number > MOST_NUMBER) throw new CapacityError(`there are more than ${MOST_NUMBER} ${this.what}`);
    this.numbers.set(key, number);
    this.all.push(make());
    return number;
  }
}
