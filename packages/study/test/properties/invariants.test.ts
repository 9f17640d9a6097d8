import { describe, expect, it } from 'vitest';
import { registry } from '../../src/algorithms/index.ts';
import { type CheckOptions, check, replay } from '../../src/checker/index.ts';
import { type AnyAlgorithm, counter, defineAlgorithm, flag, message } from '../../src/kernel/index.ts';
import { simulate } from '../../src/simulator/index.ts';
import { propertyOf } from './broken-property.ts';
import { INVARIANT_MUTANTS } from './mutants.ts';

/** Algorithm and invariant: a name may occur in several algorithms. */
const declared = registry.flatMap(({ name, invariants = {} }) =>
  [...Object.keys(invariants.node ?? {}), ...Object.keys(invariants.network ?? {})].map(
    (invariant) => `${name} ${invariant}`,
  ),
);

describe('every invariant of the catalogue', () => {
  it('is violated by a mutant', () => {
    const violated = new Set(
      INVARIANT_MUTANTS.map(({ algorithm, invariant }) => `${algorithm.name} ${invariant}`),
    );
    expect([...violated].sort()).toEqual([...declared].sort());
    expect(declared.length).toBeGreaterThan(25);
  });

  it.each(
    INVARIANT_MUTANTS.map(
      (mutant) => [mutant.algorithm.name, mutant.invariant, mutant.slip, mutant] as const,
    ),
  )(
    '%s: the checker reports %s if %s, and a replay does too',
    (name, invariant, _slip, { algorithm, search }) => {
      const options: CheckOptions = { ...search, invariants: [invariant] };
      const [violation] = check(algorithm, options).violations;
      expect(violation).toMatchObject({ property: invariant });
      const { ids, initiators, starts, fifo, steps } = violation;
      const { topology, set } = search;
      const again = replay(algorithm, {
        ids,
        initiators,
        starts,
        fifo,
        steps,
        topology,
        set,
        property: invariant,
      });
      expect(again.violation).toMatchObject({
        property: invariant,
        text: violation.text,
        step: steps.length,
      });
      const right = registry.find((each) => each.name === name) as AnyAlgorithm;
      expect(check(right, options).violations).toEqual([]);
    },
  );
});

describe('the simulator', () => {
  const CRASHES = [
    { position: 0, time: 9 },
    { position: 1, time: 9 },
    { position: 2, time: 9 },
  ];

  it.each(
    INVARIANT_MUTANTS.filter(({ invariant }) =>
      [
        'maximum-survives',
        'neighbourhood-conquered',
        'leader-counted-majority',
        'wave-never-weakens',
      ].includes(invariant),
    ).map((mutant) => [mutant.algorithm.name, mutant.invariant, mutant] as const),
  )('%s: reports %s', (_name, invariant, { algorithm, search: { ids, topology, set } }) => {
    expect(propertyOf(() => simulate(algorithm, { ids, topology, set, invariants: [invariant] }))).toBe(
      invariant,
    );
  });

  it('checks what a crash does to the state of a node', () => {
    const [mutant] = INVARIANT_MUTANTS.filter(({ invariant }) => invariant === 'one-vote-per-term');
    const options = {
      ids: [1, 2, 3],
      set: { timeout: 2, spread: 0, prevote: false },
      crash: CRASHES,
      until: 12,
    };
    expect(propertyOf(() => simulate(mutant.algorithm, options))).toBe('one-vote-per-term');
  });

  it('checks an invariant of the network in synchronous rounds between two rounds only', () => {
    expect(propertyOf(() => simulate(inStep(0), { nodes: 3 }))).toBe('in-step');
    expect(propertyOf(() => simulate(inStep(3), { nodes: 3 }))).not.toBe('in-step');
    expect(check(inStep(3), { nodes: 3 }).violations.map(({ property }) => property)).not.toContain(
      'in-step',
    );
  });
});

/** All nodes count rounds; within a round their counts differ by one. */
function inStep(limit: number): AnyAlgorithm {
  return defineAlgorithm({
    name: 'in-step',
    title: 'In step',
    source: 'none',
    cost: 'none',
    assumes: { network: 'one-way ring', timing: 'synchronous', ids: 'unique', fifo: true },
    params: {},
    state: { rounds: counter(9) },
    messages: { beat: message() },
    laws: [],
    onStart(_state, ctx) {
      ctx.send(1, 'beat');
    },
    on: {
      beat(state, _port, _message, ctx) {
        state.rounds++;
        if (state.rounds < 3) ctx.forward(1);
      },
    },
    invariants: {
      network: {
        'in-step': {
          statement: 'All nodes have counted the same rounds, at most as many as the limit',
          holds: ({ nodes }) =>
            new Set(nodes.map(({ state }) => state.rounds)).size <= 1 &&
            nodes.every(({ state }) => state.rounds <= limit),
        },
      },
    },
  });
}

/** A heartbeat that circulates forever and commutes with all other messages, and work that is done once. */
const beating: AnyAlgorithm = defineAlgorithm({
  name: 'beating',
  title: 'Beating',
  source: 'none',
  cost: 'none',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  state: { done: flag() },
  messages: { beat: message(), work: message() },
  laws: [],
  horizon: () => 10,
  onStart(_state, ctx) {
    ctx.send(1, 'beat');
    ctx.send(1, 'work');
    ctx.decide(ctx.id === 2 ? 'leader' : 'follower', 2);
  },
  on: {
    beat(_state, _port, _message, ctx) {
      ctx.forward(1);
    },
    work(state) {
      state.done = true;
    },
  },
  invariants: { node: { idle: { statement: 'No node does work', holds: ({ state }) => !state.done } } },
});

describe('reductions', () => {
  it('stay on for invariants of one node, and go off for one of the network', () => {
    const algorithm = registry.find(({ name }) => name === 'peterson') as AnyAlgorithm;
    const options: CheckOptions = { nodes: 4, orders: 'all' };
    const node = check(algorithm, { ...options, invariants: 'node' });
    expect(node).toMatchObject({
      reductions: ['partial-order', 'symmetry'],
      complete: true,
      invariants: ['temporary-id-grows'],
    });
    expect(node.states).toBe(check(algorithm, { ...options, invariants: 'none' }).states);
    const all = check(algorithm, options);
    expect(all).toMatchObject({
      reductions: [],
      complete: true,
      invariants: ['temporary-id-grows', 'maximum-survives'],
    });
    expect(all.states).toBe(check(algorithm, { ...options, reduce: 'none' }).states);
  });

  it('find a violation behind a beat that circulates without end', () => {
    expect(check(beating, { ids: [1, 2], initiators: [0] }).violations[0]).toMatchObject({
      property: 'idle',
    });
  });

  it('do not rotate ids where an invariant may name a position', () => {
    const algorithm: AnyAlgorithm = {
      ...(registry.find(({ name }) => name === 'chang-roberts') as AnyAlgorithm),
      invariants: {
        network: {
          'largest-is-elsewhere': {
            statement: 'The largest id is not at position 2',
            holds: ({ nodes }) => nodes[2].id !== 3,
          },
        },
      },
    };
    const { reductions, violations } = check(algorithm, { nodes: 3, orders: 'all' });
    expect(reductions).toEqual([]);
    expect(violations.map(({ property }) => property)).toEqual(['largest-is-elsewhere']);
  });
});
