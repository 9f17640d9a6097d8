/**
 * A test algorithm with an overlay: on a ring the nodes 0, n/u, 2n/u, … (points) are also linked to a helper at
 * position n that is not a candidate. The helper lets all arcs between points search at the same time, and announces
 * the result on all of them. If it has crashed, the detector searches the whole ring alone.
 */
import {
  announcement,
  type Context,
  counter,
  defineAlgorithm,
  id,
  integer,
  message,
  NONE,
  Topology,
} from '../../src/kernel/index.ts';

const assumes = {
  network: 'ring',
  timing: 'asynchronous',
  ids: 'unique',
  fifo: true,
  faults: ['crash', 'recover'],
} as const;

const params = { u: integer('points', { min: 1, max: 1000, byDefault: 2 }) };

const messages = {
  call: message(),
  divide: message(),
  search: message(['best', id()]),
  reply: message(['best', id()]),
  alone: message(['best', id()]),
  elected: announcement(['best', id()]),
};

type Ctx = Context<typeof assumes, typeof messages, typeof params, never>;

function portOf(label: string, ctx: Ctx): number {
  for (let port = 0; port < ctx.degree; port++) if (ctx.label(port) === label) return port;
  return NONE;
}

const next = (ctx: Ctx): number => portOf('next', ctx);
const helper = (ctx: Ctx): number => portOf('helper', ctx);

export const helperElection = defineAlgorithm({
  name: 'helper-election',
  title: 'Election with a helper',
  source: 'none',
  cost: '2n + 4u + 1',
  assumes,
  params,
  state: { replies: counter(1000), best: id(), alone: counter(2) },
  messages,

  overlay(n, { u }) {
    const nodes = Array.from({ length: n }, (_, at) => {
      const ring = [
        { to: (at + n - 1) % n, label: 'previous' },
        { to: (at + 1) % n, label: 'next' },
      ];
      return at % (n / u) === 0 ? [{ to: n, label: 'helper' }, ...ring] : ring;
    });
    const points = Array.from({ length: u }, (_, k) => ({ to: (k * n) / u, label: `point ${k}` }));
    return Topology.fromPorts('helper', [...nodes, points]);
  },

  onStart(_state, ctx) {
    ctx.send(helper(ctx), 'call');
  },

  on: {
    call(_state, _port, _message, ctx) {
      for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'divide');
    },
    divide(_state, _port, _message, ctx) {
      ctx.send(next(ctx), 'search', ctx.id);
    },
    search(_state, _port, { best }, ctx) {
      const home = helper(ctx);
      if (home === NONE) ctx.send(next(ctx), 'search', Math.max(best, ctx.id));
      else ctx.send(home, 'reply', best);
    },
    reply(state, _port, { best }, ctx) {
      state.replies++;
      state.best = Math.max(state.best, best);
      if (state.replies < ctx.degree) return;
      for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'elected', state.best);
    },
    alone(state, _port, { best }, ctx) {
      if (state.alone === 0) ctx.send(next(ctx), 'alone', Math.max(best, ctx.id));
      else spread(best, ctx);
    },
    elected(state, port, { best }, ctx) {
      const isPoint = helper(ctx) !== NONE;
      if (isPoint && ctx.label(port) !== 'helper' && state.alone !== 0) return;
      if (isPoint && ctx.label(port) === 'helper') state.alone = 2;
      spread(best, ctx);
    },
  },

  onUndelivered(state, _port, _message, ctx) {
    state.alone = 1;
    ctx.send(next(ctx), 'alone', ctx.id);
  },

  laws: [],
});

function spread(best: number, ctx: Ctx): void {
  if (best === ctx.id) ctx.decide('leader');
  else ctx.decide('follower', best);
  ctx.send(next(ctx), 'elected', best);
}
