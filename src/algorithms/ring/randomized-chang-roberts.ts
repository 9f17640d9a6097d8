/**
 * Chang–Roberts on a bidirectional ring, each message in a direction that its sender draws; R. Karnapke: Election
 * Algorithms, lecture notes, 2015, slides 49 to 51, after Christian Lavault, 1990.
 *
 * Model: bidirectional ring, unique ids, asynchronous, uniform: nobody knows n. Any non-empty set initiates.
 * Wins: the largest id among the initiators.
 * Costs: n(ln n/√2 + 1.04) messages on average when all initiate, in lockstep; n(n+1)/2 at worst; then n to announce.
 *
 * Guarantees exactly one leader, known to all, in every schedule, in order or not, and whatever is drawn. Does not
 * tolerate crash or loss. Does not always save: a larger id stops a smaller one sooner if they meet head-on, and they
 * do half of the time; that is 16, 19, 21 % under n·H_n for 64, 256, 1,024 nodes, and 30 % only in the limit.
 *
 * R1  An initiator p notes M := p, draws a direction, each as likely, and sends its id that way.
 * R2  A node that receives an id larger than M notes it, M := id, and passes it on in the direction in which it goes.
 * R3  What is not larger is swallowed. M is one value for both directions: that is the saving.
 * R4  Whose own id comes round has won, and sends word round.
 * R5  Word of the winner goes clockwise, and is swallowed where it began.
 */
import { defineAlgorithm, id, message } from '../../kernel/index.ts';
import { announce, announcedOnce, elected, passOn } from './announcement.ts';

const PREVIOUS = 0;
const NEXT = 1;

export const randomizedChangRoberts = defineAlgorithm({
  name: 'randomized-chang-roberts',
  title: 'Chang–Roberts, randomized',
  source: 'Lavault 1990',
  cost: 'n(ln n/√2 + 1.04) mean',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  state: { M: id() },
  messages: { token: message(['id', id()]), elected },

  onStart(state, ctx) {
    state.M = ctx.id;
    ctx.send(ctx.random(2) === 1 ? PREVIOUS : NEXT, 'token', ctx.id); // R1
  },

  on: {
    token(state, port, { id }, ctx) {
      if (id > state.M) {
        state.M = id; // R2
        ctx.forward(port === NEXT ? PREVIOUS : NEXT);
      } else if (id === ctx.id) {
        announce(ctx); // R4
      } // R3
    },

    elected: passOn, // R5
  },

  laws: [
    {
      measure: 'election',
      kind: 'mean',
      formula: 'n(ln n/√2 + 1.04)',
      when: 'in lockstep, all initiate, n ≥ 64',
      value: ({ n, k, order, lockstep, smooth }) =>
        order === 'other' && k === n && n >= 64 && lockstep && smooth
          ? n * (Math.log(n) / Math.SQRT2 + 1.04)
          : undefined,
    },
    {
      measure: 'election',
      kind: 'bound',
      formula: 'nk − k(k−1)/2',
      value: ({ n, k }) => n * k - (k * (k - 1)) / 2,
    },
    {
      measure: 'election',
      kind: 'exact',
      formula: 'n',
      when: 'one node initiates',
      value: ({ n, k }) => (k === 1 ? n : undefined),
    },
    announcedOnce,
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: 'n',
      when: 'in lockstep',
      value: ({ n, lockstep, smooth }) => (lockstep && smooth ? n : undefined),
    },
    {
      measure: 'announcementReturnedAt',
      kind: 'exact',
      formula: '2n',
      when: 'in lockstep',
      value: ({ n, lockstep, smooth }) => (lockstep && smooth ? 2 * n : undefined),
    },
  ],
});
