/**
 * Flooding the maximum: Karnapke, Election Algorithms, 2015/16, slide 6, with an answer to its "But how?": the
 * signals of Dijkstra and Scholten, one for each flood message.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { floodMax } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { positionSets, seeded, shuffled, somePositions } from '../../orders.ts';
import { adversary, nameOf } from '../../ring/ring-runs.ts';
import { eccentricity } from '../graph.ts';
import {
  anyGraph,
  anyPlay,
  connectedGraphs,
  expectAsReference,
  idsOn,
  kindsOf,
  LARGE_SIZES,
  MAX_NODES,
  neighboursIn,
  seededElections,
} from '../graph-runs.ts';
import { floodMaxLockstep } from './flood-max.reference.ts';

const asReference = (options: Parameters<typeof run>[1] = {}) =>
  expectAsReference(floodMax, floodMaxLockstep, options);

describe('in lockstep it matches waves that are kept separately, in leader, counts and times', () => {
  test('on all connected graphs up to n = 4 and all initiators, with all id orders', () => {
    let runs = 0;
    for (let n = 1; n <= 4; n++) {
      for (const topology of connectedGraphs(n)) {
        for (const initiators of positionSets(n)) {
          for (const seed of [1, 2]) asReference({ topology, ids: shuffled(n, seed), initiators });
          runs++;
        }
      }
    }
    expect(runs).toBe(1 + 1 * 3 + 4 * 7 + 38 * 15);
  });

  test(`on every kind of network, n from 1 to ${MAX_NODES}`, () => {
    for (let n = 1; n <= MAX_NODES; n++) {
      for (const topology of kindsOf(n)) {
        // With all nodes as initiators a large complete network needs about n³/3 messages.
        const most = topology === 'complete' && n > 24 ? 3 : n;
        const ids = idsOn(topology, n, n);
        asReference({ topology, ids, initiators: somePositions(n, most, 1) });
        asReference({ topology, ids, initiators: somePositions(n, 1 + seeded(n)(most), n) });
      }
    }
  });

  test('on every kind of sparse network of 1,000 nodes', () => {
    for (const topology of kindsOf(1000).slice(0, 8)) {
      const ids = shuffled(1000, 1);
      asReference({ topology, ids, initiators: somePositions(1000, 12, 3) });
      asReference({ topology, ids, initiators: [500] });
    }
  });
});

describe('the election', () => {
  test('"the highest initiator wins", even if other nodes have larger ids', () => {
    expect(run(floodMax, { ids: [9, 2, 8, 5, 7], initiators: [1, 3], topology: 'line' }).leader?.id).toBe(5);
  });

  test('a single node sends nothing and leads at 0', () => {
    const { leader, messages, time } = run(floodMax, { nodes: 1 });
    expect([leader?.id, messages.total, time.electedAt, time.agreedAt]).toEqual([1, 0, 0, 0]);
  });

  test('"after R was executed, p cannot become initiator": a node that a flood reaches before its start is no longer one', () => {
    const initiators = [
      { position: 0, time: 0 },
      { position: 3, time: 3.5 },
    ];
    const { leader, messages } = run(floodMax, { ids: [1, 2, 3, 4], initiators, topology: 'line' });
    expect([leader?.id, messages.byType.flood]).toEqual([1, 3]);
  });
});

describe('the cost', () => {
  test('as many signals as floods in every FIFO schedule; 2m−n+1 of each for one initiator, and for the announcement', () => {
    for (const { initiators, ...options } of seededElections(1500, 40, kindsOf)) {
      const some = initiators.slice(0, options.seed % 4 === 0 ? 1 : 6);
      const { messages } = run(floodMax, { ...options, initiators: some, schedule: 'random' });
      const { m, n } = new Run(floodMax, options).facts();
      expect(messages.byType.signal).toBe(messages.byType.flood);
      expect(messages.byType.elected).toBe(2 * m - n + 1);
      if (some.length === 1) expect(messages.byType.flood).toBe(2 * m - n + 1);
    }
  });

  test(`the same holds for ${LARGE_SIZES.join(' and ')} nodes`, () => {
    for (const nodes of LARGE_SIZES) {
      for (const topology of kindsOf(nodes).slice(0, 7)) {
        for (const k of [1, 12]) {
          const options = { nodes, topology, schedule: 'random', initiators: { random: k } } as const;
          const { byType } = run(floodMax, options).messages;
          expect(byType.signal).toBe(byType.flood);
        }
      }
    }
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(floodMax, [{}, { initiators: [2] }]);
  });

  test('the bound k(2m−n+1) is reached on a star: the centre receives the ids of k leaves in ascending order', () => {
    for (let n = 2; n <= 24; n++) {
      for (let k = 1; k < n; k++) {
        const initiators = Array.from({ length: k }, (_, leaf) => leaf + 1);
        const { messages } = run(floodMax, { nodes: n, order: 'ascending', topology: 'star', initiators });
        expect(messages.byType).toMatchObject({ flood: k * (n - 1), signal: k * (n - 1) });
      }
    }
  });

  test('the leader decides at 2e or 2e+2 for its eccentricity e, and the last node e later', () => {
    const seen = new Set<number>();
    for (let seed = 1; seed <= randomRuns(200); seed++) {
      const n = 2 + seeded(seed)(40);
      const options = { nodes: n, topology: `random:${Math.min(n + 4, (n * (n - 1)) / 2)}`, seed };
      const { leader, time } = run(floodMax, options);
      const graph = neighboursIn(new Run(floodMax, options).plan.topology);
      const e = eccentricity(graph, leader?.position ?? -1);
      seen.add((time.electedAt ?? 0) - 2 * e);
      expect(time.agreedAt).toBe((time.electedAt ?? 0) + e);
    }
    expect([...seen].sort()).toEqual([0, 2]);
  });
});

describe('under an adversarial schedule', () => {
  test('on FIFO links: one leader and as many signals as floods, at most k(2m−n+1)', () => {
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
        const schedule = { pick: adversary(play), fifo: true, name: nameOf(play) };
        const { leader, messages } = run(floodMax, { ...options, schedule });
        const { plan } = new Run(floodMax, options);
        expect(leader?.id).toBe(Math.max(...options.initiators.map((position) => plan.ids[position])));
        expect(messages.byType.signal).toBe(messages.byType.flood);
      }),
      { numRuns: randomRuns(3000), seed: 1980 },
    );
  });
});

describe('in every schedule', () => {
  test('of every connected graph up to n = 3, every order and every set of initiators', () => {
    for (let n = 1; n <= 3; n++) {
      for (const topology of connectedGraphs(n)) {
        expect(check(floodMax, { topology, orders: 'all', initiators: 'subsets' })).toMatchObject({
          complete: true,
          violations: [],
        });
      }
    }
  });

  test.each([
    ['line', 5],
    ['star', 5],
    ['ring', 4],
  ])('of a %s of %i, all sets of initiators', (topology, nodes) => {
    expect(check(floodMax, { nodes, topology, initiators: 'subsets' })).toMatchObject({
      complete: true,
      violations: [],
    });
  });
});

describe('without FIFO', () => {
  test('two of two nodes lead: the signal overtakes the larger id that was sent before it', () => {
    const { violations } = check(floodMax, { ids: [2, 1], topology: 'line', fifo: false });
    expect(violations).toMatchObject([{ property: 'uniqueness' }]);
    expect(violations[0].steps).toHaveLength(6);
  });

  test('the same happens with random delays: of 1,000 runs some have two leaders, and none has none', () => {
    const leaders = { none: 0, one: 0, several: 0 };
    for (let seed = 1; seed <= 1000; seed++) {
      let decided = 0;
      const { valid } = simulate(floodMax, {
        nodes: 6,
        seed,
        schedule: 'random:nofifo',
        despite: ['fifo'],
        observe: (event) => {
          if (event.type === 'decide' && event.role === 'leader') decided++;
        },
      });
      if (decided === 1) expect(valid.uniqueness).toBe(true);
      leaders[decided === 0 ? 'none' : decided === 1 ? 'one' : 'several']++;
    }
    expect(leaders).toEqual({ none: 0, one: 994, several: 6 });
  });
});

describe('what it does not tolerate', () => {
  test('if one message is lost, no node ever leads', () => {
    const { valid, leader } = simulate(floodMax, {
      topology: 'ring',
      initiators: [0],
      loss: 0.1,
      despite: ['loss'],
      seed: 1,
    });
    expect([leader, valid.termination]).toEqual([null, false]);
  });
});
