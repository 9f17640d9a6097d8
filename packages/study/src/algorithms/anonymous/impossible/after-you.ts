/**
 * An attempt that must fail. It illustrates the impossibility result of Dana Angluin: Local and global properties in
 * networks of processors. 12th ACM Symposium on Theory of Computing, 1980: no deterministic algorithm elects a leader
 * among anonymous nodes.
 *
 * Model: unidirectional ring, anonymous nodes that know its size n, no random draws, asynchronous. Any non-empty set
 * of nodes initiates.
 * Costs: at most nk messages for k initiators; then n for the announcement.
 *
 * Guarantees one leader if exactly one node initiates, because this node differs from the others. If all nodes start
 * together, each becomes a follower of its predecessor, and there is no leader.
 *
 * R1  An initiator becomes a candidate and sends a token with hop count 1.
 * R2  A node that receives a token that has travelled fewer than n hops follows the sender of the token and forwards
 *     it.
 * R3  A token that has travelled n hops has returned to its sender. If the sender is still a candidate, it becomes
 *     the leader and sends `elected` around the ring. The leader discards all later messages.
 */
import { announcement, bound, choice, counter, defineAlgorithm, message } from '../../../kernel/index.ts';

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

  laws: [bound('election', 'nk', ({ n, k }) => n * k)],
});
