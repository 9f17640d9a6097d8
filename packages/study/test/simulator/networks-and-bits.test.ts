import { describe, expect, it } from 'vitest';
import { bully, changRoberts, echoElection } from '../../src/algorithms/index.ts';
import { counter, defineAlgorithm, message } from '../../src/kernel/index.ts';
import { Run, simulate } from '../../src/simulator/index.ts';

describe('a complete network has its ports in id order, whatever its name', () => {
  const orders = [
    [3, 1, 2],
    [3, 2, 1],
    [1, 3, 2],
  ];
  it.each(orders)('three nodes with ids %i %i %i: as a ring, as random:3, as complete', (...ids) => {
    const asComplete = simulate(bully, { ids });
    for (const topology of ['ring', 'random:3']) {
      const { messages, leader, valid } = simulate(bully, { ids, topology });
      expect({ messages, leader, valid }).toEqual({
        messages: asComplete.messages,
        leader: asComplete.leader,
        valid: asComplete.valid,
      });
    }
  });
});

describe('a field name that two message types share', () => {
  const twoSizes = defineAlgorithm({
    name: 'two-sizes',
    title: 'Two sizes',
    source: 'none',
    cost: 'n',
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
    params: {},
    state: {},
    messages: { small: message(['k', counter(3)]), large: message(['k', counter(1000)]) },
    laws: [],
    onStart(_state, ctx) {
      ctx.send(1, 'small', 3);
      ctx.send(1, 'large', 1000);
    },
    on: {
      small(_state, _port, { k }, ctx) {
        if (k === 3) ctx.decide('leader');
      },
      large() {},
    },
  });

  it('has the limit and the bits of each type: 1 + 2 for 0..3, 1 + 10 for 0..1000', () => {
    expect(simulate(twoSizes, { nodes: 1 })).toMatchObject({ bits: 3 + 11, messages: { total: 2 } });
  });
});

describe('an initiator that a message reached first', () => {
  it('does not count as an initiator', () => {
    const run = new Run(changRoberts, {
      nodes: 5,
      order: 'ascending',
      initiators: [0, { position: 3, time: 4 }],
    });
    while (!run.advance());
    expect(run.outcome()).toMatchObject({ leader: { id: 1 }, initiators: { count: 1, positions: [0] } });
    expect(run.facts().k).toBe(1);
  });
});

describe('a round with many messages', () => {
  it('can be interrupted in the middle and continued', () => {
    const options = { nodes: 40, topology: 'complete', seed: 3 };
    const whole = simulate(echoElection, options);
    const run = new Run(echoElection, options);
    let steps = 0;
    while (!run.advance(7)) steps++;
    expect(run.outcome()).toEqual(whole);
    expect(steps).toBeGreaterThan(whole.messages.total / 8);
  });
});

describe('a field that is not declared', () => {
  it('cannot be written, because all nodes would share it', () => {
    const careless = {
      ...changRoberts,
      onStart(state: object): undefined {
        (state as { count: number }).count = 1;
      },
    };
    expect(() => simulate(careless as never, { nodes: 2 })).toThrow(/the state has no field 'count'/);
  });
});
