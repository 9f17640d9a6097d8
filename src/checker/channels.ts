/**
 * What is under way on a link, as a number: 0 is an empty link, any other stands for its oldest message and the number
 * of the rest. Equal contents have equal numbers.
 */
import { InputError } from '../kernel/errors.ts';
import { MOST_NUMBER } from './system.ts';

/** Above every number of a message, with room for ages. */
const KEYS = 2 ** 32;
const EMPTY = 0;

export class Channels {
  private readonly oldest: number[] = [-1];
  private readonly rest: number[] = [EMPTY];
  /** (content, message) to the content with the message at its end, and at its front. */
  private readonly longer = new Map<number, number>();
  private readonly before = new Map<number, number>();

  /** The k-th message, the oldest first. */
  at(content: number, k: number): number {
    let here = content;
    for (let skip = k; skip > 0; skip--) here = this.rest[here];
    return this.oldest[here];
  }

  /** The content without its k-th message. */
  without(content: number, k: number): number {
    if (k === 0) return this.rest[content];
    return this.cons(this.oldest[content], this.without(this.rest[content], k - 1));
  }

  length(content: number): number {
    let length = 0;
    for (let here = content; here !== EMPTY; here = this.rest[here]) length++;
    return length;
  }

  /** Is the k-th message equal to an older one? */
  isRepeat(content: number, k: number): boolean {
    const message = this.at(content, k);
    for (let older = 0; older < k; older++) if (this.at(content, older) === message) return true;
    return false;
  }

  push(content: number, message: number): number {
    const key = content * KEYS + message;
    const known = this.longer.get(key);
    if (known !== undefined) return known;
    // What comes behind the oldest message gets the new one at its own end.
    const made =
      content === EMPTY
        ? this.cons(message, EMPTY)
        : this.cons(this.oldest[content], this.push(this.rest[content], message));
    this.longer.set(key, made);
    return made;
  }

  /** The messages, oldest first. */
  list(content: number): number[] {
    const messages: number[] = [];
    for (let here = content; here !== EMPTY; here = this.rest[here]) messages.push(this.oldest[here]);
    return messages;
  }

  private cons(message: number, rest: number): number {
    const key = rest * KEYS + message;
    const known = this.before.get(key);
    if (known !== undefined) return known;
    const number = this.oldest.length;
    if (number > MOST_NUMBER) {
      throw new InputError(`links have more than ${MOST_NUMBER} different contents: check a smaller network`);
    }
    this.oldest.push(message);
    this.rest.push(rest);
    this.before.set(key, number);
    return number;
  }
}
