/**
 * Interns the contents of links: 0 is an empty link, any other number is a pair of the first message and the number of the
 * rest. Equal contents have equal numbers.
 *
 * A FIFO link has its oldest message first. The messages of a non-FIFO link are sorted, because the order of sending does
 * not matter there, so it must not distinguish states. `isBefore` must not depend on the numbers of messages: the order in
 * which several threads intern messages varies, and the order of the steps of a state must not.
 */
import { CapacityError } from '../../kernel/errors.ts';
import { MAX_NUMBER, type NumberSharing } from '../search/system.ts';

const EMPTY = 0;

export class Channels {
  private readonly first: number[] = [-1];
  private readonly rest: number[] = [EMPTY];
  /** By content and message: the content after `push`, and after `cons`. */
  private readonly longer: number[][] = [];
  private readonly before: number[][] = [];

  private sharing: NumberSharing | null = null;
  private kind = 0;

  constructor(
    private readonly fifo: boolean,
    private readonly isBefore: (one: number, other: number) => boolean,
  ) {}

  /** `kind` distinguishes contents from other interned values. */
  share(sharing: NumberSharing | null, kind: number): void {
    this.sharing = sharing;
    this.kind = kind;
  }

  /** All contents in the order of their numbers, each as its first message and the number of the rest. */
  *pairs(): Generator<string> {
    for (let content = 1; content < this.first.length; content++) {
      yield `${this.first[content]} ${this.rest[content]}`;
    }
  }

  /** Adds a content of `pairs`. */
  addPair(pair: string): void {
    const [message, rest] = pair.split(' ').map(Number);
    this.add(message, rest);
  }

  /** The first message of a content that is not empty. */
  head(content: number): number {
    return this.first[content];
  }

  tail(content: number): number {
    return this.rest[content];
  }

  /** The content without one of its messages. */
  without(content: number, message: number): number {
    if (this.first[content] === message) return this.rest[content];
    return this.cons(this.first[content], this.without(this.rest[content], message));
  }

  /** The content with another message: at the end, or in sorted order. */
  push(content: number, message: number): number {
    const known = this.longer[content]?.[message];
    if (known !== undefined) return known;
    const isFront = content === EMPTY || (!this.fifo && this.isBefore(message, this.first[content]));
    const made = isFront
      ? this.cons(message, content)
      : this.cons(this.first[content], this.push(this.rest[content], message));
    this.longer[content] ??= [];
    this.longer[content][message] = made;
    return made;
  }

  /** The messages in their order. */
  list(content: number): number[] {
    const messages: number[] = [];
    for (let here = content; here !== EMPTY; here = this.rest[here]) messages.push(this.first[here]);
    return messages;
  }

  private cons(message: number, rest: number): number {
    const known = this.before[rest]?.[message];
    if (known !== undefined) return known;
    const { sharing } = this;
    if (sharing === null) return this.add(message, rest);
    return sharing.exclusively(() => {
      const imported = this.before[rest]?.[message];
      if (imported !== undefined) return imported;
      const number = this.add(message, rest);
      sharing.append(this.kind, `${message} ${rest}`);
      return number;
    });
  }

  private add(message: number, rest: number): number {
    const number = this.first.length;
    if (number > MAX_NUMBER) {
      throw new CapacityError(`links have more than ${MAX_NUMBER} different contents`);
    }
    this.first.push(message);
    this.rest.push(rest);
    this.before[rest] ??= [];
    this.before[rest][message] = number;
    return number;
  }
}
