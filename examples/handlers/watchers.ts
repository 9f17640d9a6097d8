/** A bully among nodes that may crash and recover: timers, undelivered messages, durable fields and terms. */
import {
  announcement,
  type Context,
  counter,
  defineAlgorithm,
  flag,
  id,
  integer,
  message,
  upkeep,
  type View,
} from '@hustings/study/kernel';

const MAX_TERM = 1000;
const term = () => counter(MAX_TERM);

const assumes = {
  network: 'complete',
  timing: 'bounded-delay',
  ids: 'unique',
  fifo: false,
  knows: ['neighbours'],
  faults: ['crash', 'recover'],
} as const;
const params = {
  timeout: integer('units until a missing answer means a crash', { min: 2, max: 100, byDefault: 4 }),
};
const state = {
  term: counter(MAX_TERM, { durable: true }),
  asking: flag(),
  leads: flag(),
  unanswered: counter(({ n }) => n),
};
const messages = {
  election: message(['term', term()]),
  alive: message(),
  coordinator: announcement(['id', id()], ['term', term()]),
  hello: upkeep(),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, 'patience'>;

export const watchers = defineAlgorithm({
  name: 'watchers',
  title: 'Watchers',
  source: 'after Garcia-Molina 1982',
  cost: 'n²',
  assumes,
  trigger: 'coordinator dead',
  params,
  state,
  messages,
  timers: ['patience'],

  onStart(state, ctx) {
    ask(state, ctx, state.term + 1);
  },

  on: {
    election(state, port, { term }, ctx) {
      ctx.send(port, 'alive');
      if (!state.asking && term > state.term) ask(state, ctx, term);
    },

    alive(_state, _port, _message, ctx) {
      ctx.clearTimer('patience');
    },

    coordinator(state, _port, { id, term }, ctx) {
      if (term < state.term) return;
      state.term = term;
      state.asking = false;
      state.leads = false;
      ctx.decide('follower', id, term);
    },

    hello(state, port, _message, ctx) {
      if (state.leads) ctx.send(port, 'coordinator', ctx.id, state.term);
    },
  },

  onTimer(state, timer, ctx) {
    if (timer === 'patience') lead(state, ctx);
  },

  onUndelivered(state, _port, message, ctx) {
    if (message.type !== 'election' || !state.asking) return;
    state.unanswered--;
    if (state.unanswered === 0) lead(state, ctx);
  },

  onRestart(_state, ctx) {
    for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'hello');
  },

  laws: [],
});

/** Asks every node with a larger id, and leads if none of them is alive. */
function ask(state: State, ctx: Ctx, term: number): undefined {
  state.asking = true;
  state.term = term;
  state.unanswered = 0;
  for (let port = 0; port < ctx.degree; port++) {
    if (ctx.neighbour(port) < ctx.id) continue;
    state.unanswered++;
    ctx.send(port, 'election', term);
  }
  if (state.unanswered === 0) lead(state, ctx);
  else ctx.setTimer('patience', ctx.params.timeout + 1);
}

function lead(state: State, ctx: Ctx): undefined {
  ctx.clearTimer('patience');
  state.asking = false;
  state.leads = true;
  ctx.decide('leader', ctx.id, state.term);
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'coordinator', ctx.id, state.term);
}
