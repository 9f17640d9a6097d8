/** Karnapke, Election Algorithms, 2015/16: Itai–Rodeh on general networks, "with application of the echo-election". */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { itaiRodehEcho } from '../../../../src/algorithms/index.ts';
import { type CheckOptions, check } from '../../../../src/checker/index.ts';
import { Run, type SimulateOptions, simulate } from '../../../../src/simulator/index.ts';
import { invalid } from '../../errors.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { seeded, somePositions } from '../../orders.ts';
import { adversary, nameOf, type Play } from '../../ring/ring-runs.ts';

const SCHEDULES = ['lockstep', 'random', 'random:nofifo'] as const;

function networkOf(n: number, seed: number): string {
  const kinds = [
    'ring',
    'star',
    'line',
    'tree',
    'random-tree',
    'complete',
    `random:${Math.min(2 * n, (n * (n - 1)) / 2)}`,
  ];
  return kinds[seeded(seed)(kinds.length)];
}

/** The number of messages of each wave, by round and id, and the pair that won. */
function wavesOf(options: SimulateOptions): { waves: Map<string, number>; winner: string; m: number } {
  const waves = new Map<string, number>();
  const election = new Run(itaiRodehEcho, {
    ...options,
    observe: (event) => {
      if (event.type !== 'send' || event.message.type === 'elected') return;
      const wave = `${event.message.round} ${event.message.id}`;
      waves.set(wave, (waves.get(wave) ?? 0) + 1);
    },
  });
  while (!election.advance());
  const { leader } = election.outcome();
  const { round, id } = election.simulation.machine.fieldsOf(leader?.position ?? -1);
  return { waves, winner: `${round} ${id}`, m: election.facts().m };
}

describe('Itai–Rodeh on any connected network', () => {
  test('elects one leader in 1,000 networks (10,000 in long runs) of all kinds, under all kinds of delays, with any initiators', () => {
    for (let seed = 1; seed <= randomRuns(10_000); seed++) {
      const nodes = 1 + (seed % (seed % 50 === 0 ? 64 : 9));
      run(itaiRodehEcho, {
        nodes,
        seed,
        topology: networkOf(nodes, seed),
        schedule: SCHEDULES[seed % 3],
        initiators: somePositions(nodes, 1 + (seed % nodes), seed),
        set: { c: 2 + (seed % 4) },
      });
    }
  });

  test('the winning wave costs exactly 2m in every schedule, and no other wave costs more', () => {
    let rounds = 0;
    for (let seed = 1; seed <= 600; seed++) {
      const nodes = 2 + (seed % 20);
      const schedule = SCHEDULES[seed % 3];
      const options = { nodes, seed, topology: networkOf(nodes, seed), schedule, set: { c: 2 } };
      const { waves, winner, m } = wavesOf(options);
      expect(waves.get(winner)).toBe(2 * m);
      expect(Math.max(...waves.values())).toBe(2 * m);
      rounds = Math.max(rounds, Number(winner.split(' ')[0]));
    }
    expect(rounds).toBeGreaterThan(3);
  });

  test('the same holds for 1,000 nodes', () => {
    for (const topology of ['ring', 'random-tree', 'random:4000', 'grid:25x40']) {
      const { waves, winner, m } = wavesOf({ nodes: 1000, topology, schedule: 'random', set: { c: 3 } });
      expect(waves.get(winner)).toBe(2 * m);
    }
  });

  test('costs 2m for one initiator, and n−1 for the announcement', () => {
    const runs = [1, 2, 3, 8, 64, 1000].map((nodes) => ({ nodes, initiators: [nodes - 1] }));
    expectEveryLawHolds(itaiRodehEcho, [...runs, { nodes: 64 }]);
  });

  test('a single node sends nothing and leads at 0', () => {
    const { leader, messages, time } = run(itaiRodehEcho, { nodes: 1 });
    expect([leader?.position, messages.total, time.electedAt]).toEqual([0, 0, 0]);
  });

  test.each([true, false])('elects one leader under an adversary, FIFO %s', (fifo) => {
    const play: fc.Arbitrary<Play> = fc.oneof(
      fc.record({ picks: fc.array(fc.nat(60), { minLength: 1, maxLength: 100 }) }),
      fc.record({ starve: fc.nat(8) }),
    );
    const election = fc.record({ nodes: fc.integer({ min: 1, max: 8 }), seed: fc.nat(1000), play });
    fc.assert(
      fc.property(election, ({ nodes, seed, play }) => {
        const schedule = { pick: adversary(play), fifo, name: nameOf(play) };
        run(itaiRodehEcho, { nodes, seed, topology: networkOf(nodes, seed), set: { c: 2 }, schedule });
      }),
      { numRuns: randomRuns(600), seed: 1981 },
    );
  });
});

describe('over every schedule and every random draw', () => {
  test.each<[about: string, options: CheckOptions]>([
    ['two nodes, six rounds', { nodes: 2, topology: 'line', bound: { round: 6 } }],
    ['a line of three, four rounds', { nodes: 3, topology: 'line', bound: { round: 4 } }],
    ['a ring of three, two rounds', { nodes: 3, topology: 'ring', bound: { round: 2 } }],
    ['a ring of three, three rounds, FIFO', { nodes: 3, topology: 'ring', bound: { round: 3 }, fifo: true }],
    ['a star of four, two rounds, FIFO', { nodes: 4, topology: 'star', bound: { round: 2 }, fifo: true }],
    ['a line of four, one round', { nodes: 4, topology: 'line', bound: { round: 1 } }],
  ])('%s: never two leaders, and termination stays possible', (_, options) => {
    // Without FIFO the reduction would explore rounds beyond any bound.
    const reduce = options.fifo ? 'auto' : 'none';
    const result = check(itaiRodehEcho, { ...options, initiators: 'subsets', reduce, set: { c: 2 } });
    expect(result.violations).toEqual([]);
    // Only states beyond the bound were not explored.
    expect([result.stopped, result.termination]).toEqual([null, 'sure']);
  });
});

describe('invalid options', () => {
  test('c = 1 is refused', () => {
    expect(() => simulate(itaiRodehEcho, { set: { c: 1 } })).toThrow(invalid('c'));
  });
});
