/** An interrupt ends a search soon, also where it has found a violation. */
import { describe, expect, it } from 'vitest';
import { type CheckOptions, check, checkInSlices, planCheck } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, counter, defineAlgorithm, message } from '../../../src/kernel/index.ts';

interface Verbs {
  readonly id: number;
  decide(role: 'leader' | 'follower', leader?: number, term?: number): void;
}

/** Every node sends a message to all others. `receive` is what a node does with the k-th one. */
function flooding(receive: (k: number, ctx: Verbs) => void): AnyAlgorithm {
  return defineAlgorithm({
    name: 'flooding',
    title: 'Flooding',
    source: 'a test',
    cost: '-',
    params: {},
    laws: [],
    assumes: { network: 'complete', timing: 'asynchronous', ids: 'unique', fifo: true },
    state: { messages: counter(9) },
    messages: { m: message() },
    onStart(_state, ctx) {
      for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'm');
    },
    on: {
      m(state, _port, _message, ctx) {
        state.messages++;
        receive(state.messages, ctx as Verbs);
      },
    },
  });
}

describe('an interrupt', () => {
  const options: CheckOptions = { nodes: 5, starts: 'first', reduce: 'none' };
  let isViolated = false;
  /** Node 1 changes its decision when it has a message of every other node. */
  const fickle = flooding((k, ctx) => {
    if (k < 4 || ctx.id !== 1) return;
    isViolated = true;
    ctx.decide('leader', undefined, 1);
    ctx.decide('follower', 2, 1);
  });
  const whole = check(fickle, options);

  it('ends a search in the level of a violation, which is reported', () => {
    isViolated = false;
    const result = check(fickle, { ...options, isInterrupted: () => isViolated });
    expect(result).toMatchObject({ stopped: 'interrupt', complete: false });
    expect(result.transitions).toBeLessThan(0.9 * whole.transitions);
    expect(result.violations[0]).toMatchObject({ property: 'agreement', text: whole.violations[0].text });
    expect(result.violations[0].steps).toHaveLength(whole.violations[0].steps.length);
  });

  it('ends the search for a counterexample with few context switches: another one is reported, which is as short', () => {
    let isSearched = false;
    let slices = 0;
    const result = check(fickle, {
      ...options,
      onSearched: () => {
        isSearched = true;
      },
      isInterrupted: () => isSearched && ++slices > 0,
    });
    expect(slices).toBe(1);
    expect(result.stopped).toBeNull();
    expect(result.violations[0].steps).toHaveLength(whole.violations[0].steps.length);
  });

  it('is seen after few states, because each may have thousands of successors', () => {
    let states = 0;
    const isInterrupted = (): boolean => ++states < 0;
    const slices = checkInSlices(planCheck(fickle, { ...options, isInterrupted }));
    for (let slice = 0; slice < 20; slice++) {
      states = 0;
      expect(slices.next().done).toBe(false);
      expect(states).toBeLessThan(50);
    }
  });
});
