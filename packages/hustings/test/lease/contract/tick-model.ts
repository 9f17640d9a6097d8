/** Random steps on the ticks of one election: each goes to a store and to the rules of tick.ts, with the same answer. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { EMPTY_ROW, type LeaseRow } from '../../../src/lease/core/lease-row.ts';
import { endTick, type StoredTick, shownTick, startTick } from '../../../src/lease/core/tick.ts';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS } from './suite.ts';

/** Ticks are numbered; numbers from here on lie in the future. */
const FUTURE = 12;
const number = fc.integer({ min: 1, max: FUTURE });
/** How many terms ago the term began that asks: 0 for the latest. */
const ago = fc.constantFrom(0, 0, 0, 1);

export const tickSequence = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ verb: fc.constant('lead' as const), id: fc.constantFrom('a', 'b') }),
    },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant('release' as const) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        verb: fc.constant('start' as const),
        ago,
        tick: fc.option(number, { freq: 6 }),
        missed: fc.uniqueArray(number, { maxLength: 2 }),
        retry: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        verb: fc.constant('end' as const),
        ago,
        tick: number,
        state: fc.constantFrom('completed' as const, 'failed' as const),
      }),
    },
  ),
  { minLength: 3, maxLength: 20 },
);

type TickStep = typeof tickSequence extends fc.Arbitrary<readonly (infer Step)[]> ? Step : never;

export class TickModel {
  #calls = 0;
  #ticks: StoredTick[] = [];
  readonly #terms: { readonly id: string; readonly nonce: string; readonly token: bigint }[] = [];
  #isHeld = false;

  constructor(
    private readonly stores: readonly LeaseStore[],
    private readonly name: string,
    private readonly nowMs: number,
  ) {}

  async take(step: TickStep): Promise<void> {
    if (step.verb === 'lead') await this.#lead(step.id);
    else if (step.verb === 'release') await this.#release();
    else if (step.verb === 'start') await this.#start(step);
    else await this.#end(step);
    const held = this.#isHeld ? this.#terms.at(-1)!.token : null;
    const expected = [...this.#ticks].reverse().map((tick) => stable(shownTick(tick, held)));
    expect((await this.#next().ticks(this.name)).map(stable)).toEqual(expected);
  }

  /** Ends the term before, if there is one. */
  async #lead(id: string): Promise<void> {
    const goneNonce = this.#terms.at(-1)?.nonce ?? null;
    const nonce = `${id}${this.#terms.length}`;
    const [answer] = await this.#next().acquire([claimOf(this.name, id, { nonce, goneNonce })]);
    if (answer.type !== 'ok') throw new Error(`${id} did not get ${this.name}`);
    this.#terms.push({ id, nonce, token: answer.token });
    this.#isHeld = true;
  }

  async #release(): Promise<void> {
    const term = this.#terms.at(-1);
    if (term === undefined) return;
    await this.#next().release([{ ...releaseOf(this.name, '', term.token), nonce: term.nonce }]);
    this.#isHeld = false;
  }

  async #start({ ago, tick, missed, retry }: TickStep & { verb: 'start' }): Promise<void> {
    const term = this.#terms.at(-1 - ago) ?? { nonce: 'nobody', token: 1n };
    const isHolder = this.#isHeld && ago === 0;
    const earlier = missed.filter((each) => tick === null || each < tick).sort((a, b) => a - b);
    const request = {
      ...{ name: this.name, nonce: term.nonce, token: term.token, retry },
      tickMs: tick === null ? null : this.#timeOf(tick),
      missedMs: earlier.map((each) => this.#timeOf(each)),
    };
    if (request.tickMs === null && request.missedMs.length === 0) return;
    const { id = '' } = this.#terms.at(-1) ?? {};
    const holder = { id, nonce: term.nonce, ttlMs: LONG_MS, priority: 0, processProof: '', evicted: false };
    const row: LeaseRow = { ...EMPTY_ROW, holder: isHolder ? holder : null };
    const { answer, ticks } = startTick(this.#ticks.at(-1), request, row, isHolder, this.nowMs);
    const got = await this.#next().startTick(request);
    expect(got.type === 'early' ? { type: 'early' } : got).toEqual(
      answer.type === 'early' ? { type: 'early' } : answer,
    );
    const from = ticks[0]?.tickMs ?? Number.POSITIVE_INFINITY;
    this.#ticks = [...this.#ticks.filter(({ tickMs }) => tickMs < from), ...ticks];
  }

  async #end({ ago, tick, state }: TickStep & { verb: 'end' }): Promise<void> {
    const token = this.#terms.at(-1 - ago)?.token ?? 1n;
    const request = { name: this.name, token, tickMs: this.#timeOf(tick), state };
    const index = this.#ticks.findIndex(({ tickMs }) => tickMs === request.tickMs);
    const ended = endTick(this.#ticks[index], request, this.nowMs);
    expect(await this.#next().endTick(request)).toBe(ended !== null);
    if (ended !== null) this.#ticks[index] = ended;
  }

  #timeOf(tick: number): number {
    // A minute ago and earlier: another connection may see a clock that is a little late.
    return this.nowMs + (tick === FUTURE ? LONG_MS : (tick - FUTURE) * 1_000 - 60_000);
  }

  #next(): LeaseStore {
    return this.stores[this.#calls++ % this.stores.length];
  }
}

/** Times that the store chose are compared only by whether there is one. */
function stable({ startMs, endMs, ...tick }: { startMs: number; endMs: number | null }) {
  if (endMs !== null) expect(endMs).toBeGreaterThanOrEqual(startMs);
  return { ...tick, isOver: endMs !== null };
}
