/**
 * An attempt that must fail, for the impossibility of Dana Angluin: Local and global properties in networks of
 * processors. 12th ACM Symposium on Theory of Computing, 1980. Nodes without ids and without lots cannot elect.
 *
 * Model: unidirectional ring, anonymous nodes that know its size n, no lots, asynchronous. Any non-empty set initiates.
 * Costs: nk messages for k initiators; then n to announce.
 *
 * Guarantees one leader if exactly one node initiates: that one is then not like the others. If two or more do, all of
 * them lead: each finds its own token home, as each of the others does.
 *
 * R1  An initiator sends a token with hop count 1.
 * R2  A token is relayed until it has come n hops: then it is home.
 * R3  Whose token is home leads, and sends word round. All others follow.
 */
import { announcement, counter, defineAlgorithm, flag, message } from '../../../kernel/index.ts';

const NEXT = 1;

export const firstHome = defineAlgorithm({
  name: 'first-home',
  title: 'First home',
  source: 'after Angluin 1980',
  cost: 'nk',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'anonymous', fifo: false, knows: ['n'] },
  params: {},
  state: { leads: flag() },
  messages: { token: message(['hops', counter(({ n }) => n)]), elected: announcement() },

  onStart(_state, ctx) {
    ctx.send(NEXT, 'token', 1); // R1
  },

  on: {
    token(state, _port, { hops }, ctx) {
      if (hops < ctx.n) {
        ctx.send(NEXT, 'token', hops + 1); // R2
        return;
      }
      state.leads = true; // R3
      ctx.decide('leader');
      ctx.send(NEXT, 'elected');
    },

    elected(state, _port, _message, ctx) {
      if (state.leads) return; // R3
      ctx.decide('follower');
      ctx.forward(NEXT);
    },
  },

  laws: [
    {
      measure: 'election',
      kind: 'exact',
      formula: 'nk',
      value: ({ n, k }) => n * k,
    },
  ],
});
