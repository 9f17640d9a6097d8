import { describe, expect, it } from 'vitest';
import { check } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, defineAlgorithm, flag, message } from '../../../src/kernel/index.ts';

const model = { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true } as const;
const about = { title: 'Specimen', source: 'none', cost: 'none', params: {}, laws: [] };

/** Two nodes exchange a token forever. */
const pingPong: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'ping-pong',
  assumes: model,
  state: {},
  messages: { token: message() },
  onStart(_state, ctx) {
    ctx.send(1, 'token');
  },
  on: {
    token(_state, _port, _message, ctx) {
      ctx.forward(1);
    },
  },
});

/** Goes wrong on one way to a state and not on the other, though both ways then go on alike. */
const joined: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'joined',
  assumes: model,
  state: { greeted: flag() },
  messages: { hello: message() },
  onStart(state, ctx) {
    if (!state.greeted) ctx.send(1, 'hello');
    if (ctx.id === 2) ctx.decide('leader');
  },
  on: {
    hello(state, _port, _message, ctx) {
      state.greeted = true;
      if (ctx.id === 1) ctx.decide('follower', 2);
    },
  },
});

/** Draws, and then cycles forever whatever it drew. */
const lost: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'lost',
  assumes: model,
  state: { red: flag() },
  messages: { again: message() },
  onStart(state, ctx) {
    state.red = ctx.random(2) === 1;
    ctx.send(1, 'again');
  },
  on: {
    again(_state, _port, _message, ctx) {
      ctx.forward(1);
    },
  },
});

/** Draws until it is done: it need not end, but it always can. */
const drawing: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'drawing',
  assumes: model,
  state: {},
  messages: { again: message() },
  onStart(_state, ctx) {
    ctx.send(1, 'again');
  },
  on: {
    again(_state, _port, _message, ctx) {
      if (ctx.random(2) === 1) ctx.forward(1);
      else ctx.decide('leader');
    },
  },
});

describe('runs that never end', () => {
  it('a token that is passed without end is a livelock', () => {
    const { violations } = check(pingPong, { ids: [1, 2], initiators: [0] });
    expect(violations[0]).toMatchObject({ property: 'termination', text: 'a fair run never ends' });
  });

  it('a violation on one branch of a join is found, regardless of the order of branches', () => {
    const { violations } = check(joined, { ids: [1, 2] });
    expect(violations[0]).toMatchObject({ property: 'termination' });
  });

  it('a randomized algorithm may have cycles if a terminal state stays reachable', () => {
    const result = check(drawing, { ids: [1] });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  it('and a state from which none is reachable is found', () => {
    const { violations } = check(lost, { ids: [1] });
    expect(violations[0]).toMatchObject({ property: 'termination', text: 'from here no run ends' });
  });
});
