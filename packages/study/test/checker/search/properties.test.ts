import { describe, expect, it } from 'vitest';
import { check, replay } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, counter, defineAlgorithm, flag, message } from '../../../src/kernel/index.ts';

const about = { title: 'Specimen', source: 'none', cost: 'none', params: {}, laws: [] };
const model = { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true } as const;

/** Every process may hold the lock for a step, regardless of the others. */
const locks: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'locks',
  assumes: model,
  state: { held: flag() },
  messages: { release: message() },
  onStart(state, ctx) {
    state.held = true;
    ctx.send(1, 'release');
    ctx.decide(ctx.id === 3 ? 'leader' : 'follower', 3);
  },
  on: {
    release(state, _port, _message, _ctx) {
      state.held = false;
    },
  },
  invariants: {
    network: {
      'one-holds-the-lock': {
        statement: 'At most one node holds the lock',
        holds: ({ nodes }) => nodes.filter(({ state }) => state.held).length <= 1,
      },
    },
  },
});

describe("an algorithm's own invariant", () => {
  const { violations } = check(locks, { ids: [1, 2, 3] });

  it('is checked in every state', () => {
    expect(violations[0]).toMatchObject({ property: 'one-holds-the-lock' });
    expect(violations[0].steps).toEqual(['start 0', 'start 1']);
  });

  it('is violated again in the replay', () => {
    const { steps, ids, initiators } = violations[0];
    expect(replay(locks, { ids, initiators, steps }).violation).toMatchObject({
      property: 'one-holds-the-lock',
      step: 2,
    });
  });

  it('has the states of all nodes at the start and after each step of the replay', () => {
    const { ids, initiators } = violations[0];
    const { trace } = replay(locks, {
      ids,
      initiators,
      steps: ['start 0', 'start 1', 'deliver 0 > 1 release'],
    });
    const held = trace
      .flat()
      .flatMap((event) => (event.type === 'state' ? [[event.time, event.node, event.state.held]] : []));
    expect(held).toEqual([
      [0, 0, false],
      [0, 1, false],
      [0, 2, false],
      [1, 0, true],
      [2, 1, true],
      [3, 1, false],
    ]);
  });
});

/** Each node leads term 1 as soon as it starts, and then crashes if the run lets it: no state has two leaders. */
const successive: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'successive',
  assumes: { ...model, faults: ['crash'] },
  state: {},
  messages: { next: message() },
  onStart(_state, ctx) {
    ctx.decide('leader', ctx.id, 1);
  },
  on: {
    next(_state, _port, _message, _ctx) {},
  },
});

describe('at most one leader a term, over the whole run', () => {
  it('a leader that has crashed is not forgotten', () => {
    const { violations } = check(successive, { ids: [1, 2], crashes: 1, starts: 'first' });
    expect(violations[0]).toMatchObject({ property: 'uniqueness', text: 'nodes 0 and 1 both lead term 1' });
  });

  it('nor in a replay', () => {
    const steps = ['start 0', 'crash 0', 'start 1'];
    const { violation } = replay(successive, { ids: [1, 2], initiators: [0, 1], steps });
    expect(violation).toMatchObject({
      property: 'uniqueness',
      text: 'nodes 0 and 1 both lead term 1',
      step: 3,
    });
  });
});

/** Wrong once node 1 and node 2 have each taken two messages, in whatever order. */
const pairs: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'pairs',
  assumes: model,
  state: { taken: counter(9) },
  messages: { token: message() },
  onStart(_state, ctx) {
    ctx.send(1, 'token');
    ctx.send(1, 'token');
  },
  on: {
    token(state, _port, _message, _ctx) {
      state.taken++;
    },
  },
  invariants: {
    network: {
      'nobody-is-full': {
        statement: 'At most one node has taken two messages',
        holds: ({ nodes }) => nodes.filter(({ state }) => state.taken === 2).length < 2,
      },
    },
  },
});

describe('a counterexample', () => {
  it('is shortest, with the fewest context switches', () => {
    const { violations } = check(pairs, { ids: [1, 2, 3], starts: 'together' });
    const at = violations[0].steps.map((step) => step.replace(/^deliver \d > (\d).*$/, '$1'));
    expect(at).toHaveLength(4);
    expect(at.filter((node, k) => k > 0 && node !== at[k - 1])).toHaveLength(1);
  });
});
