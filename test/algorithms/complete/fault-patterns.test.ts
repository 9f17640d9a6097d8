/**
 * The four bullies in trouble: crashes and recoveries at any moment, any set that notices, whenever, links that lose and
 * double. When that is over and somebody notices, one leads and all live ones know. To the sender a lost answer is as a
 * late one: what is shown of loss holds of wrong suspicion. What goes wrong before that is shown too.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bully, bullyGrant, bullyIds, bullySuccessor } from '../../../src/algorithms/index.ts';
import { endingOf, expectOneLeader, type Trouble, troubles } from './fault-patterns.ts';

const RUNS = 1000;
const FOUR = [bully, bullyIds, bullyGrant, bullySuccessor].map((each) => [each.name, each] as const);

/** How many of the scenarios had each kind of trouble, among those in which a live process noticed in the end. */
function tally() {
  const counts = { all: 0, crash: 0, recovery: 0, loss: 0, several: 0 };
  const count = ({ options, last }: Trouble): void => {
    const downs = Array.isArray(options.crash) ? options.crash : [];
    counts.all++;
    if (downs.some(({ time }) => time > 0)) counts.crash++;
    if ((options.recover ?? []).length > 0) counts.recovery++;
    if (options.loss !== undefined) counts.loss++;
    if (last.length > 1) counts.several++;
  };
  return { counts, count };
}

const notices = ({ last }: Trouble, live: readonly number[]): boolean =>
  last.some((position) => live.includes(position + 1));

describe.each(FOUR)('%s', (_name, algorithm) => {
  test('crashes and recoveries, as many and whenever: one leader in the end, and at no time two of a term', () => {
    const { counts, count } = tally();
    const seeded = { numRuns: RUNS, seed: 1982 };
    const property = fc.property(troubles({ most: 10, loss: false }), (trouble) => {
      const ending = endingOf(algorithm, trouble.options);
      if (ending.breach !== null) throw new Error(`${ending.breach}; replay: ${ending.replay}`);
      if (!notices(trouble, ending.live)) return;
      count(trouble);
      expectOneLeader(ending);
    });
    fc.assert(property, seeded);
    for (const part of [counts.crash, counts.recovery, counts.several])
      expect(part).toBeGreaterThan(counts.all / 5);
    expect(counts.all).toBeGreaterThan(RUNS / 2);
  });

  test('and lost messages until a time: one leader in the end', () => {
    const { counts, count } = tally();
    const seeded = { numRuns: RUNS, seed: 2005 };
    const property = fc.property(troubles({ most: 10, loss: true }), (trouble) => {
      const ending = endingOf(algorithm, trouble.options);
      if (!notices(trouble, ending.live)) return;
      count(trouble);
      expectOneLeader(ending);
    });
    fc.assert(property, seeded);
    for (const part of [counts.crash, counts.recovery, counts.loss, counts.several])
      expect(part).toBeGreaterThan(counts.all / 5);
    expect(counts.all).toBeGreaterThan(RUNS / 2);
  });
});

describe.each(FOUR)('%s, while messages are lost', (_name, algorithm) => {
  const endings = Array.from({ length: 300 }, (_, seed) =>
    endingOf(algorithm, { nodes: 6, initiators: [0], loss: 0.4, lossUntil: 10, seed, despite: ['loss'] }),
  );

  test('elections end badly: some follow one that does not lead, or nobody', () => {
    const bad = endings.filter(({ live, views }) => views.some((view) => view?.leader !== live.at(-1)));
    expect(bad.length).toBeGreaterThan(30);
  });

  const breaches = endings.filter(({ breach }) => breach !== null).length;
  if (algorithm === bullyIds || algorithm === bullyGrant) {
    test('no two lead one term even so: its owner says who leads it, once', () => {
      expect(breaches).toBe(0);
    });
  } else {
    test('two may lead one term', () => {
      expect(breaches).toBeGreaterThan(0);
    });
  }
});

describe.each(FOUR)('%s, with a time-out shorter than a round trip', (_name, algorithm) => {
  const endings = Array.from({ length: 300 }, (_, seed) =>
    endingOf(algorithm, {
      nodes: 6,
      initiators: 'all',
      schedule: 'random',
      seed,
      set: { timeout: 1 },
      despite: ['timing'],
    }),
  );

  test('it may end with somebody who is not the largest, with two, or after two led one term', () => {
    const bad = endings.filter(
      ({ breach, live, views }) => breach !== null || views.some((view) => view?.leader !== live.at(-1)),
    );
    expect(bad.length).toBeGreaterThan(0);
  });
});
