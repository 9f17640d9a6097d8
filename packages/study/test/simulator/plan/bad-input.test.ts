import { describe, expect, test } from 'vitest';
import { bully, changRoberts, echoElection, peterson } from '../../../src/algorithms/index.ts';
import {
  type AnyAlgorithm,
  AssumptionError,
  InputError,
  type Remedy,
  Topology,
} from '../../../src/kernel/index.ts';
import { Run, type SimulateOptions } from '../../../src/simulator/index.ts';
import { testAlgorithm } from '../test-algorithm.ts';

// biome-ignore lint/suspicious/noExplicitAny: callers without types may pass anything
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

describe('a run that nothing starts is refused', () => {
  const last = { position: 7, time: 0 };
  const ascending = { order: 'ascending', initiators: [7] } as const;

  test.each<[string, SimulateOptions, string]>([
    ['the only initiator is the crashed coordinator', ascending, 'all initiators (7) are crashed'],
    ['it starts after its crash', { crash: [last], initiators: [{ position: 7, time: 4 }] }, '(7)'],
    [
      'two crash before they start',
      { crash: [last, { position: 6, time: 0 }], initiators: [6, 7] },
      '(6, 7)',
    ],
    ['every node is crashed', { nodes: 1, crash: [{ position: 0, time: 0 }] }, 'every node is crashed'],
  ])('%s', (_why, options, text) => {
    const { message } = refusal({ nodes: 8, ...options }, bully);
    expect(message).toContain('an initiator must be alive when it starts');
    expect(message).toContain(text);
  });

  test.each<[string, SimulateOptions]>([
    ['one of two is alive', { order: 'ascending', initiators: [0, 7] }],
    [
      'it recovers before it starts',
      { crash: [last], recover: [{ position: 7, time: 2 }], initiators: [last] },
    ],
    ['the run may end without a leader', { ...ascending, despite: ['termination'] }],
    ['it crashes after its start', { crash: [{ position: 7, time: 1 }], initiators: [7] }],
  ])('but not if %s', (_why, options) => {
    expect(() => new Run(bully, { nodes: 8, ...options })).not.toThrow();
  });
});

/** Each option with the words that the error must have: the option and the value, or both sides of a conflict. */
describe('an invalid option is refused in one line, before anything happens', () => {
  test.each<[Anything, ...string[]]>([
    [{ nodes: 0 }, 'nodes must be', 'from 1 to 33554432, not 0'],
    [{ nodes: -3 }, 'nodes must be', 'not -3'],
    [{ nodes: 1.5 }, 'nodes must be', 'not 1.5'],
    [{ nodes: Number.NaN }, 'nodes must be', 'not NaN'],
    [{ nodes: 1e12 }, 'nodes must be', 'not 1000000000000'],
    [{ nodes: '8' }, 'nodes must be', 'not 8'],
    [{ ids: [] }, 'ids must not be empty'],
    [{ ids: [5, 3, 5] }, 'ids must differ', '5'],
    [{ ids: [5, -1] }, 'an id must be', 'from 0 to 2147483647, not -1'],
    [{ ids: [5, 2 ** 31] }, 'an id must be', 'not 2147483648'],
    [{ ids: [5, 0.5] }, 'an id must be', 'not 0.5'],
    [{ ids: [5, '6'] }, 'an id must be', 'not 6'],
    [{ ids: [5, 3], nodes: 3 }, 'nodes must be the number of ids, 2, not 3'],
    [{ order: 'sideways' }, 'order must be', "not 'sideways'"],
    [{ seed: -1 }, 'seed must be', 'from 0 to 9007199254740991, not -1'],
    [{ seed: 0.5 }, 'seed must be', 'not 0.5'],
    [{ seed: 2 ** 53 }, 'seed must be', 'not 9007199254740992'],
    [{ initiators: [] }, 'initiators must not be empty'],
    [{ initiators: [8] }, 'initiator must be', 'from 0 to 7, not 8'],
    [{ initiators: [-1] }, 'initiator must be', 'not -1'],
    [{ initiators: [0.5] }, 'initiator must be', 'not 0.5'],
    [{ initiators: [2, 2] }, 'initiators must differ', '2'],
    [{ initiators: [{ position: 2, time: -1 }] }, 'initiator 2 must start', 'not -1'],
    [{ initiators: [{ position: 2, time: Number.NaN }] }, 'initiator 2 must start', 'not NaN'],
    [{ initiators: { random: 0 } }, 'random initiators must be from 1 to 8, not 0'],
    [{ initiators: { random: 9 } }, 'random initiators must be', 'not 9'],
    [{ initiators: { random: 1.5 } }, 'random initiators must be', 'not 1.5'],
    [{ schedule: 'later' }, 'schedule must be', "not 'later'"],
    [{ schedule: {} }, 'schedule must be', "not '[object Object]'"],
    [{ crash: [{ position: 8, time: 0 }] }, 'crash', 'from 0 to 7, not 8'],
    [{ crash: [{ position: 1, time: -1 }] }, 'crash', 'not -1'],
    [{ recover: [{ position: 8, time: 0 }] }, 'recover', 'from 0 to 7, not 8'],
    [{ recover: [{ position: 1, time: 3 }] }, 'position 1 must crash before it recovers at 3'],
    [{ loss: 1.5 }, 'loss must be a probability from 0 to 1, not 1.5'],
    [{ loss: Number.NaN }, 'loss must be', 'not NaN'],
    [{ duplicate: -0.1 }, 'duplicate must be', 'not -0.1'],
    [{ partition: [{ groups: [[0], [9]], from: 0, until: 1 }] }, 'partition', 'not 9'],
    [{ partition: [{ groups: [[0], [1]], from: 3, until: 3 }] }, 'partition must end', 'not 3..3'],
    [{ partition: [{ groups: [[0], [1]], from: -1, until: 3 }] }, 'partition must', 'not -1..3'],
    [{ partition: [{ groups: [[0, 1], [1]], from: 0, until: 3 }] }, 'partition', 'position 1'],
    [{ until: -1 }, 'until must be', 'not -1'],
    [{ until: Number.NaN }, 'until must be', 'not NaN'],
    [{ set: { speed: 3 } }, "'speed'", 'extremum, filter'],
    [{ set: { filter: 3 } }, 'filter', 'true or false', "not '3'"],
    [{ topology: Topology.ring(5), nodes: 8 }, 'nodes must be 5', 'not 8'],
    [{ topology: 'ring', despite: ['gravity'] }, 'despite must be', 'fifo', "not 'gravity'"],
  ])('%j', (options, ...parts) => {
    const { code, message } = refusal(options);
    expect(code).toBe('HUSTINGS_INPUT');
    for (const part of parts) expect(message).toContain(part);
    expect(message).not.toContain('\n');
  });

  test.each<[string, string]>([
    ['grid:3', 'grid:RxC'],
    ['moebius', 'topology must be one of'],
    ['random:3', '8 nodes'],
    ['hypercube', '6'],
  ])('an invalid network: %s', (topology, text) => {
    const nodes = topology === 'hypercube' ? 6 : 8;
    const { message } = refusal({ topology, nodes }, echoElection);
    expect(message).toContain(text);
    expect(message).not.toContain('\n');
  });
});

