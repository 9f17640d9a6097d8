/**
 * The election in time slices on a synchronous ring: "Variable Time Algorithm in a Synchronous Ring" at the end of
 * the notes on leader election in rings; TimeSlice in Nancy A. Lynch: Distributed Algorithms, 1996, section 3.6.1.
 *
 * Model: unidirectional ring, unique ids, synchronous: every message takes one unit and all nodes start at 0. All
 * nodes know n.
 * Wins: the smallest id.
 * Costs: no election messages, then n for the announcement. The leader decides at time n · (its id).
 *
 * Guarantees exactly one leader, known to all nodes, and no message of any other node. Does not tolerate crashes,
 * message loss, or late messages: if an announcement takes longer than its slice, the next id announces itself too.
 *
 * R1  Time is divided into slices of n units. The slice of id k begins at k·n.
 * R2  A node that has received no announcement when its slice begins becomes the leader and sends `elected` around
 *     the ring.
 * R3  Every node forwards `elected` within the slice, so no other node announces itself. The leader discards it when
 *     it returns.
 */
import { defineAlgorithm, exact } from '../../kernel/index.ts';
import { announce, announcementLaw, elected, forwardElected } from './announcement.ts';

/** Time slices on a synchronous ring: the smallest id sends first. */
export const timeSlice = defineAlgorithm({
  name: 'time-slice',
  title: 'Time slices',
  source: 'Lynch 1996',
  cost: '0, and n·(smallest id) time',
  assumes: { network: 'one-way ring', timing: 'synchronous', ids: 'unique', fifo: false, knows: ['n'] },
  params: {},
  state: {},
  messages: { elected },
  timers: ['slice'],

  onStart(_state, ctx) {
    if (ctx.id === 0)
      announce(ctx); // R2
    else ctx.setTimer('slice', ctx.id * ctx.n); // R1
  },

  onTimer(_state, _timer, ctx) {
    announce(ctx); // R2
  },

  on: {
    elected(state, port, message, ctx) {
      ctx.clearTimer('slice'); // R2
      forwardElected(state, port, message, ctx); // R3
    },
  },

  laws: [
    exact('election', '0', () => 0),
    announcementLaw,
    exact('electedAt', 'n·(smallest id)', ({ n, ids, lockstep }) =>
      lockstep ? n * smallest(ids) : undefined,
    ),
    exact('agreedAt', 'n·(smallest id) + n − 1', ({ n, ids, lockstep }) =>
      lockstep ? n * smallest(ids) + n - 1 : undefined,
    ),
    exact('announcementReturnedAt', 'n·(smallest id + 1)', ({ n, ids, lockstep }) =>
      lockstep ? n * (smallest(ids) + 1) : undefined,
    ),
  ],
});

function smallest(ids: Int32Array): number {
  return ids.reduce((one, other) => Math.min(one, other));
}
