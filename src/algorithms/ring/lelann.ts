/**
 * Gérard Le Lann: Distributed systems – towards a formal approach. Proceedings of the IFIP Congress, 1977; as in the
 * notes on leader election on rings, lecture 22, with the largest id for the smallest.
 *
 * Model: unidirectional ring, FIFO links, unique ids, asynchronous, uniform: nobody knows n. Any non-empty set
 * initiates.
 * Wins: the largest id among the initiators.
 * Costs: k·n messages for k initiators, in every schedule; then n to announce. The leader knows n after it woke.
 *
 * Guarantees exactly one leader, known to all, in every FIFO schedule. Does not tolerate crash, loss, or messages that
 * overtake one another: a token that comes home before a larger one has passed lets its sender take itself for the
 * largest. Nor does it spare a message: all tokens go all the way, also those that have long lost.
 *
 * R1  An initiator sends its id, as a token, to the next node. One that a token reaches before it wakes does so first.
 * R2  An initiator adds every id that comes by to its list, and passes the token on.
 * R3  Whose own token comes home has all initiators on its list: every one sent its token before it let this one pass,
 *     and no token overtakes another. It leads if its id is the largest, and sends word round; it has lost otherwise.
 * R4  A node that has not initiated has lost, and passes every token on.
 * R5  Word of the winner is passed on, and swallowed where it began.
 */
import { defineAlgorithm, id, ids, message, type RunFacts } from '../../kernel/index.ts';
import { announce, announcedOnce, elected, passOn } from './announcement.ts';

const NEXT = 1;

export const leLann = defineAlgorithm({
  name: 'lelann',
  title: 'LeLann',
  source: 'Le Lann 1977',
  cost: 'k·n',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  startOnMessage: true,
  params: {},
  /** In the order in which they came, which is that of the ring against the clock, whatever the delays. */
  state: { list: ids() },
  messages: { token: message(['id', id()]), elected },

  onStart(_state, ctx) {
    ctx.send(NEXT, 'token', ctx.id); // R1
  },

  on: {
    token(state, _port, { id }, ctx) {
      if (id !== ctx.id) {
        if (ctx.initiator) state.list.push(id); // R2
        ctx.forward(NEXT); // R2, R4
        return;
      }
      const largest = state.list.reduce((one, other) => Math.max(one, other), id);
      if (largest === id)
        announce(ctx); // R3
      else ctx.decide('follower', largest);
    },

    elected: passOn, // R5
  },

  laws: [
    {
      measure: 'election',
      kind: 'exact',
      formula: 'k·n',
      value: ({ n, k, fifo }) => (fifo ? k * n : undefined),
    },
    announcedOnce,
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: 'w + n',
      when: 'in lockstep, and the largest initiator wakes at w',
      value: (run) => (run.lockstep ? wakeOfLargest(run) + run.n : undefined),
    },
    {
      measure: 'electedAt',
      kind: 'bound',
      formula: '2n−1',
      when: 'in lockstep, and the first initiator wakes at 0',
      value: ({ n, lockstep, wakeTimes }) =>
        lockstep && (wakeTimes === null || wakeTimes.includes(0)) ? 2 * n - 1 : undefined,
    },
    {
      measure: 'announcementReturnedAt',
      kind: 'exact',
      formula: 'w + 2n',
      when: 'in lockstep, and the largest initiator wakes at w',
      value: (run) => (run.lockstep ? wakeOfLargest(run) + 2 * run.n : undefined),
    },
  ],
});

function wakeOfLargest({ ids, initiators, wakeTimes }: RunFacts): number {
  if (wakeTimes === null) return 0;
  let largest = 0;
  for (let i = 1; i < initiators.length; i++) {
    if (ids[initiators[i]] > ids[initiators[largest]]) largest = i;
  }
  return wakeTimes[largest];
}
