import { describe, expect, it } from 'vitest';
import { check, replay } from '../../../src/checker/index.ts';
import {
  type AnyAlgorithm,
  announcement,
  defineAlgorithm,
  flag,
  id,
  message,
} from '../../../src/kernel/index.ts';

const about = { title: 'Specimen', source: 'none', cost: 'none', params: {}, laws: [] };

/** The smallest id speaks first: its number is the time at which it does. */
const slots: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'slots',
  assumes: { network: 'one-way ring', timing: 'synchronous', ids: 'unique', fifo: true, knows: ['n'] },
  state: { quiet: flag() },
  messages: { elected: announcement(['id', id()]) },
  timers: ['turn'],
  onStart(_state, ctx) {
    ctx.setTimer('turn', ctx.n * ctx.id);
  },
  onTimer(state, _timer, ctx) {
    if (state.quiet) return;
    ctx.decide('leader');
    ctx.send(1, 'elected', ctx.id);
  },
  on: {
    elected(state, _port, { id }, ctx) {
      if (id === ctx.id) return;
      state.quiet = true;
      ctx.decide('follower', id);
      ctx.forward(1);
    },
  },
});

/** Leads if the clock is even when its token comes home. */
const clockwork: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'clockwork',
  assumes: { network: 'one-way ring', timing: 'synchronous', ids: 'unique', fifo: true, knows: ['time'] },
  state: {},
  messages: { token: message(['id', id()]) },
  onStart(_state, ctx) {
    if (ctx.id === 1) ctx.send(1, 'token', 1);
  },
  on: {
    token(_state, _port, { id }, ctx) {
      if (id !== ctx.id) {
        ctx.decide('follower', 1);
        ctx.forward(1);
      } else if (ctx.now % 2 === 0) ctx.decide('leader');
    },
  },
});

/** Draws until one draws 2 and the other 1. */
const coins: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'coins',
  assumes: { network: 'one-way ring', timing: 'synchronous', ids: 'anonymous', fifo: true },
  state: { two: flag() },
  messages: { coin: message(['two', flag()]) },
  onStart(state, ctx) {
    state.two = ctx.random(2) === 2;
    ctx.send(1, 'coin', state.two);
  },
  on: {
    coin(state, _port, { two }, ctx) {
      if (two !== state.two) {
        ctx.decide(state.two ? 'leader' : 'follower');
        return;
      }
      state.two = ctx.random(2) === 2;
      ctx.send(1, 'coin', state.two);
    },
  },
});

describe('in synchronous rounds', () => {
  it('a step is a whole round, and timers come after the messages of their time', () => {
    const result = check(slots, { ids: [3, 1, 2] });
    // Rounds 1 to 6: at 3 node 1 speaks, at 6 it has its word back and node 2 would have spoken; 9 is the last timer.
    expect(result).toMatchObject({ states: 10, transitions: 9, terminal: 1, complete: true, violations: [] });
  });

  it('nodes know the time', () => {
    expect(check(clockwork, { ids: [1, 2] })).toMatchObject({ complete: true, violations: [] });
    const { violations } = check(clockwork, { ids: [1, 2, 3] });
    expect(violations[0]).toMatchObject({ property: 'termination', steps: ['round', 'round', 'round'] });
  });

  it('a run is replayed round by round', () => {
    const { events, violation } = replay(clockwork, {
      ids: [1, 2, 3],
      initiators: [0, 1, 2],
      steps: ['round', 'round', 'round'],
    });
    expect(events[1].map(({ type }) => type)).toEqual(['deliver', 'send', 'decide']);
    expect(violation).toMatchObject({ property: 'termination' });
  });

  it('all outcomes of random draws are explored, also of nodes that start together', () => {
    const result = check(coins, { nodes: 2 });
    expect(result.violations).toEqual([]);
    expect(result.terminal).toBe(2);
  });

  it.each([
    ['other starts', { starts: 'free' }, /starts must be together, not free/],
    ['a set of initiators', { initiators: [0] }, /every node starts/],
  ] as const)('%s are refused', (_what, options, message) => {
    expect(() => check(slots, { ids: [3, 1, 2], ...options })).toThrow(message);
  });
});
