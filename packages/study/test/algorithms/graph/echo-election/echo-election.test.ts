/**
 * Echo election with extinction: Karnapke, Election Algorithms, 2015/16, slide 7. A wave sends one message in each
 * direction of every link: 2m.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort, isFull, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { echoElection } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import type { SimulateOptions } from '../../../../src/simulator/plan/options.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { permutations, positionSets, seeded, shuffled, somePositions } from '../../orders.ts';
import { adversary, nameOf } from '../../ring/ring-runs.ts';
import { eccentricity } from '../graph.ts';
import {
  anyGraph,
  anyPlay,
  connectedGraphs,
  expectAsReference as expectAsGraphReference,
  type GraphReference,
  idsOn,
  kindsOf,
  LARGE_SIZES,
  MAX_NODES,
  neighboursIn,
} from '../graph-runs.ts';
import { echoElectionLockstep } from './echo-election.reference.ts';

const ANNOUNCEMENTS = ['tree', 'echo'] as const;

type Announcement = (typeof ANNOUNCEMENTS)[number];

/** The reference for one kind of announcement. */
function announcing(announce: Announcement): GraphReference {
  return (neighbours, ids, initiators) => echoElectionLockstep(neighbours, ids, initiators, announce);
}

function expectAsReference(options: SimulateOptions, announce: Announcement): void {
  expectAsGraphReference(echoElection, announcing(announce), { ...options, set: { announce } });
}

describe('the election', () => {
  test('agrees with its reference on all connected graphs up to n = 4, all id orders and initiators; at n = 4 long runs have both announcements, others one for every eighth graph', {
    timeout: 300_000,
  }, () => {
    let runs = 0;
    for (let n = 1; n <= 4; n++) {
      const graphs = [...connectedGraphs(n)];
      for (const topology of isFull || n < 4 ? graphs : graphs.filter((_, k) => k % 8 === 0)) {
        for (const ids of permutations(n)) {
          for (const initiators of positionSets(n)) {
            const alternating = [ANNOUNCEMENTS[runs % ANNOUNCEMENTS.length]];
            const chosen = isFull ? ANNOUNCEMENTS : alternating;
            for (const announce of chosen) expectAsReference({ topology, ids, initiators }, announce);
            runs++;
          }
        }
      }
    }
    expect(runs).toBe(1 + 1 * 2 * 3 + 4 * 6 * 7 + (isFull ? 38 : 5) * 24 * 15);
  });

  test(`agrees with its reference on every kind of network, n from 1 to ${MAX_NODES}, with both announcements`, () => {
    for (let n = 1; n <= MAX_NODES; n++) {
      for (const topology of kindsOf(n)) {
        const ids = idsOn(topology, n, n);
        const [one, other] = n % 2 === 0 ? ANNOUNCEMENTS : ANNOUNCEMENTS.toReversed();
        expectAsReference({ topology, ids }, one);
        expectAsReference({ topology, ids, initiators: somePositions(n, 1 + seeded(n)(n), n) }, other);
      }
    }
  });

  test(`agrees with its reference on every kind of sparse network of ${LARGE_SIZES.join(' and ')} nodes`, () => {
    for (const n of LARGE_SIZES) {
      for (const topology of kindsOf(n).slice(0, 9)) {
        const ids = shuffled(n, n);
        expectAsReference({ topology, ids, initiators: somePositions(n, n / 4, 3) }, 'tree');
        expectAsReference({ topology, ids, initiators: [n / 2] }, 'echo');
      }
    }
  });

  test('"the strongest wave prevails": the largest initiator leads, even if other nodes have larger ids', () => {
    expect(run(echoElection, { ids: [9, 2, 8, 5, 7], initiators: [1, 3], topology: 'line' }).leader?.id).toBe(
      5,
    );
  });

  test('a single node sends nothing and leads at 0', () => {
    for (const announce of ANNOUNCEMENTS) {
      const { leader, messages, time } = run(echoElection, { nodes: 1, set: { announce } });
      expect([leader?.id, messages.total, time.electedAt, time.agreedAt]).toEqual([1, 0, 0, 0]);
    }
  });

  test('a node that a wave reaches before its start is no longer an initiator', () => {
    const initiators = [
      { position: 0, time: 0 },
      { position: 3, time: 3.5 },
    ];
    const { leader, messages } = run(echoElection, { ids: [1, 2, 3, 4], initiators, topology: 'line' });
    expect([leader?.id, messages.election]).toEqual([1, 6]);
  });
});

