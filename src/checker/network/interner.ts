/**
 * Interns values: equal keys get equal numbers, counted from 0 in the order of first use. By default the numbers fit the
 * 16 bits that a state reserves for each.
 */
import { CapacityError } from '../../kernel/errors.ts';
import { MOST_NUMBER } from '../search/system.ts';

export class Interner<T> {
  /** By number. */
  readonly all: T[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(
    private readonly what: string,
    private readonly most = MOST_NUMBER,
  ) {}

  /** The number of the value with this key. `make` is called for a new key. */
  of(key: string, make: () => T): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.all.length;
    if (number > this.most) throw new CapacityError(`there are more than ${this.most} ${this.what}`);
    this.numbers.set(key, number);
    this.all.push(make());
    return number;
  }
}
