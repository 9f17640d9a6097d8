/**
 * Ernest Chang, Rosemary Roberts: An improved algorithm for decentralized extrema-finding in circular configurations
 * of processes. Communications of the ACM 22(5), 1979.
 *
 * Model: unidirectional ring, unique ids, asynchronous, uniform (no node knows n). Any non-empty set of nodes
 * initiates.
 * Wins: the largest id among the initiators (the smallest with extremum=min).
 * Costs: n(n+1)/2 messages in the worst case, 2n−1 in the best case, n·H_k on average for k initiators; then n for
 * the announcement.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule. Does not tolerate crashes or message loss.
 *
 * R1  An initiator sends its id to the next node.
 * R2  A node that has not initiated is not a candidate. It forwards every token.
 * R3  An initiator forwards tokens that are stronger than its own id and discards weaker ones.
 * R4  A node that receives its own id becomes the leader and sends `elected` around the ring.
 * R5  Every node forwards `elected`, and the leader discards it when it returns.
 * R6  With filter on, every node discards tokens that are weaker than the strongest it has seen. This has no effect
 *     on FIFO links. On links without FIFO it saves messages.
 */
import {
  bound,
  defineAlgorithm,
  exact,
  harmonic,
  id,
  type LawCondition,
  mean,
  message,
  NONE,
  oneOf,
  onOff,
} from '../../kernel/index.ts';
import { announce, announcementLaw, elected, forwardElected } from './announcement.ts';

const NEXT = 1;

/** Chang–Roberts: the largest id on a one-way ring. */
export const changRoberts = defineAlgorithm({
  name: 'chang-roberts',
  title: 'Chang–Roberts',
  source: 'Chang, Roberts 1979',
  cost: 'n·H_k mean, n(n+1)/2 worst',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {
    extremum: oneOf('which id wins', ['max', 'min']),
    filter: onOff('every node discards tokens weaker than the strongest it has seen'),
  },
  state: { best: id() },
  messages: { token: message(['id', id()]), elected },

  onStart(state, ctx) {
    if (ctx.params.filter) state.best = ctx.id; // R6
    ctx.send(NEXT, 'token', ctx.id); // R1
  },

  on: {
    token(state, _port, { id }, ctx) {
      const own = ctx.id;
      if (id === own) {
        announce(ctx); // R4
        return;
      }
      const max = ctx.params.extremum === 'max';
      if (id > own !== max && ctx.initiator) return; // R3
      if (ctx.params.filter) {
        if (state.best !== NONE && id > state.best !== max) return; // R6
        state.best = id;
      }
      ctx.forward(NEXT); // R2, R3
    },

    elected: forwardElected, // R5
  },

  laws: [
    exact('election', 'n(n+1)/2', [idsRun('descend')], ({ n }) => (n * (n + 1)) / 2),
    exact('election', '2n−1', [idsRun('ascend')], ({ n }) => 2 * n - 1),
    mean('election', 'n·H_k', ({ n, k, order, faultless }) =>
      order === 'other' && faultless ? n * harmonic(k) : undefined,
    ),
    bound('election', 'nk − k(k−1)/2', ({ n, k }) => n * k - (k * (k - 1)) / 2),
    announcementLaw,
    exact('electedAt', 'n', ({ n, lockstep, faultless }) => (lockstep && faultless ? n : undefined)),
    exact('announcementReturnedAt', '2n', ({ n, lockstep, faultless }) =>
      lockstep && faultless ? 2 * n : undefined,
    ),
  ],
});

/** Two ids ascend, in either order. */
function idsRun(way: 'ascend' | 'descend'): LawCondition {
  return [
    `ids ${way} clockwise and all initiate`,
    ({ n, k, order, params, fifo, faultless }) =>
      order === `${way}ing` && k === n && fifo && faultless && params.extremum === 'max',
  ];
}
