/** The searches that algorithms define, and the parameters that a search makes small. */
import { describe, expect, it } from 'vitest';
import { twins } from '../../src/algorithms/broken/twins.ts';
import { raft, registry } from '../../src/algorithms/index.ts';
import {
  check,
  counterexampleOf,
  isReproduced,
  planCheck,
  replayCounterexample,
  stateGraph,
} from '../../src/checker/index.ts';
import {
  type AnyAlgorithm,
  announcement,
  defineAlgorithm,
  id,
  integer,
  type TimingModel,
} from '../../src/kernel/index.ts';

const plain = { heartbeats: 2, prevote: false, checkQuorum: false, lease: false };

describe('a check without options', () => {
  it.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))(
    '%s: ends with a verdict',
    (_name, algorithm) => {
      const { cut, preset, stopped, violations } = check(algorithm, { stateLimit: 1_000_000 });
      expect(stopped).toBeNull();
      expect(violations.map(({ property }) => property)).toEqual(
        algorithm.assumes.mayErr === true ? ['uniqueness'] : [],
      );
      expect(cut === 0 || preset !== null).toBe(true);
    },
  );

  it('of Raft takes the first of its presets, and says what is switched off', () => {
    const { leastParams, preset, setup } = planCheck(raft);
    expect(preset).toEqual({ name: 'election', off: 'pre-vote, check quorum and lease off' });
    expect(leastParams).toEqual(['timeout', 'spread']);
    expect(setup.params).toMatchObject({ timeout: 1, spread: 0, prevote: false });
  });

  it('has no preset if an option says what to search, or if none is wanted', () => {
    for (const options of [{ nodes: 2 }, { set: plain }, { bound: { term: 1 } }, { preset: 'none' }]) {
      expect(planCheck(raft, options).preset).toBeNull();
    }
    expect(planCheck(raft, { stateLimit: 10, seed: 2 }).preset?.name).toBe('election');
    expect(planCheck(raft, { preset: 'none' }).setup.nodes).toBe(4);
  });
});

describe('a preset by name', () => {
  it('has on all that a cluster runs with', () => {
    const { preset, setup } = planCheck(raft, { preset: 'cluster' });
    expect(preset).toEqual({ name: 'cluster', off: null });
    expect(setup.params).toMatchObject({ prevote: true, checkQuorum: true, lease: true });
  });

  it('is overridden by options, parameter by parameter and bound by bound', () => {
    const { options, setup } = planCheck(raft, {
      preset: 'terms',
      nodes: 2,
      set: { lease: true },
      bound: { round: 3 },
    });
    expect(setup.nodes).toBe(2);
    expect(setup.params).toMatchObject({ ...plain, lease: true });
    expect(options.bound).toEqual({ term: 2, round: 3 });
  });

  it('is refused if the algorithm does not have it', () => {
    expect(() => check(raft, { preset: 'term' })).toThrow(
      "preset 'term' is not one of raft: it has election, terms, cluster",
    );
  });
});

/** A node leads when its patience ends, and a node that hears of a leader first follows it. Patience is drawn. */
function patient(timing: TimingModel, lengths: number): AnyAlgorithm {
  return defineAlgorithm({
    name: 'patient',
    title: 'Patient',
    source: 'a test',
    cost: 'n−1',
    assumes: { network: 'complete', timing, ids: 'unique', fifo: true },
    params: {
      timeout: integer('a round trip', { min: 2, max: 10, byDefault: 4 }),
      gap: integer('units between the patience of two nodes', {
        min: 1,
        max: 10,
        byDefault: 4,
        onlyTimers: true,
      }),
    },
    state: {},
    messages: { led: announcement(['id', id()]) },
    timers: ['patience'],
    onStart(_state, ctx) {
      const more = lengths > 1 ? ctx.random(lengths) : 0;
      ctx.setTimer('patience', 1 + ctx.params.gap * ctx.id + more);
    },
    on: {
      led(_state, _port, { id }, ctx) {
        ctx.decide('follower', id);
        ctx.clearTimer('patience');
      },
    },
    onTimer(_state, _timer, ctx) {
      ctx.decide('leader', ctx.id);
      for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'led', ctx.id);
    },
    laws: [],
  });
}