describe('a run that violates an assumption is refused with the name of the assumption and its remedies', () => {
  test.each<[string, AnyAlgorithm, SimulateOptions, string, Remedy | null]>([
    ['FIFO', peterson, { schedule: 'random:nofifo' }, 'fifo', { option: 'schedule', value: 'random' }],
    [
      'FIFO with an adversary',
      peterson,
      { schedule: { pick: () => 0, fifo: false } },
      'fifo',
      { option: 'schedule', value: 'random' },
    ],
    ['no crash', changRoberts, { crash: [{ position: 0, time: 1 }] }, 'crash', null],
    [
      'no recovery',
      testAlgorithm({ assumes: { faults: ['crash'] } }),
      { crash: [{ position: 0, time: 1 }], recover: [{ position: 0, time: 2 }] },
      'recover',
      null,
    ],
    ['no loss', changRoberts, { loss: 0.1 }, 'loss', null],
    ['no duplication', changRoberts, { duplicate: 0.1 }, 'duplication', null],
    [
      'no partition',
      changRoberts,
      { partition: [{ groups: [[0], [1]], from: 0, until: 1 }] },
      'partition',
      null,
    ],
    ['a complete network', bully, { topology: 'star' }, 'network', { option: 'topology', value: 'complete' }],
    [
      'a tree',
      testAlgorithm({ assumes: { network: 'tree' } }),
      { topology: 'grid:2x4' },
      'network',
      { option: 'topology', value: 'tree' },
    ],
    [
      'rounds',
      testAlgorithm({ assumes: { timing: 'synchronous' } }),
      { schedule: 'random' },
      'timing',
      { option: 'schedule', value: 'lockstep' },
    ],
    ['a timeout', bully, { schedule: 'random' }, 'timing', { option: 'set', value: 'timeout=6' }],
    [
      'bounded delay',
      bully,
      { schedule: { pick: () => 0 } },
      'timing',
      { option: 'schedule', value: 'lockstep' },
    ],
  ])('%s', (_, algorithm, options, assumption, remedy) => {
    const error = refusal(options, algorithm);
    expect(error).toBeInstanceOf(AssumptionError);
    const despite = { option: 'despite', value: assumption };
    const remedies = remedy === null ? [despite] : [remedy, despite];
    expect(error).toMatchObject({ assumption, code: 'HUSTINGS_ASSUMPTION', remedies });
    expect(error.message).toMatch(new RegExp(`^${algorithm.name} assumes `));
    expect(() => new Run(algorithm, { ...options, despite: [assumption] })).not.toThrow();
  });

  test('a ring algorithm on another network, where its ports mean nothing, even with despite', () => {
    for (const despite of [[], ['network']]) {
      expect(refusal({ topology: 'star', despite })).toMatchObject({
        assumption: 'network',
        remedies: [{ option: 'topology', value: 'ring' }],
      });
    }
  });

  test('an algorithm that compares ids, where there are none: the error says why that is impossible', () => {
    for (const despite of [[], ['ids']]) {
      const error = refusal({ ids: 'anonymous', despite });
      expect(error).toMatchObject({ assumption: 'ids', code: 'HUSTINGS_ASSUMPTION' });
      expect(error.message).toContain('no deterministic algorithm can elect one of them (Angluin 1980)');
    }
  });

  test('initiators in synchronous rounds, in which every node starts', () => {
    const rounds = testAlgorithm({ assumes: { timing: 'synchronous' } });
    expect(refusal({ initiators: [0] }, rounds).message).toContain('every node starts');
  });
});
