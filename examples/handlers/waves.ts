/** Flooding in rounds on any connected network, and the tree along which the largest id arrived. */
import {
  counter,
  defineAlgorithm,
  exact,
  id,
  idSet,
  ids,
  message,
  NONE,
  port,
  portSet,
} from '@hustings/study/kernel';

export const waves = defineAlgorithm({
  name: 'waves',
  title: 'Waves',
  source: 'an example',
  cost: 'D·2m',
  assumes: {
    network: 'connected',
    timing: 'synchronous',
    ids: 'unique',
    fifo: true,
    knows: ['diameter', 'neighbours', 'time'],
  },
  params: {},
  state: { best: id(), parent: port(), larger: portSet(), seen: idSet(), changes: counter(({ n }) => n) },
  messages: { wave: message(['path', ids()]) },
  timers: ['round'],

  onStart(state, ctx) {
    state.best = ctx.id;
    state.seen.add(ctx.id);
    for (let at = 0; at < ctx.degree; at++) {
      if (ctx.neighbour(at) > ctx.id) state.larger.add(at);
      ctx.send(at, 'wave', [ctx.id]);
    }
    ctx.setTimer('round', 1);
  },

  on: {
    wave(state, from, { path }, ctx) {
      state.seen.add(path[0]);
      if (path[0] <= state.best) return;
      state.best = path[0];
      state.parent = from;
      state.changes++;
      if (ctx.now >= ctx.diameter) return;
      for (let at = 0; at < ctx.degree; at++) if (at !== from) ctx.send(at, 'wave', [...path, ctx.id]);
    },
  },

  onTimer(state, _timer, ctx) {
    if (ctx.now < ctx.diameter) ctx.setTimer('round', 1);
    else if (state.best === ctx.id) ctx.decide('leader');
    else ctx.decide('follower', state.best);
  },

  laws: [exact('agreedAt', 'D, from 1', ({ D }) => (D === null ? undefined : Math.max(1, D)))],

  fragment: ({ best }) => (best === NONE ? null : `wave ${best}`),
  tree: ({ parent }) => (parent === NONE ? [] : [parent]),
});
