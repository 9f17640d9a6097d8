/**
 * The store: the real rules of lease-row.ts, each applied at one point of true time, and the real recording of terms. It may be
 * down, slow or busy, answer from a stale copy, or set its clock. What it has committed stays committed, unless it forgets: then
 * it grants nothing for one TTL after the first request.
 */
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
} from '../../../../src/lease/core/calls.ts';
import * as row from '../../../../src/lease/core/lease-row.ts';
import type * as queue from '../../../../src/lease/core/queue.ts';
import type { StoreErrorKind } from '../../../../src/lease/core/store-error.ts';
import type { Term } from '../../../../src/lease/lease-store.ts';
import { endTerm, grantedUntil, startTerm, wallEndMs } from '../../../../src/lease/stores/term-keeping.ts';
import { hold } from '../observers/invariant.ts';
import type { LeaseObserver } from '../observers/lease-observer.ts';
import type { Environment } from './network.ts';

export type Rules = Pick<typeof row, 'acquire' | 'renew' | 'release' | 'evict' | 'requestTransfer'> &
  Pick<typeof queue, 'firstAhead' | 'registrationOf'>;

/** What the store does when it has lost its data; the last two are mutants. */
export type AfterLoss = 'waits' | 'grants at once' | 'counts from 1';

export type Request =
  | { readonly type: 'acquire'; readonly request: AcquireRequest }
  | { readonly type: 'renew'; readonly request: RenewRequest }
  | { readonly type: 'release'; readonly request: ReleaseRequest };

export type Reply =
  | { readonly type: 'acquire-answer'; readonly answer: AcquireAnswer }
  | { readonly type: 'renew-answer'; readonly answer: RenewAnswer }
  | { readonly type: 'release-answer'; readonly answer: ReleaseAnswer }
  | { readonly type: 'store-error'; readonly kind: StoreErrorKind };

const REMEMBERED_ROWS = 8;
/** The clock of the store at the start: a token must be larger than all that were given before. */
const START_MS = 1_700_000_000_000;

export class SimulatedStore {
  isDown = false;
  slowUntilMs = 0;
  /** Counts restarts: connections from before a restart are lost. */
  restarts = 0;
  /** The clock of the store, minus true time. */
  #offsetMs = START_MS;
  #hasForgotten = false;
  /** The grants whose terms were forgotten. */
  #forgotten = 0;
  readonly #oldRows: row.LeaseRow[] = [];
  #row: row.LeaseRow = row.EMPTY_ROW;
  /** The candidates that wait, by nonce. */
  readonly #waiting = new Map<string, queue.Registration>();
  /** Terms on disk, and terms that a crash would lose: none in the correct code. */
  #terms: Term[] = [];
  #unwritten: Term[] | null = null;

  constructor(
    private readonly world: Environment,
    private readonly hasClock: boolean,
    private readonly observer: LeaseObserver,
    private readonly rules: Rules,
    private readonly writesAuditLate: boolean,
    private readonly afterLoss: AfterLoss,
    private readonly notification: () => void,
  ) {}

