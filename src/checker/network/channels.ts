/**
 * What is under way on a link, as a number: 0 is an empty link, any other stands for its first message and the number
 * of the rest. Equal contents have equal numbers.
 *
 * On a link that keeps its order the first is the oldest. On one that does not, messages lie sorted: in which order
 * they were sent makes no difference to what can happen, and so makes no different state.
 */
import { CapacityError } from '../../kernel/errors.ts';
import { MOST_NUMBER } from '../search/system.ts';

/** Above every number of a message, with room for ages. */
const KEYS = 2 ** 32;
const EMPTY = 0;

export class Channels {
  private readonly first: number[] = [-1];
  private readonly rest: number[] = [EMPTY];
  /** (content, message) to the content with the message in its place, and at its front. */
  private readonly longer = new Map<number, number>();
  private readonly before = new Map<number, number>();
  private readonly fifo: boolean;

  constructor(fifo: boolean) {
    this.fifo = fifo;
  }

  /** The first message of a content that is not empty. */
  head(content: number): number {
    return this.first[content];
  }

  tail(content: number): number {
    return this.rest[content];
  }

  /** The content without one message that is in it. */
  without(content: number, message: number): number {
    if (this.first[content] === message) return this.rest[content];
    return this.cons(this.first[content], this.without(this.rest[content], message));
  }

  /** The content with one message more: at its end, or where it belongs. */
  push(content: number, message: number): number {
    const key = content * KEYS + message;
    const known = this.longer.get(key);
    if (known !== undefined) return known;
    const isFront = content === EMPTY || (!this.fifo && message < this.first[content]);
    const made = isFront
      ? this.cons(message, content)
      : this.cons(this.first[content], this.push(this.rest[content], message));
    this.longer.set(key, made);
    return made;
  }

  /** The messages in their order. */
  list(content: number): number[] {
    const messages: number[] = [];
    for (let here = content; here !== EMPTY; here = this.rest[here]) messages.push(this.first[here]);
    return messages;
  }

  private cons(message: number, rest: number): number {
    const key = rest * KEYS + message;
    const known = this.before.get(key);
    if (known !== undefined) return known;
    const number = this.first.length;
    if (number > MOST_NUMBER) {
      throw new CapacityError(`links have more than ${MOST_NUMBER} different contents`);
    }
    this.first.push(message);
    this.rest.push(rest);
    this.before.set(key, number);
    return number;
  }
}
