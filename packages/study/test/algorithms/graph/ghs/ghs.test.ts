/**
 * Gallager, Humblet and Spira, ACM Transactions on Programming Languages and Systems 5(1), 1983: the number of
 * messages, section 4; the unique minimum spanning tree, section 2.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { echoElection, ghs } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import type { SimulateOptions } from '../../../../src/simulator/plan/options.ts';
import { Run } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { positionSets, shuffled, somePositions } from '../../orders.ts';
import { adversary, nameOf } from '../../ring/ring-runs.ts';
import {
  anyGraph,
  anyPlay,
  connectedGraphs,
  kindsOf,
  MAX_NODES,
  neighboursIn,
  seededElections,
} from '../graph-runs.ts';
import { minimumSpanningTree } from './minimum-spanning-tree.reference.ts';

const edgeOf = (a: number, b: number) => (a < b ? `${a}-${b}` : `${b}-${a}`);

/**
 * The announcement travels once over every edge of the tree except the last core edge, over which the last two
 * reports have gone. It is the same core edge as in lockstep with all nodes as initiators.
 */
function expectMinimumTree(options: SimulateOptions): void {
  const told: string[] = [];
  let core = '';
  const { plan } = new Run(ghs, options);
  const { leader } = run(ghs, {
    ...options,
    observe: (event) => {
      if (event.type !== 'send') return;
      if (event.message.type === 'elected') told.push(edgeOf(event.node, event.to));
      if (event.message.type === 'report') core = edgeOf(event.node, event.to);
    },
  });
  const { topology, ids } = plan;
  expect(leader?.id, plan.replay).toBe(run(ghs, { topology, ids }).leader?.id);
  if (plan.nodes === 1) return;
  const expected = minimumSpanningTree(neighboursIn(topology), [...ids]);
  const tree = [...told, core].sort();
  if (JSON.stringify(tree) !== JSON.stringify(expected)) {
    throw new Error(`the tree is ${tree}, not ${expected}; replay: ${plan.replay}`);
  }
}

describe('one leader, the same in every schedule, and the minimum spanning tree', () => {
  test('on all connected graphs up to n = 4 and all initiators, with all id orders', () => {
    for (let n = 1; n <= 4; n++) {
      for (const topology of connectedGraphs(n)) {
        for (const initiators of positionSets(n)) {
          expectMinimumTree({ topology, ids: shuffled(n, 3), initiators });
        }
      }
    }
  });

  test(`on every kind of network, n from 1 to ${MAX_NODES}, in lockstep and with random delays`, () => {
    for (let nodes = 1; nodes <= MAX_NODES; nodes++) {
      for (const topology of kindsOf(nodes)) {
        const initiators = somePositions(nodes, 1 + (nodes % 5 === 0 ? 0 : nodes >> 1), nodes);
        expectMinimumTree({ nodes, topology, seed: nodes });
        expectMinimumTree({ nodes, topology, seed: nodes, initiators, schedule: 'random' });
      }
    }
  });

  test('on sparse networks of 1,000 nodes', () => {
    for (const topology of ['ring', 'line', 'tree', 'random-tree', 'random:3000', 'torus:20x50']) {
      expectMinimumTree({ nodes: 1000, topology, schedule: 'random' });
    }
  });

  test('with late starts', () => {
    for (const options of seededElections(600, 24, kindsOf)) {
      expectMinimumTree({ ...options, schedule: options.seed % 2 === 0 ? 'random' : 'lockstep' });
    }
  });

  test('a single node sends nothing and leads at 0', () => {
    const { leader, messages, time } = run(ghs, { nodes: 1 });
    expect([leader?.id, messages.total, time.agreedAt]).toEqual([1, 0, 0]);
  });

  test('the leader is the larger end of the last core edge, not the largest id', () => {
    expect(run(ghs, { ids: [1, 2, 3, 4], topology: 'ring' }).leader?.id).toBe(2);
  });
});

describe('the cost', () => {
  test('at most 5n·log2 n + 2m messages, on 300 random networks and schedules (3,000 in long runs)', () => {
    for (const options of seededElections(3000, 16, kindsOf)) run(ghs, { ...options, schedule: 'random' });
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(ghs, [{}]);
  });

  test('two nodes: each sends connect, initiate and report', () => {
    expect(run(ghs, { nodes: 2 }).messages.byType).toMatchObject({
      connect: 2,
      initiate: 2,
      report: 2,
      test: 0,
    });
  });

  test('in a complete network little more than 2m, where the waves of echo-election cost many times that', () => {
    for (const nodes of [16, 32, 64]) {
      const m = (nodes * (nodes - 1)) / 2;
      const options = { nodes, topology: 'complete' };
      expect(run(ghs, options).messages.election).toBe(2 * m + nodes + 2);
      expect(run(echoElection, options).messages.election).toBeGreaterThan(7 * 2 * m);
    }
  });
});

test('under an adversarial schedule it elects the same leader, within the bound, with the minimum spanning tree', () => {
  const election = anyGraph.chain((topology) =>
    fc.record({
      topology: fc.constant(topology),
      initiators: fc.subarray([...Array(topology.n).keys()], { minLength: 1 }),
      seed: fc.nat(1000),
      play: anyPlay,
    }),
  );
  fc.assert(
    fc.property(election, ({ play, ...options }) => {
      expectMinimumTree({
        ...options,
        schedule: { pick: adversary(play), fifo: true, name: nameOf(play) },
      });
    }),
    { numRuns: randomRuns(2000), seed: 1983 },
  );
});

describe('in every schedule', () => {
  test('of every connected graph up to n = 3, every order and every set of initiators', () => {
    for (let n = 1; n <= 3; n++) {
      for (const topology of connectedGraphs(n)) {
        expect(check(ghs, { topology, orders: 'all', initiators: 'subsets' })).toMatchObject({
          complete: true,
          violations: [],
        });
      }
    }
  });

  test.each(['line', 'star', 'ring'])('of a %s of 4, all sets of initiators', (topology) => {
    expect(check(ghs, { nodes: 4, topology, initiators: 'subsets' })).toMatchObject({
      complete: true,
      violations: [],
    });
  });
});
