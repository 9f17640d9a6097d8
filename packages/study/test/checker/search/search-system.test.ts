import { describe, expect, it } from 'vitest';
import { type System, searchSystem } from '../../../src/checker/index.ts';

/** Two processes and a lock: each looks at it, takes it if it was free, and gives it back. */
function lock(isAtomic: boolean): System {
  const [IDLE, SAW_FREE, INSIDE] = [0, 1, 2];
  return {
    width: 3,
    initials: () => [{ state: Uint16Array.of(IDLE, IDLE, 0), violation: null }],
    expand: (state, next, visit) => {
      for (const who of [0, 1]) {
        const go = (phase: number, taken: number): void => {
          next.set(state);
          next[who] = phase;
          next[2] = taken;
          visit(who, null);
        };
        if (state[who] === IDLE && state[2] === 0) isAtomic ? go(INSIDE, 1) : go(SAW_FREE, 0);
        if (state[who] === SAW_FREE) go(INSIDE, 1);
        if (state[who] === INSIDE) go(IDLE, 0);
      }
    },
    isOptional: () => false,
    actor: (step) => step,
    exceedsBound: () => false,
    inspect: (state) =>
      state[0] === INSIDE && state[1] === INSIDE ? { property: 'exclusion', text: 'both are inside' } : null,
    judgeEnd: () => null,
    describe: (state, step) => `${step} goes on from ${state[step]}`,
    mustTerminate: false,
  };
}

describe('searchSystem', () => {
  it('finds no violation of a lock that is taken in one step, and is complete', () => {
    const { states, transitions, violation, complete } = searchSystem(lock(true));
    expect({ states, transitions, violation, complete }).toEqual({
      states: 3,
      transitions: 4,
      violation: null,
      complete: true,
    });
  });

  it('reports a shortest run to the violation', () => {
    const { violation, complete } = searchSystem(lock(false));
    expect(violation).toEqual({
      property: 'exclusion',
      text: 'both are inside',
      steps: ['1 goes on from 0', '0 goes on from 0', '0 goes on from 1', '1 goes on from 1'],
    });
    expect(complete).toBe(false);
  });

  it('is incomplete after it reached its limit', () => {
    expect(searchSystem(lock(true), { states: 1 }).complete).toBe(false);
  });
});
