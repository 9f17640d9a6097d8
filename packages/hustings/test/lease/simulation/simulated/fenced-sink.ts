/** The resource of the work: it keeps the largest token that it has seen, and refuses smaller ones. */
import { hold } from '../observers/invariant.ts';
import type { Tally } from '../tally.ts';

export class FencedSink {
  #largest = 0n;
  #latest = 0n;

  constructor(
    private readonly isFenced: boolean,
    private readonly tally: Tally,
  ) {}

  write(token: bigint): void {
    this.tally.count('writes');
    if (token < this.#largest) this.tally.count('stale writes');
    const accepts = !this.isFenced || token >= this.#largest;
    if (token > this.#largest) this.#largest = token;
    if (!accepts) return;
    hold(token >= this.#latest, 'fence', () => `accepted a write with token ${token} after ${this.#latest}`);
    this.#latest = token;
  }
}
