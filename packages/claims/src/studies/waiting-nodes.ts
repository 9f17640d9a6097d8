/**
 * Sequential ephemeral nodes, as the ZooKeeper store uses them: the queue decides which node a candidate watches and when it
 * asks, and the rules of the lease decide whether it leads. Candidates join, release and crash; notifications arrive late, in
 * any order, and nodes vanish between two requests of one candidate.
 */

import { formatFigure } from '@hustings/base';
import type { Random } from '@hustings/study/kernel';
import { acquire, EMPTY_ROW, type LeaseRow, release, renew } from 'hustings/internal/lease/core/lease-row';
import { afterWatching, watchedNode } from 'hustings/internal/lease/core/watch-queue';
import { type Study, verdictOf } from '../claim.ts';
import { ours, stated } from '../origin.ts';
import { ROURKELA } from '../sources.ts';

const TTL_MS = 1000;
const CANDIDATES = 8;
const HOLDER = 'holder';

interface Candidate {
  /** Its node in the queue, or that of the holder once it leads. */
  node: string;
  readonly number: number;
  /** The path that it watches. */
  watched: string | null;
  token: bigint | null;
  /** The holder leads until then, by its own clock. */
  deadlineMs: number;
  /** A crashed process does nothing. Its node stays until its session ends, after the lease. */
  endsAtMs: number | null;
  /** A version of the record, and when the candidate saw it first. */
  seen: { readonly version: bigint; readonly sinceMs: number } | null;
}

class QueueRun {
  terms = 0;
  /** Terms that began although another leader still led, or a candidate with a smaller number waited. */
  wrong = 0;
  /** Times at which all notifications have arrived, candidates wait, and nobody leads or is about to. */
  idle = 0;
  /** The largest number of candidates that one vanished node has notified. */
  notified = 0;
  readonly #random: Random;
  #candidates: Candidate[] = [];
  #row: LeaseRow = EMPTY_ROW;
  #nowMs = 0;
  #next = 0;
  #pending: Candidate[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  step(): void {
    const random = this.#random;
    this.#nowMs += random.below(TTL_MS / 4);
    const live = this.#candidates.filter(({ endsAtMs }) => endsAtMs === null);
    const leader = live.find(({ node }) => node === HOLDER);
    const event = random.below(8);
    if (event === 0 && this.#candidates.length < CANDIDATES) this.#join();
    else if (event === 1 && live.length > 0) {
      live[random.below(live.length)].endsAtMs = this.#nowMs + TTL_MS;
    } else if (event === 2 && leader !== undefined) this.#release(leader);
    else if (leader !== undefined) this.#renew(leader);
    for (const each of this.#candidates) if ((each.endsAtMs ?? Infinity) <= this.#nowMs) this.#remove(each);
    const [notified] = this.#pending.splice(random.below(this.#pending.length + 1), 1);
    if (notified !== undefined) this.#arrange(notified);
    // A candidate whose turn it is asks again when it has seen the record for a TTL.
    for (const each of live) {
      if (each.seen !== null && this.#nowMs >= each.seen.sinceMs + TTL_MS) this.#arrange(each);
    }
    const isAsking = this.#candidates.some(({ endsAtMs, seen }) => endsAtMs !== null || seen !== null);
    const isLed = this.#candidates.some(({ node }) => node === HOLDER);
    if (this.#candidates.length > 0 && this.#pending.length === 0 && !isAsking && !isLed) this.idle++;
  }

  #join(): void {
    const number = this.#next++;
    const node = `c-${String(number).padStart(10, '0')}`;
    const state = { watched: null, token: null, deadlineMs: 0, endsAtMs: null, seen: null };
    const candidate: Candidate = { node, number, ...state };
    this.#candidates.push(candidate);
    this.#arrange(candidate);
  }

  #release(leader: Candidate): void {
    const request = {
      name: 'e',
      nonce: `${leader.number}`,
      token: leader.token!,
      reason: 'released',
    } as const;
    this.#row = release(this.#row, { ...request, successor: null, reserveMs: 0 }, this.#nowMs, false).row;
    leader.deadlineMs = 0;
    this.#remove(leader);
  }

  #renew(leader: Candidate): void {
    const request = { name: 'e', nonce: `${leader.number}`, token: leader.token!, ttlMs: TTL_MS };
    const { row, answer } = renew(this.#row, request, this.#nowMs, false);
    this.#row = row;
    if (answer.type === 'ok') leader.deadlineMs = this.#nowMs + TTL_MS;
  }

  #remove(candidate: Candidate): void {
    this.#candidates = this.#candidates.filter((each) => each !== candidate);
    this.#pending = this.#pending.filter((each) => each !== candidate);
    this.#vanish(candidate.node);
  }

