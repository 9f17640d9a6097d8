/**
 * One election with its terms, its ticks and its waiting candidates: the rules of lease-row.ts and of tick.ts, applied to what
 * a store keeps. The memory store keeps elections as they are; the stores of documents write each as a text.
 */
import type { ClockReading } from '../core/clock-reading.ts';
import * as rules from '../core/lease-row.ts';
import { firstAhead, type Registration, registrationOf } from '../core/queue.ts';
import { metadataOf } from '../core/term-data.ts';
import * as ticks from '../core/tick.ts';
import { withTokenText } from '../core/token-text.ts';
import type * as Store from '../store-interface.ts';
import { endTerm, grantedUntil, selectTerms, shownTerm, startTerm, wallEndMs } from './term-keeping.ts';

/** What holds for all elections of a store. */
export interface ElectionRules {
  /** False: the store cannot judge expiry. */
  readonly hasClock: boolean;
  /** How many terms and how many ticks are kept. */
  readonly keepTerms: number;
}

export class Election {
  row: rules.LeaseRow;
  writtenMs = 0;
  /** Oldest first. */
  terms: Store.Term[] = [];
  /** Oldest first. */
  ticks: ticks.StoredTick[] = [];
  /** By nonce. */
  readonly waiting = new Map<string, Registration>();
  /** Whether anything was changed since this was set to false. */
  isChanged = false;

  constructor(
    readonly name: string,
    row: rules.LeaseRow,
    private readonly rules: ElectionRules,
  ) {
    this.row = row;
  }

