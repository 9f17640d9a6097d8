/**
 * The four bully algorithms under faults: crashes and recoveries at any time, any set of detectors at any time, links
 * that lose and duplicate messages. After the last fault and one more detection, one process leads and all live
 * processes know it. A lost answer looks like a late one to its receiver, so what these tests show about loss holds
 * for false suspicion too. They also show what can fail before.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../test-kit/limits/effort.ts';
import { bully, bullyGrant, bullyIds, bullySuccessor } from '../../../src/algorithms/index.ts';
import { expectOneLeader, type FaultPattern, faultPatterns, finalStateOf } from './fault-patterns.ts';

const RUNS = randomRuns(1000);
const FOUR = [bully, bullyIds, bullyGrant, bullySuccessor].map((each) => [each.name, each] as const);

/** The number of scenarios with each kind of fault, among those with a live detector at the end. */
function tally() {
  const counts = { all: 0, crash: 0, recovery: 0, loss: 0, several: 0 };
  const count = ({ options, last }: FaultPattern): void => {
    const crashes = Array.isArray(options.crash) ? options.crash : [];
    counts.all++;
    if (crashes.some(({ time }) => time > 0)) counts.crash++;
    if ((options.recover ?? []).length > 0) counts.recovery++;
    if (options.loss !== undefined) counts.loss++;
    if (last.length > 1) counts.several++;
  };
  return { counts, count };
}

const hasLiveDetector = ({ last }: FaultPattern, live: readonly number[]): boolean =>
  last.some((position) => live.includes(position + 1));

describe.each(FOUR)('%s', (_name, algorithm) => {
  test('any number of crashes and recoveries at any time: one leader in the end, and never two leaders of the same term', () => {
    const { counts, count } = tally();
    const seeded = { numRuns: RUNS, seed: 1982 };
    const property = fc.property(faultPatterns({ most: 10, loss: false }), (pattern) => {
      const final = finalStateOf(algorithm, pattern.options);
      if (final.breach !== null) throw new Error(`${final.breach}; replay: ${final.replay}`);
      if (!hasLiveDetector(pattern, final.live)) return;
      count(pattern);
      expectOneLeader(final);
    });
    fc.assert(property, seeded);
    for (const part of [counts.crash, counts.recovery, counts.several])
      expect(part).toBeGreaterThan(counts.all / 5);
    expect(counts.all).toBeGreaterThan(RUNS / 2);
  });

  test('and message loss until a time: one leader in the end', () => {
    const { counts, count } = tally();
    const seeded = { numRuns: RUNS, seed: 2005 };
    const property = fc.property(faultPatterns({ most: 10, loss: true }), (pattern) => {
      const final = finalStateOf(algorithm, pattern.options);
      if (!hasLiveDetector(pattern, final.live)) return;
      count(pattern);
      expectOneLeader(final);
    });
    fc.assert(property, seeded);
    for (const part of [counts.crash, counts.recovery, counts.loss, counts.several])
      expect(part).toBeGreaterThan(counts.all / 5);
    expect(counts.all).toBeGreaterThan(RUNS / 2);
  });
});

describe.each(FOUR)('%s, while messages are lost', (_name, algorithm) => {
  const endings = Array.from({ length: 300 }, (_, seed) =>
    finalStateOf(algorithm, {
      ...{ nodes: 6, initiators: [0], loss: 0.4, lossUntil: 10, seed },
      despite: ['loss', 'termination'],
    }),
  );

  test('elections may fail: some processes follow one that does not lead, or none', () => {
    const bad = endings.filter(({ live, views }) => views.some((view) => view?.leader !== live.at(-1)));
    expect(bad.length).toBeGreaterThan(30);
  });

  const breaches = endings.filter(({ breach }) => breach !== null).length;
  if (algorithm === bullyIds || algorithm === bullyGrant) {
    test('no two processes lead the same term even then: only the owner of a term names its leader', () => {
      expect(breaches).toBe(0);
    });
  } else {
    test('two processes may lead the same term', () => {
      expect(breaches).toBeGreaterThan(0);
    });
  }
});

describe.each(FOUR)('%s, with a timeout shorter than a round trip', (_name, algorithm) => {
  const endings = Array.from({ length: 300 }, (_, seed) =>
    finalStateOf(algorithm, {
      nodes: 6,
      initiators: 'all',
      schedule: 'random',
      seed,
      set: { timeout: 1 },
      despite: ['timing'],
    }),
  );

  test('may end with a leader that is not the largest, with two leaders, or after two processes led the same term', () => {
    const bad = endings.filter(
      ({ breach, live, views }) => breach !== null || views.some((view) => view?.leader !== live.at(-1)),
    );
    expect(bad.length).toBeGreaterThan(0);
  });
});
