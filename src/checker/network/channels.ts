/**
 * Interns the contents of links: 0 is an empty link, any other number is a pair of the first message and the number of the
 * rest. Equal contents have equal numbers.
 *
 * A FIFO link has its oldest message first. The messages of a non-FIFO link are sorted, because the order of sending does
 * not matter there, so it must not distinguish states.
 */
import { CapacityError } from '../../kernel/errors.ts';
import { MOST_NUMBER } from '../search/system.ts';

const EMPTY = 0;

export class Channels {
  private readonly first: number[] = [-1];
  private readonly rest: number[] = [EMPTY];
  /** By content and message: the content after `push`, and after `cons`. */
  private readonly longer: number[][] = [];
  private readonly before: number[][] = [];

  constructor(private readonly fifo: boolean) {}

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
    const isFront = content === EMPTY || (!this.fifo && message < this.first[content]);
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
    const number = this.first.length;
    if (number > MOST_NUMBER) {
      throw new CapacityError(`links have more than ${MOST_NUMBER} different contents`);
    }
    this.first.push(message);
    this.rest.push(rest);
    this.before[rest] ??= [];
    this.before[rest][message] = number;
    return number;
  }
}
