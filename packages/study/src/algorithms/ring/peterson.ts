/**
 * Gary L. Peterson: An O(n log n) unidirectional algorithm for the circular extrema problem. ACM Transactions on
 * Programming Languages and Systems 4(4), 1982; in the form of R. Karnapke: Election Algorithms, lecture notes, 2015.
 *
 * Model: unidirectional ring, FIFO links, unique ids, asynchronous, uniform (no node knows n). Any non-empty set of
 * nodes initiates.
 * Wins: the largest id among the initiators.
 * Costs: at most 2n(⌊log2 n⌋+1) messages, at least 3n−1 if all of n ≥ 2 nodes initiate; then n for the announcement.
 * The count depends only on the ids and the initiators: each node receives one stream of messages in a fixed order,
 * whatever the delays.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule with FIFO links. Does not tolerate crashes,
 * message loss, or links without FIFO: the two messages of a phase have the same type, and only their order tells
 * them apart.
 *
 * R1  An active node sends its temporary id s. Initially s is its own id.
 * R2  It receives the temporary id of the previous active node as v, and sends max(s, v).
 * R3  It receives the second message of the previous active node as p. If v ≥ max(p, s), it stays active and enters
 *     the next phase with s := v. Otherwise it becomes a relay node.
 * R4  A relay node forwards every message. A node that has not initiated is a relay node.
 * R5  A node that receives its own id, as v, as p or as a relay node, becomes the leader and sends `elected` around
 *     the ring. It discards all later ids.
 * R6  Every node forwards `elected`, and the leader discards it when it returns.
 *
 * The notes print R2 as send(v) and R3 as v > max(p, s), and correct both for n = 2. The correction is needed
 * whenever a phase begins with exactly two active nodes. The previous active node is then also the next one, so v
 * would return to the node whose id it is, and that node would become a second leader. The smallest such order with n
 * > 2 is 4 1 3 2. With the correction, p is the larger of v and the temporary id of the active node before that
 * one, so v ≥ p is equivalent to the intended v > p.
 */
import {
  bound,
  choice,
  counter,
  defineAlgorithm,
  exact,
  floorLog2,
  id,
  message,
  NONE,
} from '../../kernel/index.ts';
import { inLockstep, oneInitiates, sortedIds } from '../law-conditions.ts';
import { announce, announcementLaw, elected, forwardElected } from './announcement.ts';

const NEXT = 1;

/** Peterson: O(n log n) messages on a one-way ring. */
export const peterson = defineAlgorithm({
  name: 'peterson',
  title: 'Peterson, unidirectional',
  source: 'Peterson 1982',
  cost: '2n(⌊log2 n⌋+1) worst',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  params: {},
  /** at: the receive statement at which the node waits. phase is for pictures; s grows in each, so at most n. */
  state: {
    s: id(),
    v: id(),
    p: id(),
    at: choice(['relay', 'receive v', 'receive p', 'leader']),
    phase: counter(({ n }) => n),
  },
  messages: { id: message(['id', id()]), elected },

  passive: ({ at }) => at === 'relay', // R4
  phase: ({ phase }) => (phase > 0 ? `phase ${phase}` : null),

  onStart(state, ctx) {
    state.s = ctx.id;
    state.at = 'receive v';
    state.phase = 1;
    ctx.send(NEXT, 'id', ctx.id); // R1
  },

  on: {
    id(state, _port, { id }, ctx) {
      const { at } = state;
      if (at === 'leader') {
        return; // R5
      }
      if (id === ctx.id) {
        state.at = 'leader'; // R5
        announce(ctx);
      } else if (at === 'relay') {
        ctx.forward(NEXT); // R4
      } else if (at === 'receive v') {
        state.v = id; // R2
        state.at = 'receive p';
        ctx.send(NEXT, 'id', Math.max(state.s, id));
      } else {
        state.p = id; // R3
        if (state.v >= Math.max(id, state.s)) {
          state.s = state.v;
          state.at = 'receive v';
          state.phase++;
          ctx.send(NEXT, 'id', state.v); // R1
        } else {
          state.at = 'relay';
        }
      }
    },

    elected: forwardElected, // R6
  },

  invariants: {
    node: {
      'temporary-id-grows': {
        statement: 'The temporary id of a node never decreases',
        holds: ({ state, before }) => state.s >= before.s,
      },
    },
    network: {
      'maximum-survives': {
        statement:
          'Until a node leads, the largest temporary id is in flight or is the v of a node that still receives p',
        holds: ({ nodes, messages }) => {
          const maximum = Math.max(...nodes.map(({ state }) => state.s));
          return (
            maximum === NONE ||
            nodes.some(
              ({ state }) => state.at === 'leader' || (state.at === 'receive p' && state.v === maximum),
            ) ||
            messages.some(({ message }) => message.type === 'id' && message.id === maximum)
          );
        },
      },
    },
  },

  laws: [
    bound('election', '2n(⌊log2 n⌋+1)', ({ n }) => 2 * n * (floorLog2(n) + 1)),
    exact('election', '3n−1', sortedIds(2), ({ n, fifo }) => (fifo ? 3 * n - 1 : undefined)),
    exact('election', 'n', [oneInitiates], ({ n }) => n),
    announcementLaw,
    exact('electedAt', 'n+1', [inLockstep, ...sortedIds(3)], ({ n }) => n + 1),
    exact('announcementReturnedAt', '2n+1', [inLockstep, ...sortedIds(3)], ({ n }) => 2 * n + 1),
    exact('electedAt', 'n', [inLockstep, oneInitiates], ({ n }) => n),
  ],
});
