/**
 * An attempt that must fail. It illustrates the impossibility result of Dana Angluin: Local and global properties in
 * networks of processors. 12th ACM Symposium on Theory of Computing, 1980: no deterministic algorithm elects a leader
 * among anonymous nodes.
 *
 * This is Itai–Rodeh without random draws: a node uses the numbers 1..c one after the other.
 *
 * Model: unidirectional ring, FIFO links, anonymous nodes that know its size n, no random draws, asynchronous. Any
 * non-empty set of nodes initiates.
 * Costs: n messages if one node initiates, then n for the announcement; infinitely many if all start together.
 *
 * Guarantees one leader if exactly one node initiates, because this node differs from the others. If all start
 * together, all have the same number in every round, and the run does not terminate.
 *
 * R1  An active node takes the next number, after c again 1, and sends a token with it, hop count 1 and flag 1. The
 *     initiators are active.
 * R2  A passive node forwards the token and increments the hop count.
 * R3  An active node discards a token with a smaller number. A larger one makes it passive and is forwarded.
 * R4  A token with the node's own number that has travelled fewer than n hops is forwarded with flag 0.
 * R5  A token that has travelled n hops has returned to its owner. With flag 1 the owner becomes the leader and sends
 *     `elected` around the ring. With flag 0 it continues with R1.
 */
import {
  announcement,
  choice,
  counter,
  defineAlgorithm,
  exact,
  flag,
  integer,
  message,
} from '../../../kernel/index.ts';
import { oneInitiates } from '../../law-conditions.ts';

const NEXT = 1;

const number = counter(({ params }) => Number(params.c));

export const rematch = defineAlgorithm({
  name: 'rematch',
  title: 'Rematch',
  source: 'after Angluin 1980',
  cost: 'without end',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'anonymous', fifo: true, knows: ['n'] },
  params: { c: integer('numbers go from 1 to c', { min: 2, max: 1000, byDefault: 3 }) },
  state: { at: choice(['passive', 'active', 'leader']), number },
  messages: {
    token: message(['number', number], ['hops', counter(({ n }) => n)], ['unique', flag()]),
    elected: announcement(),
  },

  onStart(state, ctx) {
    state.at = 'active';
    state.number = 1;
    ctx.send(NEXT, 'token', 1, 1, true); // R1
  },

  on: {
    token(state, _port, { number, hops, unique }, ctx) {
      if (hops === ctx.n && state.at === 'active') {
        if (unique) {
          state.at = 'leader'; // R5
          ctx.decide('leader');
          ctx.send(NEXT, 'elected');
        } else {
          state.number = (state.number % ctx.params.c) + 1; // R1, R5
          ctx.send(NEXT, 'token', state.number, 1, true);
        }
        return;
      }
      if (state.at === 'leader' || hops === ctx.n) return;
      if (state.at === 'active' && number < state.number) return; // R3
      if (number > state.number) state.at = 'passive'; // R3
      const isAlone = unique && (state.at === 'passive' || number !== state.number); // R4
      ctx.send(NEXT, 'token', number, hops + 1, isAlone); // R2
    },

    elected(state, _port, _message, ctx) {
      if (state.at === 'leader') return; // R5
      ctx.decide('follower');
      ctx.forward(NEXT);
    },
  },

  laws: [exact('election', 'n', [oneInitiates], ({ n }) => n)],
});
