/** A Monte Carlo election among nodes without ids: the largest number wins, if only one node drew it. */
import {
  announcement,
  bound,
  counter,
  defineAlgorithm,
  flag,
  integer,
  mean,
  message,
} from '@hustings/study/kernel';

const NEXT = 1;

export const lottery = defineAlgorithm({
  name: 'lottery',
  title: 'Lottery',
  source: 'an example',
  cost: 'at most n²',
  assumes: {
    network: 'one-way ring',
    timing: 'asynchronous',
    ids: 'anonymous',
    fifo: true,
    knows: ['n'],
    mayErr: true,
  },
  startOnMessage: true,
  params: {
    numbers: integer('how many numbers there are', {
      min: 1,
      max: 1000,
      byDefault: (n) => Math.min(1000, n * n),
    }),
  },
  state: { number: counter(1000) },
  messages: {
    ticket: message(['number', counter(1000)], ['hops', counter(({ n }) => n)], ['unique', flag()]),
    elected: announcement(['hops', counter(({ n }) => n)]),
  },

  onStart(state, ctx) {
    state.number = ctx.random(ctx.params.numbers);
    ctx.send(NEXT, 'ticket', state.number, 1, true);
  },

  on: {
    ticket(state, _port, { number, hops, unique }, ctx) {
      if (!ctx.initiator) {
        ctx.send(NEXT, 'ticket', number, hops + 1, unique);
      } else if (hops === ctx.n) {
        if (!unique) return;
        ctx.decide('leader');
        ctx.send(NEXT, 'elected', 1);
      } else if (number >= state.number) {
        ctx.send(NEXT, 'ticket', number, hops + 1, unique && number > state.number);
      }
    },

    elected(_state, _port, { hops }, ctx) {
      if (hops === ctx.n) return;
      ctx.decide('follower');
      ctx.send(NEXT, 'elected', hops + 1);
    },
  },

  laws: [
    bound('election', 'n²', ({ n }) => n * n),
    mean('errorRate', '1/numbers', 'two nodes', ({ n, params }) =>
      n === 2 ? 1 / Number(params.numbers) : undefined,
    ),
  ],
});
