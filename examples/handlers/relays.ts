/** Franklin's algorithm on a ring, with a parameter, measures, laws, invariants and what pictures show. */
import {
  announcement,
  bound,
  choice,
  counter,
  defineAlgorithm,
  exact,
  floorLog2,
  id,
  ids,
  largest,
  message,
  oneOf,
  onOff,
  total,
} from '@hustings/study/kernel';

const PREVIOUS = 0;
const NEXT = 1;

export const relays = defineAlgorithm({
  name: 'relays',
  title: 'Relays',
  source: 'Franklin 1982',
  cost: '2n(⌊log2 k⌋+1) worst',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  params: {
    extremum: oneOf('which id wins', ['max', 'min']),
    counting: onOff('comparisons of ids are counted', true),
  },
  state: {
    role: choice(['asleep', 'active', 'relay']),
    round: counter(({ n }) => floorLog2(n) + 1),
    left: ids({ most: 2 }),
    right: ids({ most: 2 }),
  },
  messages: { probe: message(['id', id()]), elected: announcement(['id', id()]) },
  measures: {
    rounds: largest('the last round that a node enters'),
    comparisons: total('comparisons of two ids'),
  },

  onStart(state, ctx) {
    state.role = 'active';
    state.round = 1;
    ctx.measure('rounds', state.round);
    ctx.send(PREVIOUS, 'probe', ctx.id);
    ctx.send(NEXT, 'probe', ctx.id);
  },

  on: {
    probe(state, port, { id }, ctx) {
      if (state.role !== 'active') {
        state.role = 'relay';
        ctx.forward(ctx.label(port) === 'previous' ? NEXT : PREVIOUS);
        return;
      }
      (port === PREVIOUS ? state.left : state.right).push(id);
      if (state.left.length === 0 || state.right.length === 0) return;
      const heard = [state.left.shift() as number, state.right.shift() as number];
      if (ctx.params.counting) ctx.measure('comparisons', 2);
      const isStronger = (other: number) => other > ctx.id === (ctx.params.extremum === 'max');
      if (heard[0] === ctx.id) {
        ctx.decide('leader');
        ctx.send(NEXT, 'elected', ctx.id);
      } else if (heard.some(isStronger)) {
        state.role = 'relay';
        for (const early of state.left) ctx.send(NEXT, 'probe', early);
        for (const early of state.right) ctx.send(PREVIOUS, 'probe', early);
        state.left = [];
        state.right = [];
      } else {
        state.round++;
        ctx.measure('rounds', state.round);
        ctx.send(PREVIOUS, 'probe', ctx.id);
        ctx.send(NEXT, 'probe', ctx.id);
      }
    },

    elected(_state, _port, { id }, ctx) {
      if (id === ctx.id) return;
      ctx.decide('follower', id);
      ctx.forward(NEXT);
    },
  },

  laws: [
    bound('election', '2n(⌊log2 k⌋+1)', ({ n, k }) => 2 * n * (floorLog2(k) + 1)),
    bound({ messages: 'probe' }, '2n(⌊log2 k⌋+1)', ({ n, k }) => 2 * n * (floorLog2(k) + 1)),
    bound({ own: 'rounds' }, '⌊log2 k⌋+1', ({ k }) => floorLog2(k) + 1),
    exact('announcement', 'n', ({ n }) => n),
  ],

  invariants: {
    node: {
      'relays-stay': {
        statement: 'a relay never becomes active again',
        holds: ({ before, state }) => before.role !== 'relay' || state.role === 'relay',
      },
    },
    network: {
      'one-in-the-last-round': {
        statement: 'at most n/2^(r−1) nodes have entered round r',
        holds: ({ nodes }) =>
          nodes.every(({ state: { round } }) => {
            const entered = nodes.filter(({ state }) => state.round >= round).length;
            return round === 0 || entered <= nodes.length / 2 ** (round - 1);
          }),
      },
    },
  },

  passive: ({ role }) => role === 'relay',
  phase: ({ round }) => (round === 0 ? null : `round ${round}`),
});
