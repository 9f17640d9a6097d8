/** Traces with the state of a node after each of its events. */
import { describe, expect, test } from 'vitest';
import { changRoberts } from '../../src/algorithms/index.ts';
import { counter, flag, ids, message } from '../../src/kernel/index.ts';
import { simulate, type TraceEvent } from '../../src/simulator/index.ts';
import { type Ctx, eventsOf, testAlgorithm, traceOf } from './test-algorithm.ts';

/** Identical nodes: each counts the messages it receives, and forwards the first. */
const alike = testAlgorithm({
  assumes: { network: 'one-way ring', ids: 'anonymous' },
  state: { heard: counter(9), kept: flag({ durable: true }), path: ids() },
  messages: { hello: message() },
  onStart: (_state, ctx) => ctx.send(1, 'hello'),
  on: {
    hello: (state, _port, _message, ctx: Ctx) => {
      state.heard++;
      state.kept = true;
      state.path.push(state.heard);
      if (state.heard < 2) ctx.send(1, 'hello');
    },
  },
});

describe('a trace with states', () => {
  test('has the initial states first, then one after each event, before the messages it sent', () => {
    expect(traceOf(alike, { nodes: 2, initiators: [0], states: true })).toEqual([
      '0.000 state 0 heard=0 kept=false path=[]',
      '0.000 state 1 heard=0 kept=false path=[]',
      '0.000 start 0',
      '0.000 state 0 heard=0 kept=false path=[]',
      '0.000 send 0 > 1 hello',
      '1.000 deliver 0 > 1 hello',
      '1.000 state 1 heard=1 kept=true path=[1]',
      '1.000 send 1 > 0 hello',
      '2.000 deliver 1 > 0 hello',
      '2.000 state 0 heard=1 kept=true path=[1]',
      '2.000 send 0 > 1 hello',
      '3.000 deliver 0 > 1 hello',
      '3.000 state 1 heard=2 kept=true path=[1,2]',
    ]);
  });

  test('shows nodes that start equal and stay equal, in lockstep', () => {
    const states = eventsOf(alike, { nodes: 3, states: true }).filter((event) => event.type === 'state');
    for (const time of [0, 1, 2]) {
      const seen = new Set(
        states.filter((event) => event.time === time).map(({ state }) => JSON.stringify(state)),
      );
      expect(seen.size).toBe(1);
    }
  });

  test('shows the state that a crash leaves', () => {
    const crash = [{ position: 1, time: 1.5 }];
    expect(traceOf(alike, { nodes: 2, initiators: [0], crash, states: true })).toContain(
      '1.500 state 1 heard=0 kept=true path=[]',
    );
  });

  test('has independent values: later events do not change recorded states', () => {
    const states = eventsOf(alike, { nodes: 2, states: true }).filter((event) => event.type === 'state');
    expect(states[0].state.path).toEqual([]);
  });

  test('is the same run as without states', () => {
    const options = { nodes: 8, schedule: 'random', seed: 3 } as const;
    const events: TraceEvent[] = [];
    const told = simulate(changRoberts, { ...options, states: true, observe: (event) => events.push(event) });
    expect(told).toEqual(simulate(changRoberts, options));
    expect(events.filter(({ type }) => type !== 'state')).toEqual(eventsOf(changRoberts, options));
  });
});
