/**
 * Danny Dolev, Maria Klawe, Michael Rodeh: An O(n log n) unidirectional distributed algorithm for extrema finding in
 * a circle. Journal of Algorithms 3(3), 1982; in the form of the Promela model that is distributed with Spin, so that
 * state counts of the two checkers can be compared exactly.
 *
 * Model: unidirectional ring, FIFO links, unique ids, asynchronous, uniform (no node knows n). Any non-empty set of
 * nodes initiates.
 * Wins: the largest id among the initiators.
 * Costs: at most 2n⌊log2 k⌋ + n messages for k initiators, at least 3n if two or more initiate; then n for the
 * announcement. The count depends only on the ids and the initiators: each node receives one stream of messages in a
 * fixed order, whatever the delays.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule with FIFO links. Does not tolerate crashes,
 * message loss, or links without FIFO. Does not guarantee that the leader is the first to know the result: another
 * active node carries the largest id and finds that it has won, so the leader may be the last to decide.
 *
 * R1  An active node sends one(maximum). Initially maximum is its own id.
 * R2  An active node that receives one(x) with x ≠ maximum sets neighbour := x and sends two(x).
 * R3  If x = maximum, this id has travelled the whole ring. The node knows the result and sends winner(x).
 * R4  An active node receives two(y). If neighbour > y and neighbour > maximum, it stays active with maximum :=
 *     neighbour and continues with R1. Otherwise it becomes passive.
 * R5  A passive node forwards one and two. A node that has not initiated is passive.
 * R6  A node that receives winner(x) is done. It is the leader if x is its own id. It forwards winner unless it
 *     learned the result in R3.
 *
 * A node decides when it learns the result: one node in R3, all others in R6. The state fields `done` and `leader`
 * are those of the Promela model and differ from the decision: they are set only in R6, so the node of R3 sets them
 * when winner has returned.
 */
import {
  announcement,
  bound,
  defineAlgorithm,
  exact,
  flag,
  floorLog2,
  id,
  message,
  NONE,
} from '../../kernel/index.ts';
import { inLockstep, oneInitiates, sortedIds } from '../law-conditions.ts';
import { announcementLaw } from './announcement.ts';

const NEXT = 1;

/** Dolev–Klawe–Rodeh: O(n log n) messages on a one-way ring. */
export const dolevKlaweRodeh = defineAlgorithm({
  name: 'dolev-klawe-rodeh',
  title: 'Dolev–Klawe–Rodeh',
  source: 'Dolev, Klawe, Rodeh 1982',
  cost: '2n⌊log2 k⌋ + n worst',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  params: {},
  state: {
    active: flag({ initially: true }),
    maximum: id(),
    neighbour: id(),
    knows: flag(),
    done: flag(),
    leader: flag(),
  },
  messages: {
    one: message(['id', id()]),
    two: message(['id', id()]),
    winner: announcement(['id', id()]),
  },

  passive: ({ active, maximum, leader }) => (!active || maximum === NONE) && !leader, // R5, R6

  onStart(state, ctx) {
    state.maximum = ctx.id;
    ctx.send(NEXT, 'one', ctx.id); // R1
  },

  on: {
    one(state, _port, { id }, ctx) {
      if (!ctx.initiator || !state.active) {
        ctx.forward(NEXT); // R5
      } else if (id !== state.maximum) {
        state.neighbour = id; // R2
        ctx.send(NEXT, 'two', id);
      } else {
        state.knows = true; // R3
        ctx.decide(id === ctx.id ? 'leader' : 'follower', id);
        ctx.send(NEXT, 'winner', id);
      }
    },

    two(state, _port, { id }, ctx) {
      const { neighbour } = state;
      if (!ctx.initiator || !state.active) {
        ctx.forward(NEXT); // R5
      } else if (neighbour > id && neighbour > state.maximum) {
        state.maximum = neighbour; // R4
        ctx.send(NEXT, 'one', neighbour); // R1
      } else {
        state.active = false;
      }
    },

    winner(state, _port, { id }, ctx) {
      state.done = true; // R6
      if (id === ctx.id) state.leader = true;
      if (state.knows) return;
      ctx.decide(id === ctx.id ? 'leader' : 'follower', id);
      ctx.forward(NEXT);
    },
  },

  invariants: {
    node: {
      'maximum-grows': {
        statement: 'The maximum of a node never decreases',
        holds: ({ state, before }) => state.maximum >= before.maximum,
      },
    },
    network: {
      'maximum-survives': {
        statement:
          'Until a node knows, the largest maximum is in flight in one(…) or is the neighbour of an active node that waits for two(…)',
        holds: ({ nodes, messages }) => {
          const largest = Math.max(...nodes.map(({ state }) => state.maximum));
          return (
            largest === NONE ||
            nodes.some(
              ({ state: { active, knows, maximum, neighbour } }) =>
                knows || (active && neighbour === largest && maximum !== largest),
            ) ||
            messages.some(({ message }) => message.type === 'one' && message.id === largest)
          );
        },
      },
    },
  },

  laws: [
    bound('election', '2n⌊log2 k⌋ + n', ({ n, k }) => 2 * n * floorLog2(k) + n),
    exact('election', '3n', sortedIds(2), ({ n, fifo }) => (fifo ? 3 * n : undefined)),
    exact('election', 'n', [oneInitiates], ({ n }) => n),
    announcementLaw,
    exact('electedAt', '2n+1', [inLockstep, ...sortedIds(2)], ({ n }) => 2 * n + 1),
    exact('announcementReturnedAt', '2n+2', [inLockstep, ...sortedIds(2)], ({ n }) => 2 * n + 2),
    exact('electedAt', 'n', [inLockstep, oneInitiates], ({ n }) => n),
  ],
});