  receive(request: Request, answer: (reply: Reply) => void): void {
    const { world } = this;
    const { restarts } = this;
    if (this.isDown) {
      answer({ type: 'store-error', kind: 'unreachable' });
      return;
    }
    if (world.isOn('busy') && world.random('busy').chance(0.1)) {
      world.tally.count('busy');
      answer({ type: 'store-error', kind: world.random('busy').chance(0.8) ? 'busy' : 'denied' });
      return;
    }
    const serve = (): void => {
      if (this.restarts === restarts) answer(this.#apply(request));
      else answer({ type: 'store-error', kind: 'unreachable' });
    };
    if (world.nowMs >= this.slowUntilMs) serve();
    else {
      world.tally.count('slow-store');
      world.plan(world.nowMs + world.random('slow-store').below(2 * world.ttlMs), serve);
    }
  }

  /** The clock of the store. */
  get nowMs(): number {
    return this.world.nowMs + this.#offsetMs;
  }

  stepClock(byMs: number): void {
    this.#offsetMs += byMs;
  }

  /** All rows and terms are lost. */
  forget(): void {
    this.#row = row.EMPTY_ROW;
    this.#oldRows.length = 0;
    this.#waiting.clear();
    this.#terms = [];
    this.#unwritten = null;
    this.#forgotten = this.observer.grants.size;
    this.#hasForgotten = true;
    this.observer.forgot();
  }

  evict(): boolean {
    const { row, answer } = this.rules.evict(this.#row, null, this.nowMs, this.hasClock);
    this.#put(row, null);
    if (answer) this.observer.evicted();
    if (answer) this.notification();
    return answer;
  }

  requestTransfer(to: string): boolean {
    const { row, answer } = this.rules.requestTransfer(this.#row, to, true, this.nowMs, this.hasClock);
    this.#put(row, null);
    if (answer === 'requested') this.notification();
    return answer === 'requested';
  }

  stop(): void {
    this.isDown = true;
    this.restarts++;
    this.#unwritten = null;
    this.checkAudit();
  }

  start(): void {
    this.isDown = false;
  }

  /** Each granted token has a term, and a term ends before the next begins. */
  checkAudit(): void {
    const terms = this.#terms;
    const { grants } = this.observer;
    const kept = grants.size - this.#forgotten;
    hold(terms.length === kept, 'audit', () => `${kept} grants, ${terms.length} terms`);
    for (let i = 0; i < terms.length; i++) {
      const { token, nonce, startMs, endMs } = terms[i];
      hold(grants.get(token) === nonce, 'audit', () => `the term of ${token} is ${nonce}'s`);
      const next = terms[i + 1];
      if (next === undefined) continue;
      hold(
        endMs !== null && startMs <= endMs && endMs <= next.startMs && token < next.token,
        'audit',
        () => `the term of ${token} from ${startMs} to ${endMs}, the next from ${next.startMs}`,
      );
    }
  }

  #apply(request: Request): Reply {
    const { rules, observer, nowMs } = this;
    const both = { trueMs: this.world.nowMs, storeMs: nowMs };
    if (request.type === 'acquire') {
      if (this.#hasForgotten) this.#waitAfterLoss(request.request.ttlMs);
      const least = this.afterLoss === 'counts from 1' ? 1n : BigInt(nowMs) * 1_000n;
      const { request: claim } = request;
      const ahead = claim.fair ? rules.firstAhead(this.#waiting.values(), claim, nowMs) : null;
      const { row, answer, ended } = rules.acquire(this.#row, claim, nowMs, this.hasClock, least, ahead);
      observer.claimed(claim, answer, both);
      if (answer.type === 'ok') this.#waiting.delete(claim.nonce);
      else this.#waiting.set(claim.nonce, rules.registrationOf(this.#waiting.values(), claim, nowMs));
      this.#put(row, ended);
      return { type: 'acquire-answer', answer: this.#perhapsOld(answer) };
    }
    if (request.type === 'renew') {
      const { row, answer, ended } = rules.renew(this.#row, request.request, nowMs, this.hasClock);
      if (answer.type === 'ok') observer.renewed(request.request, both);
      this.#put(row, ended);
      return { type: 'renew-answer', answer };
    }
    const { row, answer, ended } = rules.release(this.#row, request.request, nowMs, this.hasClock);
    if (answer.type !== 'lost') observer.released(request.request, both);
    this.#put(row, ended);
    if (answer.type !== 'lost') this.notification();
    return { type: 'release-answer', answer };
  }

  /** The first request marks the time from which the store waits: the lease that it has forgotten ends meanwhile. */
  #waitAfterLoss(ttlMs: number): void {
    this.#hasForgotten = false;
    if (this.afterLoss === 'grants at once') return;
    this.#row = { ...row.EMPTY_ROW, untilMs: this.nowMs + ttlMs, durationMs: ttlMs };
  }

  #put(next: row.LeaseRow, ended: row.Applied<unknown>['ended']): void {
    const before = this.#row;
    if (next === before) return;
    this.#oldRows.push(before);
    if (this.#oldRows.length > REMEMBERED_ROWS) this.#oldRows.shift();
    this.#row = next;
    const now = { monoMs: this.nowMs, wallMs: this.nowMs };
    const terms = this.#openTerms();
    const last = terms.at(-1);
    if (last !== undefined && last.endMs === null) {
      if (ended !== null) terms[terms.length - 1] = endTerm(last, ended, now);
      else if (next.untilMs !== before.untilMs) {
        terms[terms.length - 1] = grantedUntil(last, wallEndMs(next, now));
      }
    }
    if (next.token > before.token) terms.push(startTerm('election', next, now, terms.at(-1)));
  }

  #openTerms(): Term[] {
    if (!this.writesAuditLate) return this.#terms;
    if (this.#unwritten === null) {
      const unwritten = [...this.#terms];
      this.#unwritten = unwritten;
      this.world.plan(this.world.nowMs + this.world.ttlMs, () => {
        if (this.#unwritten !== unwritten) return;
        this.#terms = unwritten;
        this.#unwritten = null;
      });
    }
    return this.#unwritten;
  }

  /** A refusal from a stale copy. */
  #perhapsOld(answer: AcquireAnswer): AcquireAnswer {
    const { world } = this;
    if (answer.type === 'ok' || this.#oldRows.length === 0 || !world.isOn('stale-read')) return answer;
    const random = world.random('stale-read');
    if (!random.chance(0.3)) return answer;
    world.tally.count('stale-read');
    const old = this.#oldRows[random.below(this.#oldRows.length)];
    return { type: 'held', record: row.recordOf('election', old, this.nowMs, this.hasClock) };
  }
}
