/**
 * Sun and Divided under crashes, recoveries and loss: whichever processes crash before, during or after the election,
 * including the informer, in the end the largest live node leads, if a process is a detector after the last crash. A
 * failure is shrunk and printed with the command that replays it.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../test-kit/limits/effort.ts';
import { divided, sun } from '../../../src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/algorithm.ts';
import type { TraceEvent } from '../../../src/kernel/trace.ts';
import type { SimulateOptions } from '../../../src/simulator/plan/options.ts';
import { simulate } from '../../../src/simulator/simulate.ts';
import { refused } from '../errors.ts';
import { replayOf, run } from '../laws.ts';
import { shuffled } from '../orders.ts';

const SHAPES = [
  [2, 2, 1],
  [3, 3, 1],
  [4, 2, 1],
  [4, 2, 2],
  [6, 3, 1],
  [8, 2, 2],
  [8, 2, 3],
  [9, 3, 2],
  [12, 2, 2],
  [16, 2, 3],
  [16, 4, 2],
  [27, 3, 2],
] as const;

interface Failure {
  readonly at: number;
  readonly time: number;
  readonly back: number | null;
}

interface Scenario {
  readonly shape: readonly [n: number, u: number, depth: number];
  readonly seed: number;
  readonly failures: readonly Failure[];
  readonly detectors: readonly { readonly at: number; readonly time: number }[];
  readonly told: number;
  readonly isRandom: boolean;
  readonly loss: number;
}

const halves = (most: number) =>
  fc.oneof(
    fc.constant(0),
    fc.nat(2 * most).map((half) => half / 2),
  );

const scenario = (loss: number): fc.Arbitrary<Scenario> =>
  fc.record({
    shape: fc.constantFrom(...SHAPES),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    failures: fc.array(
      fc.record({ at: fc.nat(40), time: halves(60), back: fc.option(fc.integer({ min: 1, max: 80 })) }),
      { minLength: 1, maxLength: 4 },
    ),
    detectors: fc.array(fc.record({ at: fc.nat(40), time: halves(60) }), { maxLength: 3 }),
    told: fc.nat(40),
    isRandom: fc.boolean(),
    loss: fc.constant(loss),
  });

/** Each position fails at most once, and recovers or not. Null if no live node is left as the last detector. */
function optionsOf(positions: number, { shape: [n, u, depth], ...drawn }: Scenario): SimulateOptions | null {
  const failures = new Map(drawn.failures.map((failure) => [failure.at % positions, failure]));
  const crash = [...failures].map(([position, { time }]) => ({ position, time }));
  const recover = [...failures].flatMap(([position, { time, back }]) =>
    back === null ? [] : [{ position, time: time + back }],
  );
  const steady = Array.from({ length: n }, (_, at) => at).filter((at) => !failures.has(at));
  if (steady.length === 0) return null;
  const quiet = Math.max(...[...crash, ...recover].map(({ time }) => time)) + 1;
  const wakes = new Map(
    [
      ...drawn.detectors.map(({ at, time }) => ({ position: at % n, time })),
      { position: steady[drawn.told % steady.length], time: quiet },
    ].map((wake) => [`${wake.position}@${wake.time}`, wake]),
  );
  return {
    seed: drawn.seed,
    initiators: [...wakes.values()],
    crash,
    recover,
    ...(drawn.isRandom && { schedule: 'random' as const }),
    ...(drawn.loss > 0 && { loss: drawn.loss }),
    set: { u, depth, timeout: drawn.isRandom ? 6 : 2 },
  };
}

interface Tally {
  runs: number;
  crashesInMid: number;
  recoveries: number;
  severalDetectors: number;
}

function expectLargestAlive(algorithm: AnyAlgorithm, drawn: Scenario, helpers: number, tally: Tally): void {
  const options = optionsOf(drawn.shape[0] + helpers, drawn);
  if (options === null) return;
  const ids = shuffled(drawn.shape[0], drawn.seed);
  const kinds: string[] = [];
  const chosen = { ...options, ids, observe: ({ type }: TraceEvent) => void kinds.push(type) };
  const { dead, leader } = run(algorithm, chosen);
  const first = kinds.indexOf('start');
  const crash = kinds.indexOf('crash', first + 1);
  tally.runs++;
  if (first >= 0 && crash >= 0 && crash < kinds.lastIndexOf('decide')) tally.crashesInMid++;
  if (kinds.includes('recover')) tally.recoveries++;
  if (kinds.filter((kind) => kind === 'start').length > 1) tally.severalDetectors++;
  const largest = Math.max(...ids.filter((_, at) => !dead.includes(at)));
  if (leader?.id === largest) return;
  throw new Error(`${leader?.id} leads, not ${largest}; replay: ${replayOf(algorithm, chosen)}`);
}

describe.each([
  ['Sun', sun as AnyAlgorithm, 0],
  ['Divided', divided as AnyAlgorithm, 1],
] as const)('%s', (_, algorithm, helpers) => {
  test.each([
    ['crashes and recoveries', 0, 3000],
    ['crashes, recoveries and loss', 0.02, 1000],
  ] as const)('ends with one leader known to all and no larger live node: %s', (_, loss, runs) => {
    const tally: Tally = { runs: 0, crashesInMid: 0, recoveries: 0, severalDetectors: 0 };
    fc.assert(
      fc.property(scenario(loss), (drawn) => expectLargestAlive(algorithm, drawn, helpers, tally)),
      { numRuns: randomRuns(runs), seed: 2008 },
    );
    const { runs: all, ...counts } = tally;
    for (const [what, count] of Object.entries(counts)) {
      expect(count, `${what} in ${all} runs`).toBeGreaterThan(all / 5);
    }
  });
});

describe.each([
  ['sun', sun],
  ['divided', divided],
] as const)('%s, if a node has links to only some of the nodes ahead', (_name, algorithm) => {
  const attempt = (successors: number, crashed: readonly number[], options: SimulateOptions = {}) =>
    simulate(algorithm, {
      nodes: 12,
      order: 'ascending',
      initiators: [0],
      set: { successors },
      crash: crashed.map((position) => ({ position, time: 2 })),
      ...options,
    });

  test('a run in which all of these stay crashed is refused: the node could not forward a message', () => {
    expect(() => attempt(1, [3])).toThrow(refused('crash', { option: 'set', value: 'successors=2' }));
    expect(() => attempt(2, [3, 4])).toThrow('is alive: node 2 has none of 2');
    expect(() => attempt(2, [11, 0])).toThrow(refused('crash', { option: 'set', value: 'successors=3' }));
  });

  test('it elects the largest live node if one of them is alive in the end', () => {
    expect(attempt(2, [3]).leader?.id).toBe(12);
    expect(attempt(2, [3, 6, 9]).leader?.id).toBe(12);
    expect(attempt(3, [3, 4]).leader?.id).toBe(12);
    expect(attempt(1, [3], { recover: [{ position: 3, time: 40 }] }).leader?.id).toBe(12);
    expect(attempt(12, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]).leader?.id).toBe(1);
  });
});
