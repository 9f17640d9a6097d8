/**
 * What all bully algorithms share: the model, the state (the coordinator, its term, and the phase of the election), and
 * the invariants of one process.
 *
 * A coordinator announces itself to all smaller ids. A process that has seen a newer term answers an announcement
 * with that term, and the sender, if it still leads, announces itself in a term above it. So all processes end in the
 * same term.
 */
import type { Context, Messages, NodeInvariant, View } from '../../kernel/index.ts';
import { choice, counter, id, integer, MAX_WORD, NONE } from '../../kernel/index.ts';
import { termPhase } from '../terms.ts';
import { nextOwnTerm, type RankedProcess, rankOf } from './ranks.ts';

export const bullyState = {
  /** The largest term seen. Outside an election, the term of its coordinator. */
  term: counter(MAX_WORD, { durable: true }),
  coordinator: id(),
  phase: choice(['idle', 'calling', 'waiting']),
};

export type BullyState = View<typeof bullyState>;

const invariants: Readonly<Record<string, NodeInvariant<typeof bullyState>>> = {
  'term-never-decreases': {
    statement: 'The term of a process never decreases, not even in a crash',
    holds: ({ state, before }) => state.term >= before.term,
  },
  'no-smaller-coordinator': {
    statement: 'A process never accepts a smaller one as the coordinator',
    holds: ({ state: { coordinator }, id }) => coordinator === NONE || coordinator >= id,
  },
  'no-coordinator-during-election': {
    statement: 'A process that has a coordinator is in no election',
    holds: ({ state: { coordinator, phase } }) => coordinator === NONE || phase === 'idle',
  },
};

/** The model: a complete network, crash-recovery, and bounded delay. */
export const bullyModel = {
  assumes: {
    network: 'complete',
    timing: 'bounded-delay',
    ids: 'unique',
    fifo: false,
    knows: ['neighbours'],
    faults: ['crash', 'recover', 'duplication'],
  },
  trigger: 'coordinator dead',
  params: {
    timeout: integer('units after which a process that has not answered is considered crashed', {
      min: 1,
      max: 1_000_000,
      byDefault: 2,
    }),
  },
  phase: termPhase,
  termField: 'term',
  invariants: { node: invariants },
} as const;

export type BullyContext<M extends Messages, T extends string> = Context<
  typeof bullyModel.assumes,
  M,
  typeof bullyModel.params,
  T
>;

/** The part of a context that calling, waiting and following need. */
export interface BullyProcess extends RankedProcess {
  readonly params: { readonly timeout: number };
  send(port: number, type: 'election', term: number): void;
  setTimer(name: 'patience', units: number): void;
  clearTimer(name: 'patience'): void;
  decide(role: 'leader' | 'follower', leader: number, term: number): void;
}

/** A process that can also announce itself. */
export interface AnnouncingProcess extends BullyProcess {
  send(port: number, type: 'election' | 'coordinator', term: number): void;
}

export function enterNewTerm(state: BullyState, ctx: BullyProcess): void {
  state.term = nextOwnTerm(state.term + 1, ctx);
}

/** Calls all larger ids and waits for answers. Returns false if there are none. */
export function callLarger(state: BullyState, timeout: number, ctx: BullyProcess): boolean {
  const rank = rankOf(ctx);
  state.coordinator = NONE;
  state.phase = 'calling';
  for (let port = rank; port < ctx.degree; port++) ctx.send(port, 'election', state.term);
  if (rank < ctx.degree) ctx.setTimer('patience', timeout);
  return rank < ctx.degree;
}

/** Waits for the announcement of the next coordinator. */
export function awaitAnnouncement(state: BullyState, ctx: BullyProcess): void {
  state.coordinator = NONE;
  state.phase = 'waiting';
  ctx.setTimer('patience', 2 * ctx.params.timeout);
}

export function announce(state: BullyState, term: number, ctx: AnnouncingProcess): void {
  acceptCoordinator(state, ctx.id, term, ctx);
  const rank = rankOf(ctx);
  for (let port = 0; port < rank; port++) ctx.send(port, 'coordinator', term);
}

/** accepted: the sender is the new coordinator; older: its term is outdated; known: neither. */
export type AnnouncementResult = 'accepted' | 'older' | 'known';

/** Accepts the sender as the coordinator. If the result is `older`, the caller answers with the newer term. */
export function onCoordinator(
  state: BullyState,
  port: number,
  term: number,
  ctx: BullyProcess,
): AnnouncementResult {
  const sender = ctx.neighbour(port);
  if (term > state.term || (term === state.term && sender > state.coordinator)) {
    acceptCoordinator(state, sender, term, ctx);
    return 'accepted';
  }
  return term < state.term ? 'older' : 'known';
}

/** True if this process is the coordinator and a smaller process has answered with a newer term. */
export function isOutdated(state: BullyState, port: number, term: number, ctx: BullyProcess): boolean {
  return state.coordinator === ctx.id && ctx.neighbour(port) < ctx.id && term > state.term;
}

/** Ends the election with `coordinator`, which is this process or another. */
export function acceptCoordinator(
  state: BullyState,
  coordinator: number,
  term: number,
  ctx: BullyProcess,
): void {
  state.term = term;
  state.coordinator = coordinator;
  state.phase = 'idle';
  ctx.clearTimer('patience');
  ctx.decide(coordinator === ctx.id ? 'leader' : 'follower', coordinator, term);
}
