/**
 * Interns values: equal keys get equal numbers, counted from 0 in the order of first use. By default the numbers fit the
 * 16 bits that a state reserves for each.
 */
import { CapacityError } from '../../kernel/errors.ts';
import { MAX_NUMBER, type NumberSharing } from '../search/system.ts';

export class Interner<T> {
  /** By number. */
  readonly all: T[] = [];
  readonly keys: string[] = [];
  private readonly numbers = new Map<string, number>();
  private sharing: NumberSharing | null = null;
  private kind = 0;

  constructor(
    private readonly what: string,
    private readonly most = MAX_NUMBER,
  ) {}

  /** `kind` distinguishes this interner from others. */
  share(sharing: NumberSharing | null, kind: number): void {
    this.sharing = sharing;
    this.kind = kind;
  }

  /** The number of the value with this key. `make` is called for a new key. */
  of(key: string, make: () => T): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const { sharing } = this;
    if (sharing === null) return this.add(key, make);
    return sharing.exclusively(() => {
      const imported = this.numbers.get(key);
      if (imported !== undefined) return imported;
      const number = this.add(key, make);
      sharing.append(this.kind, key);
      return number;
    });
  }

  /** Adds a value whose key is new. */
  add(key: string, make: () => T): number {
    const number = this.all.length;
    if (number > this.most) throw new CapacityError(`there are more than ${this.most} ${this.what}`);
    this.numbers.set(key, number);
    this.keys.push(key);
    this.all.push(make());
    return number;
  }
}
