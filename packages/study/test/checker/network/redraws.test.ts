import { describe, expect, it } from 'vitest';
import { check, probabilities } from '../../../src/checker/index.ts';
import { counter, defineAlgorithm, message } from '../../../src/kernel/index.ts';
import { simulate } from '../../../src/simulator/index.ts';

/** Node 0 starts, draws a number, and leads; its message makes the other follow. */
function drawing(draw: (random: (k: number) => number) => number) {
  return defineAlgorithm({
    name: 'drawing',
    title: 'Drawing',
    source: 'a test',
    cost: '1',
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'anonymous', fifo: true },
    params: {},
    state: { drawn: counter(6) },
    messages: { done: message() },
    onStart(state, ctx) {
      state.drawn = draw((k) => ctx.random(k));
      ctx.decide('leader');
      ctx.send(1, 'done');
    },
    on: {
      done(_state, _port, _message, ctx) {
        if (!ctx.initiator) ctx.decide('follower');
      },
    },
    laws: [],
  });
}

const untilSmall = (random: (k: number) => number): number => {
  for (;;) {
    const drawn = random(6);
    if (drawn < 6) return drawn;
  }
};

const options = { nodes: 2, initiators: [0] } as const;

describe('a handler that draws until it likes the result', () => {
  const endless = drawing(untilSmall);
  const refusal = /cannot be searched: one call drew 64 numbers; draw once from the numbers that it accepts/;

  it('is refused by the checker, which could never end', () => {
    expect(() => check(endless, options)).toThrow(refusal);
  });

  it('is refused by exact probabilities', () => {
    expect(() => probabilities(endless, options)).toThrow(refusal);
  });

  it('is simulated', () => {
    expect(simulate(endless, options).leader).toEqual({ id: null, position: 0 });
  });
});

it('a handler that draws several times is searched over all sequences', () => {
  const twice = drawing((random) => (random(2) === 1 ? random(3) : random(6)));
  const { complete, states } = check(twice, options);
  expect(complete).toBe(true);
  expect(states).toBe(
    check(
      drawing((random) => random(6)),
      options,
    ).states,
  );
});
