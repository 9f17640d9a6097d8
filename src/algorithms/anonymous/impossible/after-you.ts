/**
 * An attempt that must fail, for the impossibility of Dana Angluin: Local and global properties in networks of
 * processors. 12th ACM Symposium on Theory of Computing, 1980. Nodes without ids and without lots cannot elect.
 *
 * Model: unidirectional ring, anonymous nodes that know its size n, no lots, asynchronous. Any non-empty set initiates.
 * Costs: nk messages at most for k initiators; then n to announce.
 *
 * Guarantees one leader if exactly one node initiates: that one is then not like the others. If all start together,
 * each gives way to the one before it, as each of the others does, and nobody leads.
 *
 * R1  An initiator stands, and sends a token with hop count 1.
 * R2  Whoever receives a token that has come less than n hops follows whoever sent it, and relays it.
 * R3  A token that has come n hops is home. Who still stands then leads, and sends word round; it swallows what is left.
 */
import { announcement, choice, counter, defineAlgorithm, message } from '../../../kernel/index.ts';

const NEXT = 1;

export const afterYou = defineAlgorithm({
  name: 'after-you',
  title: 'After you',
  source: 'after Angluin 1980',
  cost: 'nk worst',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'anonymous', fifo: false, knows: ['n'] },
  params: {},
  state: { at: choice(['idle', 'stands', 'follows', 'leads']) },
  messages: { token: message(['hops', counter(({ n }) => n)]), elected: announcement() },

  onStart(state, ctx) {
    state.at = 'stands'; // R1
    ctx.send(NEXT, 'token', 1);
  },

  on: {
    token(state, _port, { hops }, ctx) {
      if (state.at === 'leads') return; // R3
      if (hops < ctx.n) {
        state.at = 'follows'; // R2
        ctx.decide('follower');
        ctx.send(NEXT, 'token', hops + 1);
      } else if (state.at === 'stands') {
        state.at = 'leads'; // R3
        ctx.decide('leader');
        ctx.send(NEXT, 'elected');
      }
    },

    elected(state, _port, _message, ctx) {
      if (state.at !== 'leads') ctx.forward(NEXT); // R3
    },
  },

  laws: [{ measure: 'election', kind: 'bound', formula: 'nk', value: ({ n, k }) => n * k }],
});
