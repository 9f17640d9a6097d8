/**
 * A lease with a fencing token, for the lesson on late leaders. Not an election of the catalogue.
 *
 * Model: star, unique ids, asynchronous. The centre is the store of the lease and the resource. The other nodes are
 * candidates. A timer may fire at any time, because the candidate's clock stands still while it is paused.
 *
 * R1  A candidate asks for the lease.
 * R2  The store grants a free lease with a token that is larger than all before it, and queues other requests.
 * R3  A candidate that receives a grant becomes the leader of that term and sends a write with its token.
 * R4  The lease ends by the clock of the store. The store then grants it to the next candidate, and tells the old leader,
 *     which follows. The old leader may learn this late: its write may still be on its way.
 * R5  With a fence, the resource refuses a write whose token is smaller than one that it has seen. Without one, it accepts
 *     every write.
 */
import {
  announcement,
  type Context,
  counter,
  defineAlgorithm,
  exact,
  id,
  ids,
  message,
  NONE,
  onOff,
  port,
  ports,
  type View,
} from '@hustings/study/kernel';

/** In units; a request, a grant and a write take 3 in lockstep. */
const LEASE_UNITS = 5;
const TO_STORE = 0;

const assumes = { network: 'tree', timing: 'asynchronous', ids: 'unique', fifo: false } as const;
const params = { fence: onOff('the resource refuses a write with an older token') };
const state = {
  /** The token of the last grant. */
  token: counter(({ n }) => n),
  holder: id(),
  holderPort: port(),
  waiting: ports(),
  waitingIds: ids(),
  /** The largest token of a write that arrived. */
  highest: counter(({ n }) => n),
  accepted: counter(({ n }) => n),
  /** Accepted writes whose token is older than one accepted before. */
  stale: counter(({ n }) => n),
  refused: counter(({ n }) => n),
};
const messages = {
  request: message(['id', id()]),
  grant: message(['token', counter(({ n }) => n)]),
  write: announcement(['token', counter(({ n }) => n)]),
  ended: announcement(['leader', id()], ['token', counter(({ n }) => n)]),
};
type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, 'lease'>;

/** A lease with a fencing token, on a star whose centre is store and resource. */
export const leaseWithPause = defineAlgorithm({
  name: 'lease-with-pause',
  title: 'Lease with a pause',
  source: 'after docs/fencing.md',
  cost: '2 per term',
  assumes,
  params,
  state,
  messages,
  timers: ['lease'],
  phase: ({ token }) => (token > 0 ? `token ${token}` : null),

  onStart(_state, ctx) {
    if (ctx.degree === 1) ctx.send(TO_STORE, 'request', ctx.id); // R1
  },

  onTimer(state, _timer, ctx) {
    const last = state.holderPort;
    state.holder = NONE; // R4
    const port = state.waiting.shift();
    const next = state.waitingIds.shift();
    if (port === undefined || next === undefined) return;
    grant(state, port, next, ctx);
    ctx.send(last, 'ended', next, state.token);
  },

  on: {
    request(state, port, { id }, ctx) {
      if (state.holder === NONE) grant(state, port, id, ctx);
      else {
        state.waiting.push(port);
        state.waitingIds.push(id);
      }
    },

    grant(state, _port, { token }, ctx) {
      state.token = token;
      ctx.decide('leader', ctx.id, token); // R3
      ctx.send(TO_STORE, 'write', token);
    },

    write(state, _port, { token }, ctx) {
      if (ctx.params.fence && token < state.highest) {
        state.refused++; // R5
        return;
      }
      state.accepted++;
      if (token < state.highest) state.stale++;
      state.highest = Math.max(state.highest, token);
    },

    ended(_state, _port, { leader, token }, ctx) {
      ctx.decide('follower', leader, token); // R4
    },
  },

  laws: [exact('election', '2(n−1)', 'all initiate', ({ n, k }) => (k === n ? 2 * (n - 1) : undefined))],
});

/** R2 */
function grant(state: State, port: number, candidate: number, ctx: Ctx): void {
  state.token++;
  state.holder = candidate;
  state.holderPort = port;
  ctx.decide('follower', candidate, state.token);
  ctx.send(port, 'grant', state.token);
  ctx.setTimer('lease', LEASE_UNITS);
}
