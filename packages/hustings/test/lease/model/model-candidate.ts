/**
 * A candidate and its messages to the store: the state of the real core, the messages in flight, and what an observer knows
 * without the core. All times are relative to now, so that equal states at different times are one state. Times before every
 * deadline are equal.
 */
import type { Interner } from '../../../../study/src/checker/network/interner.ts';
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
import type { LeaseTiming } from '../../../src/lease/core/timing.ts';
import { type CoreMap, isOverdue, mapCore, termOf, withMemory } from './core-map.ts';
import { hasJudge, type Setting, UNIT_MS } from './setting.ts';

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
  /** 0: the candidate no longer waits for the answer. */
  readonly call: number;
  /** When the request was sent, on the clocks of the candidate, as the observer recorded it. */
  readonly sent: ClockReading;
  readonly body: Request | Reply;
}

export interface Grant {
  readonly token: bigint;
  readonly sent: ClockReading;
}

export interface ModelCandidate {
  /** Null: the process has crashed. */
  readonly core: CandidateState | null;
  /** The present attempt, or the last one before the crash. */
  readonly attempt: number;
  /** The first attempt of the running process: earlier attempts have ended. */
  readonly first: number;
  readonly isWorking: boolean;
  /**
   * When the granted requests were sent, for the latest token that reached the candidate. Requests that were sent earlier
   * than another on both clocks are left out.
   */
  readonly grants: readonly Grant[];
  readonly messages: readonly Message[];
  /** When the work last reported progress, as the observer recorded it. */
  readonly reportedMs: number;
  /** Units until the clocks may lose a unit again. */
  readonly slackUnits: number;
}

export const isRequest = (body: Request | Reply): body is Request =>
  body.type === 'acquire' || body.type === 'renew' || body.type === 'release';

/** Equal keys mean equal values. */
export function keyOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

/** Two 16-bit words of a packed state hold one number. */
export const MAX_STATES = 2 ** 32 - 1;

export function intern<T>(interner: Interner<T>, value: T): number {
  return interner.of(keyOf(value), () => value);
}

/** The given time has passed on each of the clocks. */
export function agedCandidate(candidate: ModelCandidate, monoMs: number, wallMs: number): ModelCandidate {
  const { core, grants, messages } = candidate;
  const back = (then: ClockReading): ClockReading => ({
    monoMs: then.monoMs - monoMs,
    wallMs: then.wallMs - wallMs,
  });
  const aging: CoreMap = {
    call: (pending) => ({ ...pending, sent: back(pending.sent) }),
    nextMs: (nextMs) => nextMs - monoMs,
    term: (term) => ({
      ...term,
      granted: back(term.granted),
      electedMs: term.electedMs - monoMs,
      progressMs: term.progressMs - monoMs,
    }),
    ending: (ending) => ({
      ...ending,
      renewUntilMs: ending.renewUntilMs === null ? null : ending.renewUntilMs - monoMs,
    }),
    observed: (observed) => ({ ...observed, sinceMs: observed.sinceMs - monoMs }),
  };
  return {
    ...candidate,
    core:
      core === null
        ? null
        : withMemory(mapCore(core, aging), { pausedUntilMs: core.memory.pausedUntilMs - monoMs }),
    reportedMs: candidate.reportedMs - monoMs,
    grants: grants.map(({ token, sent }) => ({ token, sent: back(sent) })),
    messages: messages.map((message) =>
      message.call === 0 ? message : { ...message, sent: back(message.sent) },
    ),
  };
}

/** The normal form of all candidates that behave alike. */
export function normalCandidate(
  candidate: ModelCandidate,
  timing: LeaseTiming,
  setting: Setting,
): ModelCandidate {
  const { core } = candidate;
  const kept = candidate.messages.filter(
    ({ call, body }) => isRequest(body) || pendingOf(core, call) !== undefined,
  );
  const late =
    core === null ? [] : core.memory.late.filter(({ call }) => kept.some((message) => message.call === call));
  const pending = [...late, ...(core?.phase.current ? [core.phase.current] : [])].map(({ call }) => call);
  const sent = (then: ClockReading): ClockReading => ({
    monoMs: Math.max(then.monoMs, -timing.ttlMs),
    wallMs: Math.min(Math.max(then.wallMs, -timing.ttlMs), timing.ttlMs),
  });
  const messages = kept.map((message): Message => {
    const call = pending.indexOf(message.call) + 1;
    return { call, sent: call === 0 ? NOW : sent(message.sent), body: normalBody(message.body, setting) };
  });
  return {
    core: core === null ? null : normalCore(withMemory(core, { late }), pending, timing, setting, sent),
    attempt: core?.memory.attempt ?? candidate.attempt,
    first: setting.gone ? candidate.first : 0,
    isWorking: candidate.isWorking,
    reportedMs: candidate.isWorking ? reportTime(candidate.reportedMs, timing, setting) : 0,
    grants:
      termOf(core) === null
        ? []
        : latest(
            candidate.grants.map((grant) => ({
              token: grant.token,
              sent: isOverdue(core) ? NOW : sent(grant.sent),
            })),
          ),
    messages:
      messages.length < 2
        ? messages
        : messages
            .map((one) => [keyOf(one), one] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([, one]) => one),
    slackUnits: setting.slow === undefined ? 0 : Math.max(0, candidate.slackUnits),
  };
}