  /** `minToken`: the smallest token that the store may give now. `registers`: whether a refused candidate is registered. */
  acquire(
    request: Store.AcquireRequest,
    now: ClockReading,
    minToken: bigint,
    registers: (before: Registration | undefined) => boolean = () => true,
  ): Store.AcquireAnswer {
    const { nonce, registerMs, fair } = request;
    const ahead = fair === true ? firstAhead(this.waiting.values(), request, now.monoMs) : null;
    const answer = this.#apply(now, (row, hasClock) =>
      rules.acquire(row, request, now.monoMs, hasClock, minToken, ahead),
    );
    if (answer.type === 'ok') this.withdraw(nonce);
    else if (registerMs > 0 && registers(this.waiting.get(nonce))) {
      for (const each of this.waiting.values())
        if (each.untilMs <= now.monoMs) this.waiting.delete(each.nonce);
      this.waiting.set(nonce, registrationOf(this.waiting.values(), request, now.monoMs));
      this.isChanged = true;
    }
    return answer;
  }

  /** Whether the request would be granted now. */
  grants(request: Store.AcquireRequest, now: ClockReading): boolean {
    return rules.acquire(this.row, request, now.monoMs, this.rules.hasClock).answer.type === 'ok';
  }

  renew(request: Store.RenewRequest, now: ClockReading): Store.RenewAnswer {
    return this.#apply(now, (row, hasClock) => rules.renew(row, request, now.monoMs, hasClock));
  }

  release(request: Store.ReleaseRequest, now: ClockReading): Store.ReleaseAnswer {
    return this.#apply(now, (row, hasClock) => rules.release(row, request, now.monoMs, hasClock));
  }

  evict(cooldownMs: number | null, now: ClockReading): boolean {
    return this.#apply(now, (row, hasClock) => rules.evict(row, cooldownMs, now.monoMs, hasClock));
  }

  requestTransfer(to: string, now: ClockReading): Store.TransferAnswer {
    const isRegistered = this.candidates(now).some(({ id }) => id === to);
    return this.#apply(now, (row, hasClock) =>
      rules.requestTransfer(row, to, isRegistered, now.monoMs, hasClock),
    );
  }

  withdraw(nonce: string): void {
    if (this.waiting.delete(nonce)) this.isChanged = true;
  }

  candidates({ monoMs }: ClockReading): readonly Store.WaitingCandidate[] {
    return [...this.waiting.values()]
      .filter(({ untilMs }) => untilMs > monoMs)
      .map(({ id, nonce, priority, atMs }) => ({ id, nonce, priority, seenMs: monoMs - atMs }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  record({ monoMs }: ClockReading): Store.LeaseRecord {
    return withTokenText(rules.recordOf(this.name, this.row, monoMs, this.rules.hasClock));
  }

  /** Not held, not reserved, and no time is left for which the latest holder asked. */
  /** Nobody needs it: the lease is free, and no holder has left a checkpoint for the next. */
  isUnused(now: ClockReading): boolean {
    return this.record(now).durationMs === 0 && this.row.checkpoint === null;
  }

  startTick(request: ticks.StartTickRequest, now: ClockReading): ticks.StartTickAnswer {
    const isHolder = rules.holds(this.row, request, now.monoMs, this.rules.hasClock);
    const started = ticks.startTick(this.ticks.at(-1), request, this.row, isHolder, now.wallMs);
    if (started.ticks.length > 0) {
      const before = started.ticks[0].tickMs;
      const kept = [...this.ticks.filter(({ tickMs }) => tickMs < before), ...started.ticks];
      this.ticks = kept.slice(-this.rules.keepTerms);
      this.isChanged = true;
    }
    return started.answer;
  }

  endTick(request: ticks.EndTickRequest, now: ClockReading): boolean {
    const index = this.ticks.findIndex(({ tickMs }) => tickMs === request.tickMs);
    const ended = ticks.endTick(this.ticks[index], request, now.wallMs);
    if (ended === null) return false;
    this.ticks[index] = ended;
    this.isChanged = true;
    return true;
  }

  /** Removes the ticks that are ahead of the clock, and returns them. */
  resetTicks(now: ClockReading): readonly ticks.Tick[] {
    const removed = this.newestTicks({}, now).filter((tick) => ticks.isAhead(tick, now.wallMs));
    if (removed.length === 0) return removed;
    this.ticks = this.ticks.filter((tick) => !ticks.isAhead(tick, now.wallMs));
    this.isChanged = true;
    return removed;
  }

  newestTicks({ limit }: ticks.TickQuery, now: ClockReading): readonly ticks.Tick[] {
    const { holder, token } = this.record(now);
    const heldToken = holder === null ? null : token;
    const newest = [...this.ticks].reverse().slice(0, limit);
    return newest.map((tick) => withTokenText({ ...ticks.shownTick(tick, heldToken) }));
  }

  history(query: Store.HistoryQuery | undefined, now: ClockReading): readonly Store.Term[] {
    const terms = [...this.terms].reverse();
    const shown = this.rules.hasClock ? terms.map((term) => shownTerm(term, this.row, now)) : terms;
    return selectTerms(shown, query);
  }

  #apply<Answer>(
    now: ClockReading,
    rule: (row: rules.LeaseRow, hasClock: boolean) => rules.Applied<Answer>,
  ): Answer {
    const before = this.row;
    const { row, answer, ended } = rule(before, this.rules.hasClock);
    if (row !== before) this.#put(before, row, ended, now);
    return answer;
  }

  #put(
    before: rules.LeaseRow,
    row: rules.LeaseRow,
    ended: rules.Applied<unknown>['ended'],
    now: ClockReading,
  ): void {
    this.row = row;
    this.writtenMs = now.monoMs;
    this.isChanged = true;
    const { terms } = this;
    const last = terms.at(-1);
    if (last?.endMs === null) {
      let term = last;
      if (ended !== null) term = endTerm(last, ended, now);
      else if (row.untilMs !== before.untilMs) term = grantedUntil(last, wallEndMs(row, now));
      const isUpdate = ended === null && row.metadata !== before.metadata;
      terms[terms.length - 1] = isUpdate ? { ...term, metadata: metadataOf(last.nonce, row.metadata) } : term;
    }
    if (row.token === before.token) return;
    terms.push(startTerm(this.name, row, now, terms.at(-1)));
    const { keepTerms } = this.rules;
    if (terms.length > keepTerms) terms.splice(0, terms.length - keepTerms);
  }
}

/** The smallest token that a store may give: its wall clock in microseconds, and more than any token of the past. */
export function minToken(pastToken: bigint, { wallMs }: ClockReading): bigint {
  const clock = BigInt(Math.floor(wallMs)) * 1_000n;
  return clock > pastToken ? clock : pastToken + 1n;
}
