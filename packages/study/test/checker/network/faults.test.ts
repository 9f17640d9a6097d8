/** What an attack on the checker has found, so that it stays mended. */
import { describe, expect, it } from 'vitest';
import { bully, bullyIds, changRoberts, itaiRodeh } from '../../../src/algorithms/index.ts';
import { check, replay } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, defineAlgorithm, flag, id, message } from '../../../src/kernel/index.ts';

const about = { title: 'Specimen', source: 'none', cost: 'none', params: {}, laws: [] };
const model = { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true } as const;

describe('a reduction', () => {
  it('does not treat a recovery as independent if crashes are detected', () => {
    const options = { nodes: 3, order: 'ascending', crashes: 1, recoveries: 1, initiators: [0] } as const;
    const reduced = check(bullyIds, options);
    expect(reduced.terminal).toBe(check(bullyIds, { ...options, reduce: 'none' }).terminal);
  });

  it('does not rotate the ids with a fixed set of initiators', () => {
    const reduced = check(changRoberts, { nodes: 4, orders: 'all', initiators: [0] });
    expect(reduced).toMatchObject({ terminal: 24, instances: { all: 24 } });
  });

  it('does not ignore a timer beside a message that commutes with all others', () => {
    const { violations } = check(belled, { ids: [1, 2], starts: 'together', fifo: false });
    expect(violations[0]).toMatchObject({ property: 'uniqueness' });
  });

  it('is not reported if there is none', () => {
    const result = check(itaiRodeh, { nodes: 2, set: { c: 2 }, bound: { round: 2 } });
    expect(result.reductions).toEqual([]);
  });
});

/** Leads when its bell rings first, and follows when a message comes first. */
const belled: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'belled',
  assumes: { ...model, fifo: false },
  state: { settled: flag() },
  messages: { greeting: message() },
  timers: ['bell'],
  onStart(state, ctx) {
    ctx.setTimer('bell', 1);
    if (ctx.id !== 1) return;
    state.settled = true;
    ctx.decide('leader');
    ctx.send(1, 'greeting');
  },
  onTimer(state, _timer, ctx) {
    if (state.settled) return;
    state.settled = true;
    ctx.decide('leader');
  },
  on: {
    greeting(state, _port, _message, ctx) {
      if (state.settled) return;
      state.settled = true;
      ctx.decide('follower', 1);
    },
  },
});

/** Changes its mind while it starts. */
const fickle: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'fickle',
  assumes: model,
  state: {},
  messages: { word: message(['id', id()]) },
  onStart(_state, ctx) {
    ctx.decide('follower', 2);
    ctx.decide(ctx.id === 1 ? 'leader' : 'follower', 1);
  },
  on: { word() {} },
});

/** Draws one lot that means nothing, and then passes a token for ever. */
const idle: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'idle',
  assumes: model,
  state: { heads: flag() },
  messages: { token: message() },
  onStart(state, ctx) {
    state.heads = ctx.random(2) === 1;
    ctx.decide(ctx.id === 1 ? 'leader' : 'follower', 1);
    ctx.send(1, 'token');
  },
  on: {
    token(_state, _port, _message, ctx) {
      ctx.forward(1);
    },
  },
});

describe('a violation', () => {
  it('of nodes that start together is found', () => {
    const { violations } = check(fickle, { ids: [1, 2], starts: 'together' });
    expect(violations[0]).toMatchObject({ property: 'agreement' });
  });

  it('is not excused by a loss, which need not happen', () => {
    const { violations } = check(idle, { ids: [1, 2], losses: 1, starts: 'together' });
    expect(violations[0]).toMatchObject({ property: 'termination' });
  });

  it('is replayed if messages reach nodes that detect the crash late', () => {
    const options = {
      nodes: 3,
      order: 'ascending',
      starts: 'first',
      suspect: true,
      initiators: [0],
    } as const;
    const [{ ids, initiators, starts, steps, property }] = check(bully, options).violations;
    expect(
      replay(bully, { ids, initiators, starts, steps, property, suspect: true }).violation,
    ).toMatchObject({ property });
  });
});

describe('invalid options are refused', () => {
  it.each([
    [
      'initiators that are all crashed',
      bully,
      { ids: [1, 2], initiators: [1] },
      /an initiator must be alive/,
    ],
    ['no delay', bully, { nodes: 3, delay: 0 }, /delay must be a whole number from 1/],
    ['a delay that exceeds the timeout', bully, { nodes: 3, delay: 5 }, /ends within its timeout of 2/],
    [
      'early timers of an algorithm without timeouts',
      changRoberts,
      { nodes: 3, suspect: true },
      /has no timeouts/,
    ],
    ['delays of an algorithm without timeouts', changRoberts, { nodes: 3, delay: 4 }, /has no timeouts/],
  ])('%s', (_what, algorithm, options, text) => {
    expect(() => check(algorithm, options)).toThrow(text);
  });
});