/** `pending` are the numbers of the calls that can still be answered, in their order. */
function normalCore(
  core: CandidateState,
  pending: readonly number[],
  timing: LeaseTiming,
  setting: Setting,
  sent: (then: ClockReading) => ClockReading,
): CandidateState {
  const longAgo = { monoMs: -timing.ttlMs, wallMs: -timing.ttlMs };
  const normal = mapCore(core, {
    call: (call) => ({ ...call, call: pending.indexOf(call.call) + 1, sent: sent(call.sent) }),
    nextMs: (nextMs) => (usesNext(core) ? Math.max(0, Math.ceil(nextMs / UNIT_MS) * UNIT_MS) : 0),
    term: ({ token, granted, electedMs, progressMs, withheld }, overdue) => ({
      token,
      granted: overdue ? longAgo : sent(granted),
      electedMs: setting.priorities === undefined ? 0 : Math.max(electedMs, -timing.yieldAfterMs),
      progressMs: reportTime(progressMs, timing, setting),
      withheld: setting.stalls === true && withheld,
      unconfirmed: null,
    }),
    ending: ({ reason, successor, renewUntilMs, overdue, lost, cooldownMs }) => ({
      // Only a handover is treated differently.
      reason: reason === 'transferred' ? reason : 'released',
      successor,
      renewUntilMs: renewUntilMs === null || overdue ? null : Math.max(renewUntilMs, 0),
      overdue,
      lost,
      returned: false,
      cooldownMs,
    }),
    observed: (observed) => normalObserved(observed, setting),
  });
  const { phase, memory } = withMemory(normal, {
    ...{ calls: pending.length, last: NOW, prngState: 1, briefTerms: 0 },
    pausedUntilMs: Math.max(0, Math.ceil(core.memory.pausedUntilMs / UNIT_MS) * UNIT_MS),
  });
  if ('errors' in phase) return { phase: { ...phase, errors: 0 }, memory };
  if ('lastError' in phase) return { phase: { ...phase, lastError: null }, memory };
  return { phase, memory };
}

/** Times at which the work is stalled are equal. */
function reportTime(ms: number, { stallAfterMs }: LeaseTiming, { stalls }: Setting): number {
  return stalls ? Math.max(ms, -stallAfterMs! - UNIT_MS) : 0;
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
  const { current } = core.phase;
  return current?.call === call ? current : core.memory.late.find((each) => each.call === call);
}

/** A time that is set again before it is read is no part of the state. */
function usesNext({ phase }: CandidateState): boolean {
  if (phase.current !== null) return false;
  return phase.type !== 'stopping' || (!phase.ending.overdue && phase.ending.renewUntilMs !== null);
}

/** If the store judges the lease, the candidate does not use how long the record has not changed. */
function normalObserved(observed: ObservedRecord, { gone }: Setting): ObservedRecord | null {
  const { ttlMs, sinceMs } = observed;
  if (ttlMs !== null) {
    return { ...observed, sinceMs: Math.max(sinceMs, -Math.ceil(ttlMs / UNIT_MS) * UNIT_MS) };
  }
  return gone ? { ...observed, version: 0n, sinceMs: 0 } : null;
}

function normalBody(body: Request | Reply, setting: Setting): Request | Reply {
  const { gone, priorities } = setting;
  const isJudged = hasJudge(setting);
  if (body.type === 'release') return { type: 'release', request: { ...body.request, reason: 'released' } };
  if (body.type !== 'acquire-answer' || body.answer.type === 'ok') return body;
  const { record } = body.answer;
  const needsHolder = !isJudged || gone === true || priorities !== undefined;
  const kept: LeaseRecord = {
    name: record.name,
    token: 0n,
    holder: needsHolder ? record.holder : null,
    remainingMs: record.remainingMs,
    durationMs: isJudged ? 0 : record.durationMs,
    version: isJudged ? 0n : record.version,
    successor: isJudged ? null : record.successor,
    metadata: null,
    checkpoint: null,
  };
  return { type: 'acquire-answer', answer: { type: 'held', record: kept } };
}
