import { describe, expect, it } from 'vitest';
import { check } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, counter, defineAlgorithm, flag, message } from '../../../src/kernel/index.ts';

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

/** Draws until it is done. */
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

/**
 * Two tokens go round, and a node that receives the same one twice in a row keeps it. A schedule that alternates them is
 * weakly fair and never ends. With `draws` each step makes a random draw that it does not use.
 */
const chase = (draws: boolean): AnyAlgorithm =>
  defineAlgorithm({
    ...about,
    name: draws ? 'idle-draw' : 'chase',
    assumes: { ...model, fifo: false },
    state: { last: counter(2) },
    messages: { token: message(['colour', counter(2)]) },
    onStart(_state, ctx) {
      ctx.decide('follower', 2);
      ctx.send(1, 'token', 1);
      ctx.send(1, 'token', 2);
    },
    on: {
      token(state, _port, { colour }, ctx) {
        if (draws) ctx.random(2);
        if (state.last === 0 && ctx.id === 2) ctx.decide('leader');
        if (state.last !== colour) ctx.forward(1);
        state.last = colour;
      },
    },
  });

/** A beat goes round, and only a timer ends the election. With `restarts` every beat restarts the timer. */
const watchdog = (restarts: boolean, timing: 'asynchronous' | 'bounded-delay'): AnyAlgorithm =>
  defineAlgorithm({
    ...about,
    name: 'watchdog',
    assumes: { ...model, timing },
    state: { done: flag() },
    timers: ['silence'],
    messages: { beat: message() },
    onStart(_state, ctx) {
      ctx.send(1, 'beat');
      ctx.setTimer('silence', 3);
    },
    on: {
      beat(state, _port, _message, ctx) {
        if (state.done) return;
        if (restarts) ctx.setTimer('silence', 3);
        ctx.forward(1);
      },
    },
    onTimer(state, _timer, ctx) {
      state.done = true;
      ctx.decide('leader');
    },
  });

describe('a timer that a beat restarts', () => {
  it.each(['auto', 'none'] as const)('may never fire: that is a livelock, reduce %s', (reduce) => {
    const { termination, violations } = check(watchdog(true, 'asynchronous'), { ids: [1], reduce });
    expect(termination).toBe('violated');
    expect(violations).toMatchObject([{ property: 'termination', text: 'a fair schedule never ends' }]);
  });

  it.each(['auto', 'none'] as const)('must fire in the end if nothing restarts it, reduce %s', (reduce) => {
    const result = check(watchdog(false, 'asynchronous'), { ids: [1], reduce });
    expect(result).toMatchObject({ complete: true, termination: 'sure', violations: [] });
  });

  it('never fires either where delays are bounded and the beat is faster', () => {
    expect(check(watchdog(true, 'bounded-delay'), { ids: [1] }).termination).toBe('violated');
    expect(check(watchdog(false, 'bounded-delay'), { ids: [1] }).termination).toBe('sure');
  });
});

describe('an algorithm that is declared non-terminating', () => {
  it('may have a livelock', () => {
    const result = check({ ...pingPong, horizon: () => 10 }, { ids: [1, 2], initiators: [0] });
    expect(result).toMatchObject({ complete: true, termination: 'unchecked', violations: [] });
  });

  it('may have no deadlock', () => {
    const silent = { ...pingPong, onStart: () => {}, horizon: () => 10 } as AnyAlgorithm;
    const { termination, violations } = check(silent, { ids: [1, 2] });
    expect(termination).toBe('violated');
    expect(violations).toMatchObject([{ property: 'termination', text: 'no node has decided' }]);
  });
});

describe('runs that never end', () => {
  it.each([false, true])('an alternating schedule is a livelock, with unused draws: %s', (draws) => {
    const { violations } = check(chase(draws), { ids: [1, 2], initiators: [0] });
    expect(violations).toMatchObject([{ property: 'termination', text: 'a fair schedule never ends' }]);
  });

  it('a token that is passed without end is a livelock', () => {
    const { violations } = check(pingPong, { ids: [1, 2], initiators: [0] });
    expect(violations[0]).toMatchObject({ property: 'termination', text: 'a fair schedule never ends' });
  });

  it('a violation on one branch of a join is found, regardless of the order of branches', () => {
    const { violations } = check(joined, { ids: [1, 2] });
    expect(violations[0]).toMatchObject({ property: 'termination' });
  });

  it('draws that end every run with probability 1 are almost-sure termination', () => {
    const result = check(drawing, { ids: [1] });
    expect(result).toMatchObject({ complete: true, termination: 'almost-sure', violations: [] });
  });

  it('a state from which no terminal state is reachable is a livelock', () => {
    const { termination, violations } = check(lost, { ids: [1] });
    expect(termination).toBe('violated');
    expect(violations[0]).toMatchObject({ property: 'termination', text: 'a fair schedule never ends' });
  });
});
