/**
 * The election in time slices on a synchronous ring, as in "Variable Time Algorithm in a Synchronous Ring" at the end
 * of the notes on leader election in rings; Nancy A. Lynch: Distributed Algorithms, 1996, section 3.6.1, calls it
 * TimeSlice.
 *
 * Model: unidirectional ring, unique ids, synchronous: a message takes a unit, all clocks start at 0. Everybody knows n.
 * Wins: the smallest id.
 * Costs: no message of the election at all, and n to announce; but the leader knows at n times its id, and not before.
 *
 * Guarantees exactly one leader, known to all, with no message of a loser. Does not tolerate crash, loss, or messages
 * that are late: one that takes longer than its slice lets the next id speak too.
 *
 * R1  Time is cut into slices of n units: that of id k begins at k·n.
 * R2  Whose slice begins before it has heard of a leader leads, and sends word round.
 * R3  Word of the leader is passed on within the slice, so that nobody else ever speaks; it is swallowed where it began.
 */
import { defineAlgorithm } from '../../kernel/index.ts';
import { announce, announcedOnce, elected, passOn } from './announcement.ts';

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
      passOn(state, port, message, ctx); // R3
    },
  },

  laws: [
    { measure: 'election', kind: 'exact', formula: '0', value: () => 0 },
    announcedOnce,
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: 'n·(smallest id)',
      value: ({ n, ids, lockstep }) => (lockstep ? n * smallest(ids) : undefined),
    },
    {
      measure: 'agreedAt',
      kind: 'exact',
      formula: 'n·(smallest id) + n − 1',
      value: ({ n, ids, lockstep }) => (lockstep ? n * smallest(ids) + n - 1 : undefined),
    },
    {
      measure: 'announcementReturnedAt',
      kind: 'exact',
      formula: 'n·(smallest id + 1)',
      value: ({ n, ids, lockstep }) => (lockstep ? n * (smallest(ids) + 1) : undefined),
    },
  ],
});

function smallest(ids: Int32Array): number {
  return ids.reduce((one, other) => Math.min(one, other));
}