describe('lengths of timers', () => {
  const bounds = { nodes: 2, bound: { term: 1, round: 1 }, reduce: 'none' } as const;

  it('make no difference to an asynchronous search', () => {
    const figures = (set: Record<string, number>) => {
      const { depth, states, terminal, transitions } = check(raft, { ...bounds, set: { ...plain, ...set } });
      return { depth, states, terminal, transitions };
    };
    const least = figures({});
    expect(least.states).toBeGreaterThan(50);
    expect(figures({ timeout: 7, spread: 1 })).toEqual(least);
  });

  it('make none to a state graph either', () => {
    const options = { ...bounds, set: { ...plain, spread: 1 } };
    const { edges, states } = stateGraph(raft, options);
    const { states: searched, transitions } = check(raft, { ...options, invariants: 'none' });
    expect([states.length, edges.length]).toEqual([searched, transitions]);
  });

  it('make none to the replay of a counterexample', () => {
    const half = twins.find(({ algorithm }) => algorithm.name === 'raft-half')?.algorithm as AnyAlgorithm;
    const options = { ...bounds, set: { ...plain, spread: 1 } };
    const saved = counterexampleOf(half, check(half, options), options);
    if (saved === null) throw new Error('no counterexample');
    expect(saved.property).toBe('uniqueness');
    expect(isReproduced(half, saved, replayCounterexample(half, saved))).toBe(true);
  });

  it('decide who leads under bounded delay, where a parameter for them keeps its value', () => {
    const options = { nodes: 3, delay: 2 };
    const late = check(patient('bounded-delay', 1), options);
    expect(late.leastParams).toEqual([]);
    expect(late.params.gap).toBe(4);
    expect(late.complete).toBe(true);
    const early = check(patient('bounded-delay', 1), { ...options, set: { gap: 1 } });
    expect(early.violations[0]?.property).toBe('uniqueness');
    const drawn = check(patient('bounded-delay', 8), options);
    expect(drawn.violations[0]?.property).toBe('uniqueness');
  });

  it('are not waited for in an asynchronous search: the same algorithm elects two leaders', () => {
    const { leastParams, violations } = check(patient('asynchronous', 1), { nodes: 3 });
    expect(leastParams).toEqual(['gap']);
    expect(violations[0]?.property).toBe('uniqueness');
    const [one, thousand] = [1, 1000].map((lengths) => check(patient('asynchronous', lengths), { nodes: 3 }));
    expect(thousand.states).toBe(one.states);
    expect(thousand.transitions).toBe(one.transitions);
  });
});

describe('a search that was stopped', () => {
  it('says to which depth it was complete', () => {
    const whole = check(raft, { preset: 'terms', stateLimit: 20_000 });
    expect(whole.stopped).toBe('states');
    const { completeDepth, depth } = whole;
    expect(completeDepth).toBeGreaterThan(3);
    expect(completeDepth).toBeLessThanOrEqual(depth);
    expect(check(raft, { preset: 'terms', bound: { term: 0 } }).completeDepth).toBeNull();
  });

  it('was complete to the depth to which a search of more states is wide as well', () => {
    const widths = (stateLimit: number) => {
      let found: readonly number[] = [];
      const { completeDepth } = check(raft, {
        preset: 'terms',
        stateLimit,
        onSearched: (all) => (found = all),
      });
      return { found, completeDepth: completeDepth as number };
    };
    const [few, many] = [widths(5_000), widths(100_000)];
    const { completeDepth } = few;
    expect(few.found.slice(0, completeDepth + 1)).toEqual(many.found.slice(0, completeDepth + 1));
    expect(few.found[completeDepth + 1] ?? 0).toBeLessThan(many.found[completeDepth + 1]);
  });
});
