import { announcement, bound, defineAlgorithm, exact, flag, id, message } from '@hustings/study/kernel';

const NEXT = 1;

export const myElection = defineAlgorithm({
  name: 'my-election',
  title: 'My election',
  source: 'an idea',
  cost: 'at most n(n+1)/2',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  state: { hasSent: flag() },
  messages: { token: message(['id', id()]), elected: announcement(['id', id()]) },

  onStart(state, ctx) {
    state.hasSent = true;
    ctx.send(NEXT, 'token', ctx.id);
  },

  on: {
    token(state, _port, { id }, ctx) {
      if (id === ctx.id) {
        ctx.decide('leader');
        ctx.send(NEXT, 'elected', id);
      } else if (id > ctx.id) {
        state.hasSent = true;
        ctx.forward(NEXT);
      } else if (!state.hasSent) {
        state.hasSent = true;
        ctx.send(NEXT, 'token', ctx.id);
      }
    },

    elected(_state, _port, { id }, ctx) {
      if (id === ctx.id) return;
      ctx.decide('follower', id);
      ctx.forward(NEXT);
    },
  },

  laws: [
    exact('announcement', 'n', ({ n }) => n),
    bound('election', 'n(n+1)/2', ({ n }) => (n * (n + 1)) / 2),
    exact(
      'election',
      '2n−1',
      'ids ascend clockwise and all initiate',
      ({ n, k, order, lockstep, faultless }) =>
        order === 'ascending' && k === n && lockstep && faultless ? 2 * n - 1 : undefined,
    ),
  ],
});
