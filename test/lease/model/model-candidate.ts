/**
 * A candidate and its line to the store: the memory of the real core, what is under way, and what an onlooker knows
 * without asking the core. All times are relative to now, so that states at different times are one state; what has
 * passed every deadline is equally long ago.
 */
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
} from '../../../src/lease/core/calls.ts';
import type { CandidateState, ObservedRecord } from '../../../src/lease/core/candidate-state.ts';
import type { ClockReading } from '../../../src/lease/core/clock-reading.ts';
import type { LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import type { PendingCall } from '../../../src/lease/core/pending-call.ts';
import type { TermState } from '../../../src/lease/core/term-state.ts';
import type { LeaseTiming } from '../../../src/lease/core/timing.ts';
import { type Setting, UNIT_MS } from './setting.ts';

export const NOW: ClockReading = { monoMs: 0, wallMs: 0 };

export type Request =
  | { readonly type: 'acquire'; readonly request: AcquireRequest }
  | { readonly type: 'renew'; readonly request: RenewRequest }
  | { readonly type: 'release'; readonly request: ReleaseRequest };

export type Reply =
  | { readonly type: 'acquire-answer'; readonly answer: AcquireAnswer }
  | { readonly type: 'renew-answer'; readonly answer: RenewAnswer; readonly token: bigint }
  | { readonly type: 'release-answer'; readonly answer: ReleaseAnswer };

export interface Message {
  /** 0: nobody waits for the answer any more. */
  readonly call: number;
  /** When the request was sent, by the clocks of the candidate: noted by the onlooker. */
  readonly sent: ClockReading;
  readonly body: Request | Reply;
}

export interface Grant {
  readonly token: bigint;
  readonly sent: ClockReading;
}

export interface Station {
  /** Null: the process has crashed. */
  readonly core: CandidateState | null;
  /** Of the candidate, or the last one before the crash. */
  readonly attempt: number;
  /** The first attempt of the process that runs: those before it are gone. */
  readonly first: number;
  readonly works: boolean;
  /**
   * Requests that the store granted, for the latest token that the candidate has been told of: when they were sent. Left
   * out are those that were sent earlier than another by both clocks.
   */
  readonly grants: readonly Grant[];
  readonly line: readonly Message[];
  /** Units until the clocks may lose one. */
  readonly slackUnits: number;
}

export const isRequest = (body: Request | Reply): body is Request =>
  body.type === 'acquire' || body.type === 'renew' || body.type === 'release';

/** As text: equal texts are equal things. */
export function keyOf(thing: unknown): string {
  return JSON.stringify(thing, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** So much time has passed by each of the clocks. */
export function aged(station: Station, monoMs: number, wallMs: number): Station {
  const { core, grants, line } = station;
  const back = (then: ClockReading): ClockReading => ({
    monoMs: then.monoMs - monoMs,
    wallMs: then.wallMs - wallMs,
  });
  const call = (pending: PendingCall): PendingCall => ({ ...pending, sent: back(pending.sent) });
  return {
    ...station,
    core:
      core === null
        ? null
        : {
            ...core,
            nextMs: core.nextMs - monoMs,
            current: core.current === null ? null : call(core.current),
            late: core.late.map(call),
            term:
              core.term === null
                ? null
                : {
                    ...core.term,
                    granted: back(core.term.granted),
                    electedMs: core.term.electedMs - monoMs,
                    progressMs: core.term.progressMs - monoMs,
                    renewUntilMs: core.term.renewUntilMs === null ? null : core.term.renewUntilMs - monoMs,
                  },
            observed:
              core.observed === null ? null : { ...core.observed, sinceMs: core.observed.sinceMs - monoMs },
          },
    grants: grants.map(({ token, sent }) => ({ token, sent: back(sent) })),
    line: line.map((message) => (message.call === 0 ? message : { ...message, sent: back(message.sent) })),
  };
}

/** The one form of all stations that behave alike. */
export function normalStation(station: Station, timing: LeaseTiming, setting: Setting): Station {
  const { core } = station;
  const kept = station.line.filter(
    ({ call, body }) => isRequest(body) || pendingOf(core, call) !== undefined,
  );
  const late =
    core === null ? [] : core.late.filter(({ call }) => kept.some((message) => message.call === call));
  const pending = [...late, ...(core?.current ? [core.current] : [])].map(({ call }) => call);
  const sent = (then: ClockReading): ClockReading => ({
    monoMs: Math.max(then.monoMs, -timing.ttlMs),
    wallMs: Math.min(Math.max(then.wallMs, -timing.ttlMs), timing.ttlMs),
  });
  const callOf = ({ call, type, attempt, sent: then }: PendingCall): PendingCall => ({
    call: pending.indexOf(call) + 1,
    type,
    attempt,
    sent: sent(then),
  });
  const line = kept.map((message): Message => {
    const call = pending.indexOf(message.call) + 1;
    return { call, sent: call === 0 ? NOW : sent(message.sent), body: normalBody(message.body, setting) };
  });
  const term = core?.term ? normalTerm(core.term, timing, setting, sent) : null;
  return {
    core:
      core === null
        ? null
        : {
            phase: core.phase,
            wantsToLead: core.wantsToLead,
            attempt: core.attempt,
            calls: pending.length,
            current: core.current === null ? null : callOf(core.current),
            late: late.map(callOf),
            errors: 0,
            lastError: null,
            nextMs: usesNext(core) ? Math.max(0, Math.ceil(core.nextMs / UNIT_MS) * UNIT_MS) : 0,
            notified: core.notified,
            term,
            observed: normalSighting(core.observed, setting),
            last: NOW,
            prngState: 1,
          },
    attempt: core?.attempt ?? station.attempt,
    first: setting.gone ? station.first : 0,
    works: station.works,
    grants:
      term === null
        ? []
        : latest(
            station.grants.map((grant) => ({
              token: grant.token,
              sent: term.overdue ? NOW : sent(grant.sent),
            })),
          ),
    line:
      line.length < 2
        ? line
        : line
            .map((one) => [keyOf(one), one] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([, one]) => one),
    slackUnits: setting.slow === undefined ? 0 : Math.max(0, station.slackUnits),
  };
}

function latest(grants: readonly Grant[]): Grant[] {
  const isBetter = (a: Grant, b: Grant): boolean =>
    a.token > b.token ||
    (a.token === b.token && a.sent.monoMs >= b.sent.monoMs && a.sent.wallMs >= b.sent.wallMs);
  return grants
    .filter(
      (grant, k) =>
        !grants.some((other, j) => j !== k && isBetter(other, grant) && (j < k || !isBetter(grant, other))),
    )
    .sort((a, b) => a.sent.monoMs - b.sent.monoMs);
}

function pendingOf(core: CandidateState | null, call: number): PendingCall | undefined {
  if (core === null || call === 0) return undefined;
  return core.current?.call === call ? core.current : core.late.find((each) => each.call === call);
}

/** A time that is set anew before it is looked at is no part of the state. */
function usesNext({ phase, current, term }: CandidateState): boolean {
  if (phase === 'idle' || phase === 'acquiring' || phase === 'withdrawing') return false;
  if (phase === 'stopping') return current === null && !term!.overdue && term!.renewUntilMs !== null;
  return current === null;
}

function normalTerm(
  term: TermState,
  timing: LeaseTiming,
  setting: Setting,
  sent: (then: ClockReading) => ClockReading,
): TermState {
  const longAgo = { monoMs: -timing.ttlMs, wallMs: -timing.ttlMs };
  return {
    token: term.token,
    granted: term.overdue ? longAgo : sent(term.granted),
    electedMs: setting.priorities === undefined ? 0 : Math.max(term.electedMs, -timing.yieldAfterMs),
    begun: term.begun,
    progressMs: 0,
    withheld: false,
    // Only a handover is treated differently.
    reason: term.reason === null || term.reason === 'transferred' ? term.reason : 'released',
    successor: term.successor,
    renewUntilMs: term.renewUntilMs === null || term.overdue ? null : Math.max(term.renewUntilMs, 0),
    overdue: term.overdue,
  };
}

/** With a clock in the store, a candidate makes no use of how long the record has stood still. */
function normalSighting(seen: ObservedRecord | null, { hasClock, gone }: Setting): ObservedRecord | null {
  if (seen === null || (hasClock && !gone)) return null;
  if (hasClock) return { nonce: seen.nonce, version: 0n, sinceMs: 0, ttlMs: 0, gone: seen.gone };
  return {
    nonce: seen.nonce,
    version: seen.version,
    sinceMs: Math.max(seen.sinceMs, -Math.ceil(seen.ttlMs / UNIT_MS) * UNIT_MS),
    ttlMs: seen.ttlMs,
    gone: seen.gone,
  };
}

function normalBody(body: Request | Reply, { hasClock, gone, priorities }: Setting): Request | Reply {
  if (body.type === 'release') return { type: 'release', request: { ...body.request, reason: 'released' } };
  if (body.type !== 'acquire-answer' || body.answer.type === 'ok') return body;
  const { record } = body.answer;
  const needsHolder = !hasClock || gone === true || priorities !== undefined;
  const kept: LeaseRecord = {
    name: record.name,
    token: 0n,
    holder: needsHolder ? record.holder : null,
    remainingMs: record.remainingMs,
    version: hasClock ? 0n : record.version,
    successor: hasClock ? null : record.successor,
  };
  return { type: 'acquire-answer', answer: { type: 'held', record: kept } };
}
