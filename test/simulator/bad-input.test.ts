import { describe, expect, test } from 'vitest';
import { bully, changRoberts, echoElection, peterson } from '../../src/algorithms/index.ts';
import { type AnyAlgorithm, AssumptionError, InputError, Topology } from '../../src/kernel/index.ts';
import { Run, type SimulateOptions } from '../../src/simulator/index.ts';
import { trial } from './trial.ts';

// biome-ignore lint/suspicious/noExplicitAny: callers without types give anything
type Anything = any;

function refusal(options: SimulateOptions, algorithm: AnyAlgorithm = changRoberts): InputError {
  try {
    new Run(algorithm, options);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(options)} should have been refused`);
}

const NODES = 'nodes must be an integer from 1 to 33554432, not';

describe('what cannot be is refused in one line, before anything happens', () => {
  test.each<[Anything, string]>([
    [{ nodes: 0 }, `${NODES} 0`],
    [{ nodes: -3 }, `${NODES} -3`],
    [{ nodes: 1.5 }, `${NODES} 1.5`],
    [{ nodes: Number.NaN }, `${NODES} NaN`],
    [{ nodes: 1e12 }, `${NODES} 1000000000000`],
    [{ nodes: '8' }, `${NODES} 8`],
    [{ ids: [] }, 'ids are empty: give at least one, as in 5,3,8,1'],
    [{ ids: [5, 3, 5] }, 'id 5 is given twice: ids must differ'],
    [{ ids: [5, -1] }, 'an id must be an integer from 0 to 2147483647, not -1'],
    [{ ids: [5, 2 ** 31] }, 'an id must be an integer from 0 to 2147483647, not 2147483648'],
    [{ ids: [5, 0.5] }, 'an id must be an integer from 0 to 2147483647, not 0.5'],
    [{ ids: [5, '6'] }, 'an id must be an integer from 0 to 2147483647, not 6'],
    [{ ids: [5, 3], nodes: 3 }, '2 ids for 3 nodes: give --nodes or --ids, not both'],
    [{ order: 'sideways' }, "order must be one of ascending, descending, random, not 'sideways'"],
    [{ seed: -1 }, 'seed must be an integer from 0 to 9007199254740991, not -1'],
    [{ seed: 0.5 }, 'seed must be an integer from 0 to 9007199254740991, not 0.5'],
    [{ seed: 2 ** 53 }, 'seed must be an integer from 0 to 9007199254740991, not 9007199254740992'],
    [{ initiators: [] }, 'an election needs an initiator: name one, as in 0,2'],
    [{ initiators: [8] }, 'initiator 8 is out of range: positions are 0 to 7'],
    [{ initiators: [-1] }, 'initiator -1 is out of range: positions are 0 to 7'],
    [{ initiators: [0.5] }, 'initiator 0.5 is out of range: positions are 0 to 7'],
    [{ initiators: [2, 2] }, 'initiator 2 is given twice'],
    [{ initiators: [{ position: 2, time: -1 }] }, 'initiator 2 cannot wake at -1'],
    [{ initiators: [{ position: 2, time: Number.NaN }] }, 'initiator 2 cannot wake at NaN'],
    [{ initiators: { random: 0 } }, 'random initiators must be 1 to 8 in number, not 0'],
    [{ initiators: { random: 9 } }, 'random initiators must be 1 to 8 in number, not 9'],
    [{ initiators: { random: 1.5 } }, 'random initiators must be 1 to 8 in number, not 1.5'],
    [{ schedule: 'later' }, "schedule must be lockstep, random, random:nofifo or a file, not 'later'"],
    [{ schedule: {} }, "schedule must be lockstep, random, random:nofifo or a file, not '[object Object]'"],
    [{ crash: [{ position: 8, time: 0 }] }, 'crash names position 8: positions are 0 to 7'],
    [{ crash: [{ position: 1, time: -1 }] }, 'crash must be a time from 0 to 1000000000 units, not -1'],
    [{ recover: [{ position: 8, time: 0 }] }, 'recover names position 8: positions are 0 to 7'],
    [{ recover: [{ position: 1, time: 3 }] }, 'position 1 cannot recover at 3: it does not crash before'],
    [{ loss: 1.5 }, 'loss must be a chance from 0 to 1, not 1.5'],
    [{ loss: Number.NaN }, 'loss must be a chance from 0 to 1, not NaN'],
    [{ duplicate: -0.1 }, 'duplicate must be a chance from 0 to 1, not -0.1'],
    [
      { partition: [{ groups: [[0], [9]], from: 0, until: 1 }] },
      'partition names position 9: positions are 0 to 7',
    ],
    [
      { partition: [{ groups: [[0], [1]], from: 3, until: 3 }] },
      'a partition ends after it begins, not 3..3',
    ],
    [
      { partition: [{ groups: [[0], [1]], from: -1, until: 3 }] },
      'a partition ends after it begins, not -1..3',
    ],
    [
      { partition: [{ groups: [[0, 1], [1]], from: 0, until: 3 }] },
      'position 1 is on two sides of a partition',
    ],
    [{ until: -1 }, 'until must be a time from 0 to 1000000000 units, not -1'],
    [{ until: Number.NaN }, 'until must be a time from 0 to 1000000000 units, not NaN'],
    [{ set: { speed: 3 } }, "chang-roberts has no parameter 'speed': it has extremum, filter"],
    [{ set: { filter: 3 } }, "filter of chang-roberts must be true or false, not '3'"],
    [{ topology: Topology.ring(5), nodes: 8 }, '8 nodes for a network of 5'],
    [
      { topology: 'ring', despite: ['gravity'] },
      "'gravity' is no assumption: choose from network, timing, ids, fifo, crash, recover, loss, duplication, partition, termination",
    ],
  ])('%j', (options, text) => {
    expect(refusal(options).message).toBe(text);
  });

  test.each<[string, string]>([
    ['grid:3', 'grid:RxC'],
    ['moebius', "expected a network, got 'moebius'"],
    ['random:3', '8 nodes'],
    ['hypercube', '6'],
  ])('a network that is none: %s', (topology, text) => {
    const nodes = topology === 'hypercube' ? 6 : 8;
    const { message } = refusal({ topology, nodes }, echoElection);
    expect(message).toContain(text);
    expect(message).not.toContain('\n');
  });
});

describe('a run that does not meet what the algorithm assumes is refused by the name of the assumption', () => {
  const orDespite = (name: string) => `, or run it all the same with --despite ${name}`;

  test.each<[AnyAlgorithm, SimulateOptions, string, string]>([
    [peterson, { schedule: 'random:nofifo' }, 'fifo', 'peterson assumes FIFO links: use --schedule random'],
    [
      peterson,
      { schedule: { pick: () => 0, fifo: false } },
      'fifo',
      'peterson assumes FIFO links: use --schedule random',
    ],
    [
      changRoberts,
      { crash: [{ position: 0, time: 1 }] },
      'crash',
      'chang-roberts assumes that no node crashes: leave that out',
    ],
    [
      trial({ assumes: { faults: ['crash'] } }),
      { crash: [{ position: 0, time: 1 }], recover: [{ position: 0, time: 2 }] },
      'recover',
      'trial assumes that no node comes back from a crash: leave that out',
    ],
    [changRoberts, { loss: 0.1 }, 'loss', 'chang-roberts assumes that no message is lost: leave that out'],
    [
      changRoberts,
      { duplicate: 0.1 },
      'duplication',
      'chang-roberts assumes that no message comes twice: leave that out',
    ],
    [
      changRoberts,
      { partition: [{ groups: [[0], [1]], from: 0, until: 1 }] },
      'partition',
      'chang-roberts assumes that the network never parts: leave that out',
    ],
    [
      bully,
      { topology: 'star' },
      'network',
      'bully assumes a complete network, not star: use --topology complete',
    ],
    [
      trial({ assumes: { network: 'tree' } }),
      { topology: 'grid:2x4' },
      'network',
      'trial assumes a tree, not grid:2x4: use --topology tree',
    ],
    [
      trial({ assumes: { timing: 'synchronous' } }),
      { schedule: 'random' },
      'timing',
      'trial runs in rounds: use --schedule lockstep',
    ],
    [
      bully,
      { schedule: 'random' },
      'timing',
      'bully assumes that a round trip, here up to 6 units, is over within its time-out of 2: use --set timeout=6',
    ],
    [bully, { schedule: { pick: () => 0 } }, 'timing', 'bully assumes timely links: use --schedule lockstep'],
  ])('%#: %o', (algorithm, options, assumption, text) => {
    const error = refusal(options, algorithm);
    expect(error).toBeInstanceOf(AssumptionError);
    expect(error).toMatchObject({ assumption, code: 'HUSTINGS_ASSUMPTION' });
    expect(error.message).toBe(text + orDespite(assumption));
    expect(() => new Run(algorithm, { ...options, despite: [assumption] })).not.toThrow();
  });

  test('a ring algorithm elsewhere, where its ports mean nothing, even despite', () => {
    for (const despite of [[], ['network']]) {
      const error = refusal({ topology: 'star', despite });
      expect(error.message).toBe('chang-roberts assumes a one-way ring, not star: use --topology ring');
    }
  });

  test('an algorithm that compares ids, where there are none: it says why that is impossible', () => {
    for (const despite of [[], ['ids']]) {
      expect(refusal({ ids: 'anonymous', despite }).message).toMatch(
        /^chang-roberts needs unique ids: .*no deterministic algorithm can elect one of them \(Angluin 1980\)/,
      );
    }
  });

  test('initiators in rounds, in which every node starts', () => {
    const rounds = trial({ assumes: { timing: 'synchronous' } });
    expect(refusal({ initiators: [0] }, rounds).message).toBe(
      'trial runs in rounds, in which every node starts: leave the initiators out',
    );
  });
});
