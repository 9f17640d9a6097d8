/**
 * Flooding the maximum where the diameter is known, as Karnapke has it, Election Algorithms, 2015/16, slide 6, and
 * Lynch, Distributed Algorithms, 1996, section 4.1: after D rounds all know.
 */
import { describe, expect, test } from 'vitest';
import { floodMax, floodMaxRounds } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectGolden } from '../../../golden/golden.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { permutations, shuffled } from '../../orders.ts';
import { floodMaxRounds as reference } from '../flood-max/flood-max.reference.ts';
import { connectedGraphs, expectAsReference, idsOn, kindsOf } from '../graph-runs.ts';

const asReference = (options: Parameters<typeof run>[1] = {}) =>
  expectAsReference(floodMaxRounds, reference, options);

describe('the largest id leads, all know at D, and nothing is announced', () => {
  test('on all connected graphs to n = 4 and all id orders', () => {
    let runs = 0;
    for (let n = 1; n <= 4; n++) {
      for (const topology of connectedGraphs(n)) {
        for (const ids of permutations(n)) {
          asReference({ topology, ids });
          runs++;
        }
      }
    }
    expect(runs).toBe(1 + 1 * 2 + 4 * 6 + 38 * 24);
  });

  test('on every kind of network, n from 1 to 64', () => {
    for (let n = 1; n <= 64; n++) {
      for (const topology of kindsOf(n)) {
        if (topology === 'complete' && n > 24) continue;
        expect(asReference({ topology, ids: idsOn(topology, n, n) }).messages.announcement).toBe(0);
      }
    }
  });

  test('on sparse networks of 1,000 nodes', () => {
    for (const topology of ['ring', 'random-tree', 'random:2000', 'torus:20x50']) {
      asReference({ topology, ids: shuffled(1000, 3) });
    }
  });

  test('in a complete network of 64 and a hypercube of 1,024', () => {
    expect(run(floodMaxRounds, { nodes: 64, topology: 'complete' }).time.agreedAt).toBe(1);
    expect(run(floodMaxRounds, { nodes: 1024, topology: 'hypercube' }).time.agreedAt).toBe(10);
  });

  test('at 0 where there is one node', () => {
    const { leader, messages, time } = run(floodMaxRounds, { nodes: 1 });
    expect([leader?.id, messages.total, time.agreedAt]).toEqual([1, 0, 0]);
  });
});

describe('what it costs', () => {
  test('the floods of flood-max in lockstep, and neither its signals nor its word of the winner', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const options = { nodes: 1 + (seed % 30), seed };
      const { messages } = run(floodMaxRounds, options);
      expect(messages.total).toBe(run(floodMax, options).messages.byType.flood);
    }
  });

  test('every law speaks of some run', () => {
    expectEveryLawHolds(floodMaxRounds, [{}, { topology: 'torus:4x5' }]);
  });

  test('the bound n(2m−n+1) holds on 2,000 random graphs', () => {
    for (let seed = 1; seed <= 2000; seed++) run(floodMaxRounds, { nodes: 1 + (seed % 12), seed });
  });
});

test('every connected graph to n = 4 is checked, and with them all, every order', () => {
  for (let n = 1; n <= 4; n++) {
    for (const topology of connectedGraphs(n)) {
      expect(check(floodMaxRounds, { topology, ids: shuffled(n, 5) })).toMatchObject({
        complete: true,
        violations: [],
      });
    }
  }
});

describe('what it assumes', () => {
  test.each([
    ['timing', { schedule: 'random' }],
    ['ids', { ids: 'anonymous' }],
    ['crash', { crash: [{ position: 1, time: 0 }] }],
    ['loss', { loss: 0.1 }],
  ] as const)('a run that breaks the assumption %s is refused by name', (assumption, options) => {
    expect(() => simulate(floodMaxRounds, options)).toThrow(
      expect.objectContaining({ code: 'HUSTINGS_ASSUMPTION', assumption }),
    );
  });

  test('initiators cannot be chosen: in rounds every node starts', () => {
    expect(() => simulate(floodMaxRounds, { initiators: [0] })).toThrow('leave the initiators out');
  });

  test('a message that comes twice does no harm', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const outcome = run(floodMaxRounds, { nodes: 9, topology: 'grid:3x3', duplicate: 0.3, seed });
      expect([outcome.leader?.id, outcome.time.agreedAt]).toEqual([9, 4]);
    }
  });

  test('messages that take longer than a round leave some with another leader', () => {
    const { valid } = simulate(floodMaxRounds, { topology: 'line', schedule: 'random', despite: ['timing'] });
    expect(valid).toMatchObject({ termination: true, agreement: false });
  });

  test('a lost message may leave some with another leader, in time and unaware', () => {
    const { valid } = simulate(floodMaxRounds, { topology: 'line', loss: 0.2, despite: ['loss'], seed: 2 });
    expect(valid).toMatchObject({ termination: true, agreement: false });
  });

  test('the diameter that the nodes are told is that of the network', () => {
    expect(new Run(floodMaxRounds, { topology: 'grid:3x4' }).plan.diameter).toBe(5);
  });
});

test('the golden trace: a line of four', () => {
  expectGolden(new URL('flood-max-rounds.trace', import.meta.url), floodMaxRounds, {
    ids: [2, 4, 1, 3],
    topology: 'line',
  });
});
