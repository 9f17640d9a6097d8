/**
 * Flooding the maximum with a known diameter: Karnapke, Election Algorithms, 2015/16, slide 6, and Lynch, Distributed
 * Algorithms, 1996, section 4.1: after D rounds all nodes decide.
 */
import { describe, expect, test } from 'vitest';
import { floodMax, floodMaxRounds } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { permutations, shuffled } from '../../orders.ts';
import { floodMaxRounds as reference } from '../flood-max/flood-max.reference.ts';
import { connectedGraphs, expectAsReference, idsOn, kindsOf } from '../graph-runs.ts';

const asReference = (options: Parameters<typeof run>[1] = {}) =>
  expectAsReference(floodMaxRounds, reference, options);

describe('the largest id leads, all decide at D, and there is no announcement', () => {
  test('on all connected graphs up to n = 4 and all id orders', () => {
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

  test('at 0 if there is one node', () => {
    const { leader, messages, time } = run(floodMaxRounds, { nodes: 1 });
    expect([leader?.id, messages.total, time.agreedAt]).toEqual([1, 0, 0]);
  });
});

describe('the cost', () => {
  test('as many floods as flood-max in lockstep, without its signals and its announcement', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const options = { nodes: 1 + (seed % 30), seed };
      const { messages } = run(floodMaxRounds, options);
      expect(messages.total).toBe(run(floodMax, options).messages.byType.flood);
    }
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(floodMaxRounds, [{}, { topology: 'torus:4x5' }]);
  });

  test('the bound n(2m−n+1) holds on 2,000 random graphs', () => {
    for (let seed = 1; seed <= 2000; seed++) run(floodMaxRounds, { nodes: 1 + (seed % 12), seed });
  });
});

test('the checker finds no failure on any connected graph up to n = 4, with any order of the ids', () => {
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
  test('initiators cannot be chosen: in a synchronous network every node starts', () => {
    expect(() => simulate(floodMaxRounds, { initiators: [0] })).toThrow('leave the initiators out');
  });

  test('duplicated messages do no harm', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const outcome = run(floodMaxRounds, { nodes: 9, topology: 'grid:3x3', duplicate: 0.3, seed });
      expect([outcome.leader?.id, outcome.time.agreedAt]).toEqual([9, 4]);
    }
  });

  test('messages that take longer than a round leave some nodes with another leader', () => {
    const { valid } = simulate(floodMaxRounds, { topology: 'line', schedule: 'random', despite: ['timing'] });
    expect(valid).toMatchObject({ termination: true, agreement: false });
  });

  test('a lost message may leave some nodes with another leader, undetected', () => {
    const { valid } = simulate(floodMaxRounds, { topology: 'line', loss: 0.2, despite: ['loss'], seed: 2 });
    expect(valid).toMatchObject({ termination: true, agreement: false });
  });

  test('the diameter given to the nodes is that of the network', () => {
    expect(new Run(floodMaxRounds, { topology: 'grid:3x4' }).plan.diameter).toBe(5);
  });
});
