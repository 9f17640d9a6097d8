/** Timers between two units of time: a search that counts units refuses them. */
import { expect, it } from 'vitest';
import { check } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, defineAlgorithm, type TimingModel } from '../../../src/kernel/index.ts';

/** The timer is stopped before two units have passed, unless it fires before, and then two nodes lead. */
function halfway(timing: TimingModel, units: number): AnyAlgorithm {
  return defineAlgorithm({
    name: 'halfway',
    title: 'Halfway',
    source: 'none',
    cost: 'none',
    params: {},
    laws: [],
    assumes: { network: 'one-way ring', timing, ids: 'unique', fifo: true },
    state: {},
    messages: {},
    timers: ['early', 'late'],
    onStart(_state, ctx) {
      ctx.setTimer('early', units);
      ctx.setTimer('late', 2);
    },
    onTimer(_state, timer, ctx) {
      if (timer === 'early') ctx.decide('leader');
      else {
        ctx.clearTimer('early');
        ctx.decide(ctx.id === 1 ? 'leader' : 'follower', 1);
      }
    },
    on: {},
  });
}

it.each(['synchronous', 'bounded-delay'] as const)(
  'a %s search takes timers of whole units alone',
  (timing) => {
    expect(() => check(halfway(timing, 1.5), { ids: [1, 2] })).toThrow(
      "timer 'early' of halfway must be set to whole units in a search, not 1.5",
    );
    expect(check(halfway(timing, 1), { ids: [1, 2] }).violations).not.toEqual([]);
  },
);

it('an asynchronous search takes all, because its timers fire at any time', () => {
  expect(check(halfway('asynchronous', 1.5), { ids: [1, 2] }).violations).not.toEqual([]);
});
