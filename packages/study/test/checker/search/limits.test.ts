import { describe, expect, it } from 'vitest';
import { changRoberts, dolevKlaweRodeh, leLann, peterson } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, counter, defineAlgorithm, flag, message } from '../../../src/kernel/index.ts';

const about = { title: 'Specimen', source: 'none', cost: 'none', params: {}, laws: [] };
const model = { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true } as const;

/** Counts rounds without end, unless it draws well. */
const counting: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'counting',
  assumes: model,
  state: { round: counter(1_000), tired: flag() },
  messages: { token: message() },
  onStart(_state, ctx) {
    ctx.send(1, 'token');
  },
  on: {
    token(state, _port, _message, ctx) {
      if (ctx.random(2) === 1) {
        ctx.decide('leader');
        return;
      }
      state.round++;
      ctx.send(1, 'token');
    },
  },
});

describe('a bound', () => {
  it('is not exceeded by expanded states, and leaves the result incomplete', () => {
    const result = check(counting, { ids: [1], bound: { round: 3 } });
    // Asleep, a token in each of the rounds 0 to 4, and an end in each of 0 to 3.
    expect(result).toMatchObject({
      states: 1 + 5 + 4,
      cut: 1,
      complete: false,
      stopped: null,
      violations: [],
    });
  });

  it('that no state exceeds leaves the result complete', () => {
    const result = check(changRoberts, { nodes: 3, bound: {} });
    expect(result).toMatchObject({ complete: true, cut: 0 });
  });

  it.each([
    ['of a field that is none', { rounds: 3 }, /has no counter 'rounds' to bound: it has round/],
    ['of a flag', { tired: 1 }, /has no counter 'tired' to bound/],
    ['that is no number', { round: -1 }, /the bound of round must be a whole number from 0, not -1/],
  ])('%s is refused', (_what, bound, message) => {
    expect(() => check(counting, { ids: [1], bound })).toThrow(message);
  });
});

describe('a limit', () => {
  it('of states applies to all orders together, and the result says what was covered', () => {
    const result = check(peterson, { nodes: 5, orders: 'all', stateLimit: 5_000 });
    expect(result).toMatchObject({ complete: false, stopped: 'states', violations: [] });
    expect(result.cut).toBeGreaterThan(0);
    expect(result.instances.searched).toBeLessThan(result.instances.all);
    expect(result.instances.searched).toBeGreaterThan(0);
  });

  it('of memory stops the search too', () => {
    const result = check(dolevKlaweRodeh, { nodes: 10, reduce: 'none', memoryLimit: 4_000_000 });
    expect(result).toMatchObject({ complete: false, stopped: 'memory' });
  });

  it('of interned states stops the search too: a counter that grows without a bound', () => {
    const result = check(growing, { ids: [1] });
    expect(result).toMatchObject({ complete: false, stopped: 'numbers', violations: [] });
    expect(result.states).toBeGreaterThan(60_000);
  });

  it('does not stop a level with a counterexample, so that no run to a violation is shorter', () => {
    const options = { nodes: 2, order: 'ascending', fifo: false, reduce: 'none' } as const;
    const [shortest] = check(leLann, options).violations;
    expect(shortest).toMatchObject({ property: 'uniqueness' });
    for (let stateLimit = 1; stateLimit <= 40; stateLimit++) {
      const { stopped, violations } = check(leLann, { ...options, stateLimit });
      if (stopped === null) expect(violations[0].steps).toHaveLength(shortest.steps.length);
    }
  });

  it('that is invalid is refused', () => {
    expect(() => check(peterson, { nodes: 3, memoryLimit: 0 })).toThrow(/memoryLimit must be a whole number/);
  });
});

describe('a search with fingerprints', () => {
  const ids = [3, 2, 1, 8, 7, 6, 5, 4];

  it('finds the same number of states, and says that it is not exact', () => {
    const result = check(dolevKlaweRodeh, { ids, starts: 'first', reduce: 'none', fingerprints: true });
    expect(result).toMatchObject({ states: 7_121, transitions: 31_287, exact: false, complete: true });
  });

  it('finds the same violation as an exact search, with a run of the same length', () => {
    const options = { nodes: 4, orders: 'all', fifo: false } as const;
    const exact = check(peterson, options);
    const { violations } = check(peterson, { ...options, fingerprints: true });
    expect(violations[0].property).toBe(exact.violations[0].property);
    expect(violations[0].steps).toHaveLength(exact.violations[0].steps.length);
  });

  it('does not claim termination if the graph may have cycles', () => {
    const result = check(endless, { ids: [1], fingerprints: true });
    expect(result).toMatchObject({ complete: false, termination: 'unchecked', violations: [] });
    expect(check(endless, { ids: [1] }).violations[0]).toMatchObject({ property: 'termination' });
  });
});

const endless: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'endless',
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

const growing: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'growing',
  assumes: model,
  state: { count: counter(1_000_000) },
  messages: { token: message() },
  onStart(_state, ctx) {
    ctx.send(1, 'token');
  },
  on: {
    token(state, _port, _message, ctx) {
      state.count++;
      ctx.forward(1);
    },
  },
});
