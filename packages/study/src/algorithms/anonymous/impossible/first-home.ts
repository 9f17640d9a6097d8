/**
 * An attempt that must fail. It illustrates the impossibility result of Dana Angluin: Local and global properties in
 * networks of processors. 12th ACM Symposium on Theory of Computing, 1980: no deterministic algorithm elects a leader
 * among anonymous nodes.
 *
 * Model: unidirectional ring, anonymous nodes that know its size n, no random draws, asynchronous. Any non-empty set
 * of nodes initiates.
 * Costs: nk messages for k initiators; then n for the announcement.
 *
 * Guarantees one leader if exactly one node initiates, because this node differs from the others. If two or more
 * initiate, all of them become leaders: each receives its own token.
 *
 * R1  An initiator sends a token with hop count 1.
 * R2  A token is forwarded until it has travelled n hops: it has then returned to its sender.
 * R3  A node whose token has returned becomes the leader and sends `elected` around the ring. All other nodes follow.
 */
import { announcement, counter, defineAlgorithm, exact, flag, message } from '../../../kernel/index.ts';

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

  laws: [exact('election', 'nk', ({ n, k }) => n * k)],
});
