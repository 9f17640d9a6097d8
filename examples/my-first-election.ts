import { announcement, defineAlgorithm, id, message } from '@hustings/study/kernel';

const NEXT = 1;

export const myFirstElection = defineAlgorithm({
  name: 'my-first-election',
  title: 'My first election',
  source: 'an idea',
  cost: 'at most n(n+1)/2',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  state: {},
  messages: { token: message(['id', id()]), elected: announcement(['id', id()]) },

  onStart(_state, ctx) {
    ctx.send(NEXT, 'token', ctx.id);
  },

  on: {
    token(_state, _port, { id }, ctx) {
      if (id === ctx.id) {
        ctx.decide('leader');
        ctx.send(NEXT, 'elected', id);
      } else if (id > ctx.id) {
        ctx.forward(NEXT);
      }
    },

    elected(_state, _port, { id }, ctx) {
      if (id === ctx.id) return;
      ctx.decide('follower', id);
      ctx.forward(NEXT);
    },
  },

  laws: [],
});