describe('the cost', () => {
  test('one initiator: 2m messages in every schedule, n−1 of them echoes; 2m or n−1 for the announcement', () => {
    for (let seed = 1; seed <= randomRuns(400); seed++) {
      const below = seeded(seed);
      const n = 1 + below(40);
      const kinds = kindsOf(n);
      const topology = kinds[below(kinds.length)];
      const announce = ANNOUNCEMENTS[seed % 2];
      for (const schedule of ['lockstep', 'random', 'random:nofifo'] as const) {
        const options = { nodes: n, topology, schedule, seed, initiators: [below(n)], set: { announce } };
        const { messages } = run(echoElection, options);
        const m = new Run(echoElection, options).facts().m;
        expect(messages.byType).toEqual({
          explorer: 2 * m - n + 1,
          echo: n - 1,
          elected: announce === 'tree' ? n - 1 : 2 * m,
        });
      }
    }
  });

  test(`the same holds for ${LARGE_SIZES.join(' and ')} nodes`, () => {
    for (const nodes of LARGE_SIZES) {
      for (const topology of [...kindsOf(nodes).slice(0, 7), ...(nodes === 1000 ? ['complete'] : [])]) {
        for (const schedule of ['random', 'random:nofifo'] as const) {
          run(echoElection, {
            nodes,
            topology,
            schedule,
            initiators: [nodes / 4],
            set: { announce: 'echo' },
          });
        }
      }
    }
  });

  test('k initiators: never more than k·2m, with or without FIFO; one leader, known to all', () => {
    for (let seed = 1; seed <= randomRuns(1500); seed++) {
      const below = seeded(seed);
      const n = 1 + below(24);
      const kinds = kindsOf(n);
      const initiators = somePositions(n, 1 + below(n), seed).map((position) => ({
        position,
        time: seed % 3 === 0 ? below(n) : 0,
      }));
      run(echoElection, {
        nodes: n,
        topology: kinds[below(kinds.length)],
        schedule: seed % 2 === 0 ? 'random' : 'random:nofifo',
        seed,
        initiators,
        set: { announce: ANNOUNCEMENTS[below(2)] },
      });
    }
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(
      echoElection,
      ANNOUNCEMENTS.map((announce) => ({ initiators: [2], set: { announce } })),
    );
  });

  test('the leader of eccentricity e decides at 2e or 2e+1, and the last node e later', () => {
    for (let seed = 1; seed <= randomRuns(200); seed++) {
      const n = 2 + seeded(seed)(40);
      const options = { nodes: n, topology: `random:${Math.min(n + 4, (n * (n - 1)) / 2)}`, seed };
      const { leader, time } = run(echoElection, options);
      const e = eccentricity(
        neighboursIn(new Run(echoElection, options).plan.topology),
        leader?.position ?? -1,
      );
      expect([0, 1]).toContain((time.electedAt ?? 0) - 2 * e);
      expect(time.agreedAt).toBe((time.electedAt ?? 0) + e);
    }
  });
});

test('announcing by a second wave changes neither the election nor its times', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const n = 1 + seeded(seed)(40);
    const kinds = kindsOf(n);
    const [tree, echo] = ANNOUNCEMENTS.map((announce) => {
      const topology = kinds[seed % kinds.length];
      const { leader, messages, time } = run(echoElection, { nodes: n, topology, seed, set: { announce } });
      return [leader?.id, messages.election, time.electedAt, time.agreedAt];
    });
    expect(echo).toEqual(tree);
  }
});

describe('under an adversarial schedule', () => {
  test.each([
    { fifo: true, links: 'that keep their order' },
    { fifo: false, links: 'on which messages overtake' },
  ])('on links $links: one leader, and 2m for one initiator, at most k·2m for k', ({ fifo }) => {
    const election = anyGraph.chain((topology) =>
      fc.record({
        topology: fc.constant(topology),
        initiators: fc.subarray([...Array(topology.n).keys()], { minLength: 1 }),
        seed: fc.nat(1000),
        play: anyPlay,
        announce: fc.constantFrom(...ANNOUNCEMENTS),
      }),
    );
    fc.assert(
      fc.property(election, ({ play, announce, ...options }) => {
        const schedule = { pick: adversary(play), fifo, name: nameOf(play) };
        const { leader } = run(echoElection, { ...options, schedule, set: { announce } });
        const { plan } = new Run(echoElection, options);
        expect(leader?.id).toBe(Math.max(...options.initiators.map((position) => plan.ids[position])));
      }),
      { numRuns: randomRuns(1500), seed: 1982 },
    );
  });
});

describe('in every schedule', () => {
  test.each(ANNOUNCEMENTS)(
    'of every connected graph up to n = 3, every order and initiators; by %s',
    (announce) => {
      for (let n = 1; n <= 3; n++) {
        for (const topology of connectedGraphs(n)) {
          const options = { topology, orders: 'all', initiators: 'subsets', set: { announce } } as const;
          expect(check(echoElection, options)).toMatchObject({ complete: true, violations: [] });
        }
      }
    },
  );

  test.each([
    ['line', 4, 'tree'],
    ['star', 4, 'echo'],
    ['ring', 4, 'tree'],
    ['ring', effort({ quick: 3, full: 4 }), 'echo'],
  ])('of a %s of %i, all sets of initiators; by %s', (topology, nodes, announce) => {
    const options = { nodes, topology, initiators: 'subsets', set: { announce } } as const;
    expect(check(echoElection, options)).toMatchObject({ complete: true, violations: [] });
  });
});

describe('what it does not tolerate', () => {
  test('if one message is lost, no node ever leads', () => {
    const { valid, leader } = simulate(echoElection, {
      topology: 'ring',
      initiators: [0],
      loss: 0.1,
      despite: ['loss'],
      seed: 1,
    });
    expect(leader).toBeNull();
    expect(valid.termination).toBe(false);
  });
});
