import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLineOf } from '../../../src/model/setup/command-line.ts';
import { editAlgorithm, editOptions, editParameter } from '../../../src/model/setup/edit-setup.ts';
import { incompatibilityOf } from '../../../src/model/setup/incompatibility.ts';
import type { LabSetup } from '../../../src/model/setup/lab-setup.ts';
import { problemOf } from '../../../src/model/setup/parameters.ts';
import { sentenceOf, sentenceText } from '../../../src/model/setup/sentence.ts';
import { decodeLink } from '../../../src/model/setup/url-state.ts';
import { anySetup } from './setups.ts';

const read = (query: string): LabSetup => {
  const { problems, setup } = decodeLink(`#/run?${query}`);
  expect(problems).toEqual([]);
  return setup;
};

describe('the sentence', () => {
  it.each([
    [
      '',
      'Chang–Roberts on a one-way ring of 8, ids 3 4 6 5 7 2 1 8, all initiate, in lockstep, seed 1, default parameters, no faults.',
    ],
    [
      'algorithm=peterson&ids=8,4,7&initiators=0,2@3&schedule=random&seed=49&crash=1@2.5&despite=crash&until=50',
      'Peterson, unidirectional on a one-way ring of 3, ids 8 4 7, positions 0 and 2 at 3 initiate, random delays, seed 49, ' +
        'position 1 crashes at 2.5, despite crash, until 50.',
    ],
    [
      'algorithm=echo-election&topology=grid:8x4&order=ascending&initiators=random:3',
      'Echo election with extinction on an 8 × 4 grid, ids in ascending order, 3 random nodes initiate, in lockstep, seed 1, ' +
        'default parameters, no faults.',
    ],
    [
      'algorithm=bully&nodes=4&set=timeout=3&loss=0.1&loss-until=9&duplicate=0.05&partition=0-1/2-3@10..50&crash=0@2&recover=0@9',
      'Bully on a complete network of 4, ids 1 3 2 4, all initiate, in lockstep, seed 1, timeout 3, position 0 crashes at 2, ' +
        'position 0 recovers at 9, 10 % loss until 9, 5 % duplicates, a partition from 10 to 50.',
    ],
    [
      'algorithm=itai-rodeh&nodes=1000000&initiators=4',
      'Itai–Rodeh on a one-way ring of 1,000,000, without ids, position 4 initiates, in lockstep, seed 1, default parameters, no faults.',
    ],
    [
      'algorithm=bully&ids=2,9,4',
      'Bully on a complete network of 3, ids 2 9 4, all initiate, in lockstep, seed 1, default parameters, the coordinator has crashed.',
    ],
    [
      'algorithm=flood-max&nodes=5',
      'Flooding the maximum, with Dijkstra–Scholten on a random network with 10 links and 5 nodes, ids 4 5 2 1 3, all initiate, ' +
        'in lockstep, seed 1, no faults.',
    ],
  ])('of %s', (query, text) => expect(sentenceText(read(query))).toBe(text));

  it('exists for every setup', () => {
    fc.assert(
      fc.property(anySetup, (setup) => {
        const clauses = sentenceOf(setup);
        expect(clauses[0].name).toBe('algorithm');
        expect(clauses.every(({ text }) => text !== '')).toBe(true);
        expect(new Set(clauses.map(({ name }) => name)).size).toBe(clauses.length);
      }),
    );
  });
});

describe('a change of the sentence', () => {
  const change = (query: string, parameter: string, ...texts: string[]) =>
    editParameter(read(query), parameter, texts);

  it('of the number of nodes drops ids, networks and positions that no longer fit', () => {
    expect(change('ids=5,3,8&schedule=random', 'nodes', '4')).toEqual({
      type: 'changed',
      setup: { algorithm: 'chang-roberts', nodes: 4, schedule: 'random' },
    });
    expect(change('nodes=6&initiators=5', 'nodes', '3')).toMatchObject({ setup: { nodes: 3 } });
    expect(change('algorithm=flood-max&topology=grid:2x3', 'nodes', '4')).toEqual({
      type: 'changed',
      setup: { algorithm: 'flood-max', nodes: 4 },
    });
  });

  it('of the ids, of their order and of the network keeps the rest', () => {
    expect(change('nodes=4&seed=7', 'ids', '9,1,5')).toMatchObject({ setup: { ids: [9, 1, 5], seed: 7 } });
    expect(change('ids=9,1,5', 'order', 'ascending')).toEqual({
      type: 'changed',
      setup: { algorithm: 'chang-roberts', nodes: 3, order: 'ascending' },
    });
    expect(change('algorithm=flood-max&nodes=5', 'topology', 'torus:3x3')).toEqual({
      type: 'changed',
      setup: { algorithm: 'flood-max', topology: 'torus:3x3' },
    });
  });

  it('to nothing gives the default', () => {
    expect(change('seed=4', 'seed', '')).toEqual({ type: 'changed', setup: { algorithm: 'chang-roberts' } });
    expect(change('loss=0.5&loss-until=4', 'loss-until')).toMatchObject({ setup: { loss: 0.5 } });
  });

  it('to something wrong is refused with the reason', () => {
    expect(change('', 'nodes', '0')).toEqual({
      type: 'refused',
      text: 'nodes must be a whole number from 1 to 1,000,000, not 0',
    });
    expect(change('', 'crash', '9@1')).toMatchObject({
      type: 'refused',
      text: expect.stringContaining('not 9'),
    });
  });

  it('of the algorithm keeps what the new one can use', () => {
    const setup = read('nodes=5&schedule=random:nofifo&seed=3&set=extremum=min&topology=ring');
    expect(editAlgorithm(setup, 'peterson')).toEqual({
      algorithm: 'peterson',
      nodes: 5,
      topology: 'ring',
      seed: 3,
    });
    expect(editAlgorithm(setup, 'bully')).toEqual({ algorithm: 'bully', nodes: 5, seed: 3 });
  });

  it('gives a setup that can be resolved', () => {
    fc.assert(
      fc.property(anySetup, anySetup, (setup, other) => {
        const { algorithm, ...options } = other;
        expect(problemOf(editAlgorithm(setup, algorithm))).toBeNull();
        const [change] = Object.entries(options);
        const edit = editOptions(setup, change === undefined ? {} : { [change[0]]: change[1] });
        if (edit.type === 'changed') expect(problemOf(edit.setup)).toBeNull();
      }),
    );
  });
});

describe('an assumption that a setup violates', () => {
  it('is named with its remedies', () => {
    expect(incompatibilityOf(read('algorithm=peterson&schedule=random:nofifo'))).toMatchObject({
      assumption: 'fifo',
      remedies: expect.arrayContaining([{ option: 'despite', value: 'fifo' }]),
    });
    expect(incompatibilityOf(read('algorithm=peterson&schedule=random:nofifo&despite=fifo'))).toBeNull();
  });
});

describe('the command line of a setup', () => {
  it('is the one that simulates it', () => {
    const setup = read(
      'algorithm=peterson&ids=8,4,7&initiators=0,2&schedule=random&seed=49&crash=1@2.5&despite=crash',
    );
    expect(commandLineOf(setup)).toBe(
      'npx hustings simulate peterson --ids 8,4,7 --initiators 0,2 --schedule random --seed 49 --crash 1@2.5 --despite crash',
    );
    expect(commandLineOf(read(''))).toBe('npx hustings simulate chang-roberts');
  });
});
