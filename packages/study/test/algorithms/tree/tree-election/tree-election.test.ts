/**
 * Election on trees: Karnapke, Election Algorithms, 2015/16: explosion, contraction, information. The counts are
 * those of its slide on message complexity.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { treeElection } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { refused } from '../../errors.ts';
import {
  anyPlay,
  anyTree,
  expectAsReference,
  kindsOf,
  labelledTrees,
  seededElections,
  treeKinds,
} from '../../graph/graph-runs.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { permutations, positionSets, seeded, shuffled, somePositions } from '../../orders.ts';
import { adversary, nameOf } from '../../ring/ring-runs.ts';
import { treeElectionClosed } from './tree-election.reference.ts';

const SIZES = effort({ quick: [1000, 10_000], full: [1000, 100_000] });

const asClosed = (options: Parameters<typeof run>[1] = {}) =>
  expectAsReference(treeElection, treeElectionClosed, options);

describe('in lockstep it matches the closed form in leader, counts and times', () => {
  test('on all labelled trees up to n = 4, all id orders and initiators', () => {
    let runs = 0;
    for (let n = 1; n <= 4; n++) {
      for (const topology of labelledTrees(n)) {
        for (const ids of permutations(n)) {
          for (const initiators of positionSets(n)) {
            asClosed({ topology, ids, initiators });
            runs++;
          }
        }
      }
    }
    expect(runs).toBe(1 + 1 * 2 * 3 + 3 * 6 * 7 + 16 * 24 * 15);
  });

  test('on all 125 labelled trees of 5 nodes and all initiators', () => {
    let trees = 0;
    for (const topology of labelledTrees(5)) {
      for (const initiators of positionSets(5)) asClosed({ topology, ids: [3, 1, 5, 2, 4], initiators });
      trees++;
    }
    expect(trees).toBe(125);
  });

  test('on every kind of tree, n from 1 to 64, and at 1,000', () => {
    for (const n of [...Array.from({ length: 64 }, (_, i) => i + 1), 1000]) {
      for (const topology of treeKinds()) {
        const ids = shuffled(n, n);
        asClosed({ topology, ids });
        asClosed({ topology, ids, initiators: somePositions(n, 1 + seeded(n)(n), n) });
      }
    }
  });

  test('on every other kind of network that is a tree, such as a ring of two', () => {
    for (let n = 1; n <= 4; n++) {
      for (const topology of kindsOf(n)) {
        if (n < 3 && topology !== 'ring') asClosed({ nodes: n, topology });
      }
    }
    expect(run(treeElection, { nodes: 2, topology: 'complete' }).messages.total).toBe(4);
  });
});

describe('the election', () => {
  test('"the real maximum": the largest of all leads, even if it starts last', () => {
    expect(run(treeElection, { ids: [1, 2, 3, 9], initiators: [0], topology: 'line' }).leader?.id).toBe(9);
  });

  test('a single node sends nothing and leads at 0', () => {
    const { leader, messages, time } = run(treeElection, { nodes: 1 });
    expect([leader?.id, messages.total, time.electedAt, time.agreedAt]).toEqual([1, 0, 0, 0]);
  });

  test('two nodes are both ends of the centre: no information is sent', () => {
    for (const initiators of positionSets(2)) {
      expect(run(treeElection, { nodes: 2, initiators }).messages.byType).toEqual({
        explosion: initiators.length,
        contraction: 2,
        information: 0,
      });
    }
  });

  test('an initiator that the explosion reaches before its start no longer counts as one', () => {
    const initiators = [
      { position: 0, time: 0 },
      { position: 3, time: 3.5 },
    ];
    const { messages } = run(treeElection, { ids: [1, 2, 3, 4], initiators, topology: 'line' });
    expect(messages.byType.explosion).toBe(4 - 2 + 1);
  });
});

describe('the cost', () => {
  test('3n+k−4 messages in every schedule, with or without FIFO, with late starts: n up to 64', () => {
    for (const { initiators, ...options } of seededElections(2000, 64, treeKinds)) {
      for (const schedule of ['random', 'random:nofifo'] as const) {
        const woken = new Set<number>();
        const { messages } = run(treeElection, {
          ...options,
          initiators,
          schedule,
          observe: ({ type, node }) => type === 'start' && woken.add(node),
        });
        const n = options.nodes;
        expect(messages.total).toBe(n === 1 ? 0 : 3 * n + woken.size - 4);
      }
    }
  });

  test(`the same holds for ${SIZES.join(' and ')} nodes`, () => {
    for (const nodes of SIZES) {
      for (const topology of treeKinds()) {
        for (const k of [1, nodes / 10]) {
          const options = { nodes, topology, initiators: { random: k }, schedule: 'random' } as const;
          expect([topology, run(treeElection, options).messages.total]).toEqual([
            topology,
            3 * nodes + k - 4,
          ]);
        }
      }
    }
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(treeElection, [{}, { initiators: [2] }]);
  });

  test('the last node decides at 2D if one end of a line starts the other', () => {
    for (let nodes = 1; nodes <= 64; nodes++) {
      const { time } = run(treeElection, { nodes, topology: 'line', initiators: [0] });
      expect(time.agreedAt).toBe(2 * (nodes - 1));
    }
  });
});

describe('under an adversarial schedule', () => {
  test.each([
    { fifo: true, links: 'that keep their order' },
    { fifo: false, links: 'on which messages overtake' },
  ])('on links $links, the largest id leads and every count holds', ({ fifo }) => {
    const election = anyTree.chain((topology) =>
      fc.record({
        topology: fc.constant(topology),
        initiators: fc.subarray([...Array(topology.n).keys()], { minLength: 1 }),
        seed: fc.nat(1000),
        play: anyPlay,
      }),
    );
    fc.assert(
      fc.property(election, ({ play, ...options }) => {
        const schedule = { pick: adversary(play), fifo, name: nameOf(play) };
        const { leader } = run(treeElection, { ...options, schedule });
        expect(leader?.id).toBe(options.topology.n);
      }),
      { numRuns: randomRuns(2500), seed: 1989 },
    );
  });
});

describe('in every schedule', () => {
  test.each([true, false])(
    'of every labelled tree up to n = 4 and every set of initiators; fifo %s',
    (fifo) => {
      let trees = 0;
      for (let n = 1; n <= 4; n++) {
        for (const topology of labelledTrees(n)) {
          const ids = shuffled(n, 7);
          expect(check(treeElection, { topology, ids, initiators: 'subsets', fifo })).toMatchObject({
            complete: true,
            violations: [],
          });
          trees++;
        }
      }
      expect(trees).toBe(1 + 1 + 3 + 16);
    },
  );

  test.each([
    ['line', effort({ quick: 4, full: 5 })],
    ['star', effort({ quick: 5, full: 6 })],
    ['tree', 5],
  ])('of a %s of %i, all sets of initiators', (topology, nodes) => {
    expect(check(treeElection, { nodes, topology, initiators: 'subsets' })).toMatchObject({
      complete: true,
      violations: [],
    });
  });
});

describe('what it does not tolerate', () => {
  test('the checker refuses a network with a cycle too', () => {
    expect(() => check(treeElection, { nodes: 4, topology: 'ring' })).toThrow(refused('network'));
  });

  test('on a cycle no node contracts, and no node ever leads', () => {
    const { leader, messages } = simulate(treeElection, { nodes: 5, topology: 'ring', despite: ['network'] });
    expect([leader, messages.byType]).toEqual([null, { explosion: 10, contraction: 0, information: 0 }]);
  });
});

test('a parameter that it does not have is refused', () => {
  expect(() => simulate(treeElection, { set: { announce: 'echo' } })).toThrow(
    "tree-election has no parameter 'announce': it has none",
  );
});
