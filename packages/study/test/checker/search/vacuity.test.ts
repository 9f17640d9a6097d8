/** Properties that hold because nobody is elected. */
import { describe, expect, it } from 'vitest';
import { check } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, counter, defineAlgorithm, message } from '../../../src/kernel/index.ts';

/** With a horizon: no run need end. If `elects`, node 1 leads when its timer has fired three times. */
function ticking(elects: boolean): AnyAlgorithm {
  return defineAlgorithm({
    name: 'ticking',
    title: 'Ticking',
    source: 'a test',
    cost: '-',
    params: {},
    laws: [],
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
    horizon: () => 100,
    timers: ['tick'],
    state: { ticks: counter(4), elected: counter(1) },
    messages: { elected: message() },
    onStart(_state, ctx) {
      ctx.setTimer('tick', 1);
    },
    onTimer(state, _timer, ctx) {
      state.ticks = (state.ticks + 1) % 4;
      if (elects && ctx.id === 1 && state.ticks === 3 && state.elected === 0) {
        state.elected = 1;
        ctx.decide('leader', undefined, 0);
        ctx.send(1, 'elected');
      }
      ctx.setTimer('tick', 1);
    },
    on: {
      elected(_state, _port, _message, ctx) {
        ctx.decide('follower', 1, 0);
      },
    },
  });
}

describe('a search without a violation says whether anybody is elected', () => {
  const options = { ids: [1, 2] };

  it.each(['auto', 'none'] as const)('with reduction %s', (reduce) => {
    expect(check(ticking(true), { ...options, reduce })).toMatchObject({ complete: true, vacuous: false });
    expect(check(ticking(false), { ...options, reduce })).toMatchObject({ complete: true, vacuous: true });
  });

  it('in all of its instances', () => {
    const result = check(ticking(false), { nodes: 3, orders: 'all', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, vacuous: true });
  });

  it('within bounds', () => {
    for (const [ticks, vacuous] of [
      [1, true],
      [3, false],
    ] as const) {
      expect(check(ticking(true), { ...options, bound: { ticks } })).toMatchObject({ vacuous });
    }
  });

  it('and says nothing if it was stopped, or keeps no states', () => {
    expect(check(ticking(false), { ...options, stateLimit: 3 })).toMatchObject({
      stopped: 'states',
      vacuous: false,
    });
    expect(check(ticking(false), { ...options, fingerprints: true })).toMatchObject({ vacuous: false });
  });
});
