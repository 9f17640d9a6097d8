import { expect, test } from 'vitest';
import { defineAlgorithm } from '../../../src/kernel/algorithm.ts';
import { ports } from '../../../src/kernel/field.ts';
import { message } from '../../../src/kernel/message.ts';
import { Run } from '../../../src/simulator/simulate.ts';

/** Each node records the ports on which it was greeted. */
const greeting = defineAlgorithm({
  name: 'greeting',
  title: 'Greeting',
  source: 'none',
  cost: '2m',
  assumes: {
    network: 'connected',
    timing: 'asynchronous',
    ids: 'unique',
    fifo: false,
    faults: ['crash', 'recover'],
  },
  params: {},
  state: { greeted: ports(), kept: ports({ durable: true }) },
  messages: { hello: message() },
  onStart(_state, ctx) {
    for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'hello');
  },
  on: {
    hello(state, port) {
      state.greeted.push(port);
      state.kept.push(port);
    },
  },
  laws: [],
});

function greetedBy(options: object): { greeted: unknown; kept: unknown }[] {
  const run = new Run(greeting, { topology: 'line', nodes: 3, ...options });
  while (!run.advance());
  return run.simulation.machine.views().map(({ greeted, kept }) => ({ greeted, kept }));
}

test('a list of ports starts empty and belongs to one node and one field', () => {
  expect(greetedBy({ initiators: [0, 2] })).toEqual([
    { greeted: [], kept: [] },
    { greeted: [0, 1], kept: [0, 1] },
    { greeted: [], kept: [] },
  ]);
});

test('a crash clears it, unless it is durable', () => {
  expect(greetedBy({ initiators: [1], crash: [{ position: 2, time: 3 }] })).toEqual([
    { greeted: [0], kept: [0] },
    { greeted: [], kept: [] },
    { greeted: [], kept: [0] },
  ]);
});