  #vanish(node: string): void {
    const watching = this.#candidates.filter(({ watched }) => watched === node);
    this.notified = Math.max(this.notified, watching.length);
    for (const each of watching) each.watched = null;
    this.#pending.push(...watching);
  }

  #arrange(candidate: Candidate): void {
    if (candidate.endsAtMs !== null || candidate.node === HOLDER) return;
    const listed = this.#candidates.map(({ node }) => node).filter((node) => node !== HOLDER);
    const gone = this.#candidates.find((each) => each.endsAtMs !== null && each !== candidate);
    if (gone !== undefined && this.#random.below(4) === 0) {
      this.#nowMs = Math.max(this.#nowMs, gone.endsAtMs!);
      this.#remove(gone);
    }
    const watched = watchedNode(listed, candidate.node)!;
    candidate.watched = watched.type === 'first' ? HOLDER : watched.node;
    const exists = this.#candidates.some(({ node }) => node === candidate.watched);
    const next = afterWatching(watched, exists);
    if (next === 'look again') this.#arrange(candidate);
    else if (next === 'ask') this.#ask(candidate);
    else candidate.seen = null;
  }

  #ask(candidate: Candidate): void {
    const { seen, number } = candidate;
    const isStale = seen !== null && this.#nowMs >= seen.sinceMs + TTL_MS;
    const { row, answer } = acquire(
      this.#row,
      {
        ...{ name: 'e', id: `${number}`, nonce: `${number}`, ttlMs: TTL_MS, priority: 0, processProof: '' },
        ...{ goneNonce: null, staleVersion: isStale ? seen.version : null, holdAtLeastMs: 0, registerMs: 0 },
      },
      this.#nowMs,
      false,
    );
    this.#row = row;
    if (answer.type === 'held') {
      const { version } = answer.record;
      if (seen?.version !== version) candidate.seen = { version, sinceMs: this.#nowMs };
      return;
    }
    this.terms++;
    const others = this.#candidates.filter((other) => other !== candidate);
    if (others.some((other) => other.deadlineMs > this.#nowMs || other.number < number)) this.wrong++;
    const { node } = candidate;
    candidate.node = HOLDER;
    candidate.watched = null;
    candidate.seen = null;
    candidate.token = answer.token;
    candidate.deadlineMs = this.#nowMs + TTL_MS;
    this.#vanish(node);
  }
}

export const waitingNodes: Study = {
  claims: [
    {
      id: 'predecessor-watch/smallest',
      origin: stated([ROURKELA, 'line 56']),
      says: 'when the smallest ephemeral node disappears, the candidate whose own node is then the smallest leads',
      method: 'share of runs',
    },
    {
      id: 'predecessor-watch/predecessor',
      origin: ours('Apache ZooKeeper: recipes'),
      says: 'if each process watches only its predecessor, the smallest leads too, and a failure notifies only one process',
      method: 'share of runs',
    },
  ],
  measure(experiment) {
    const run = new QueueRun(experiment.random('sequential nodes'));
    for (let step = experiment.some(20_000, 400_000); step > 0; step--) run.step();
    const { terms, wrong, idle, notified } = run;
    const measured = `${wrong} times another candidate leads, and ${idle} times none after all notifications, in ${formatFigure(terms)} terms`;
    const isRight = terms > 0 && wrong === 0 && idle === 0;
    return [
      {
        verdict: verdictOf(isRight),
        measured,
        why: 'here each candidate watches only its predecessor: the one whose node is then the smallest is notified, and the others are not',
      },
      {
        verdict: verdictOf(isRight && notified === 1),
        measured: `${measured}; a node that vanishes notifies at most ${notified} candidate`,
      },
    ];
  },
};
