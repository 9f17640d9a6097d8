/**
 * The real core and the real rules of a store in 300 worlds of virtual time, 1,000 in a full run. `HUSTINGS_LEASE_SEED` runs a single world
 * instead and prints its events.
 */
import { describe, expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { FAULTS, type Fault, planOf } from './plan.ts';
import { REGRESSIONS } from './regressions.ts';
import { failureOf, parseReplay, report, storyOf } from './replay.ts';
import { Tally } from './tally.ts';

const SEEDS = effort({ quick: 300, full: 1_000 });
const BATCH = SEEDS / 4;
const BUSY_MACHINE_MS = 300_000;
const only = process.env.HUSTINGS_LEASE_SEED;

/** The least counts of 1,000 seeds, about half of the actual counts. Fewer would prove nothing. */
const LEAST: Readonly<Record<string, number>> = {
  elections: 3_000,
  'elections in punctual worlds': 350,
  'stale writes': 1_000,
  kills: 500,
  'lost: evicted': 150,
  'lost: expired': 100,
  'lost: released': 250,
  'lost: renew-timeout': 750,
  'lost: stalled': 50,
  'lost: store-unreachable': 100,
  'lost: suspended': 450,
  'lost: transferred': 400,
  'cut off': 4_000,
  gone: 125,
  'no-restart': 45,
};
const scaled = (ofThousand: number): number => (ofThousand * SEEDS) / 1_000;
/** Not events: they hold in a world from its start. */
const STATIC: readonly Fault[] = ['priorities', 'mixed-ttl', 'deaf', 'holds', 'fair-order'];
const RARE: Readonly<Partial<Record<Fault, number>>> = {
  gone: 125,
  'no-restart': 45,
  'no-progress': 225,
  'store-forgets': 150,
  'store-clock-back': 150,
  'store-clock-forward': 250,
};

if (only !== undefined) {
  it(`replays ${only}`, () => {
    const { seed, cut } = parseReplay(only);
    const plan = planOf(seed, cut);
    const failure = failureOf(plan);
    expect(failure, storyOf(plan)).toBeNull();
  });
} else {
  describe('under faults that its seed decides', () => {
    it.each(REGRESSIONS)('$world no longer fails: $was', ({ world }) => {
      const { seed, cut } = parseReplay(world);
      expect(failureOf(planOf(seed, cut))).toBeNull();
    });

    const tally = new Tally();
    for (let first = 0; first < SEEDS; first += BATCH) {
      it(
        `every invariant holds at every event, and the world settles: seeds from ${first}`,
        () => {
          for (let seed = first; seed < first + BATCH; seed++) {
            const failure = failureOf(planOf(seed), undefined, tally);
            if (failure !== null) expect.fail(report(seed, failure));
          }
        },
        BUSY_MACHINE_MS,
      );
    }

    it('every fault happened often enough to prove something', () => {
      process.stdout.write(`${SEEDS} worlds: ${tally}\n`);
      for (const [what, least] of Object.entries(LEAST)) {
        expect(tally.of(what), what).toBeGreaterThanOrEqual(scaled(least));
      }
      for (const fault of FAULTS) {
        const isRestricted = fault.startsWith('store-') || fault === 'holds';
        expect(tally.of(`worlds with ${fault}`), `worlds with ${fault}`).toBeGreaterThanOrEqual(
          scaled(isRestricted ? 100 : 250),
        );
        if (STATIC.includes(fault)) continue;
        expect(tally.of(fault), fault).toBeGreaterThanOrEqual(scaled(RARE[fault] ?? 300));
      }
    });
  });
}
