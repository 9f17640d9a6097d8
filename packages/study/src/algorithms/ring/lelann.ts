/**
 * Gérard Le Lann: Distributed systems – towards a formal approach. Proceedings of the IFIP Congress, 1977; in the
 * form of the notes on leader election on rings, lecture 22, with the largest id instead of the smallest.
 *
 * Model: unidirectional ring, FIFO links, unique ids, asynchronous, uniform (no node knows n). Any non-empty set of
 * nodes initiates.
 * Wins: the largest id among the initiators.
 * Costs: k·n messages for k initiators, in every schedule; then n for the announcement. In lockstep the leader
 * decides n units after it starts.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule with FIFO links. Does not tolerate crashes,
 * message loss, or links without FIFO: if a token overtakes a larger one, its sender may find itself the largest on
 * an incomplete list. Does not save messages: every token travels the whole ring, even if its sender has already
 * lost.
 *
 * R1  An initiator sends its id as a token to the next node. An initiator that receives a token before it has started
 *     starts first.
 * R2  An initiator adds the id of every token it receives to its list, and forwards the token.
 * R3  When an initiator receives its own token, its list contains all initiators: each of them sent its own token
 *     before it forwarded this one, and no token overtakes another. If its own id is the largest, it becomes the
 *     leader and sends `elected` around the ring. Otherwise it becomes a follower.
 * R4  A node that has not initiated is not a candidate. It forwards every token.
 * R5  Every node forwards `elected`, and the leader discards it when it returns.
 */
import { bound, defineAlgorithm, exact, id, ids, message, type RunFacts } from '../../kernel/index.ts';
import { announce, announcementLaw, elected, forwardElected } from './announcement.ts';

const NEXT = 1;

/** LeLann: every initiator collects all ids. */
export const leLann = defineAlgorithm({
  name: 'lelann',
  title: 'LeLann',
  source: 'Le Lann 1977',
  cost: 'k·n',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  startOnMessage: true,
  params: {},
  /** In order of arrival, which is the counterclockwise order of the ring in every schedule. */
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

    elected: forwardElected, // R5
  },

  laws: [
    exact('election', 'k·n', ({ n, k, fifo }) => (fifo ? k * n : undefined)),
    announcementLaw,
    exact('electedAt', 'w + n', 'in lockstep, the largest initiator starts at w', (run) =>
      run.lockstep ? startOfLargest(run) + run.n : undefined,
    ),
    bound(
      'electedAt',
      '2n−1',
      'in lockstep, the first initiator starts at 0',
      ({ n, lockstep, wakeTimes }) =>
        lockstep && (wakeTimes === null || wakeTimes.includes(0)) ? 2 * n - 1 : undefined,
    ),
    exact('announcementReturnedAt', 'w + 2n', 'in lockstep, the largest initiator starts at w', (run) =>
      run.lockstep ? startOfLargest(run) + 2 * run.n : undefined,
    ),
  ],
});

function startOfLargest({ ids, initiators, wakeTimes }: RunFacts): number {
  if (wakeTimes === null) return 0;
  let largest = 0;
  for (let i = 1; i < initiators.length; i++) {
    if (ids[initiators[i]] > ids[initiators[largest]]) largest = i;
  }
  return wakeTimes[largest];
}
