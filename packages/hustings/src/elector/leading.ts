/**
 * The three ways to lead: `campaign`, `runOnce` and `acquire`.
 *
 * Guaranteed: the lease is released only after the work has settled; the work of a term has settled before the next term
 * of the same candidate begins.
 */
import type { LeaseStore } from '../lease/lease-store.ts';
import type { CallSignal } from './abort-listeners.ts';
import type { ActiveLead, LeadMode } from './candidate/active-lead.ts';
import { Candidate } from './candidate/candidate.ts';
import { AcquireTimeoutError } from './elector-errors.ts';
import type { ElectorSettings } from './elector-options.ts';
import type { ElectorEvent } from './events/elector-event.ts';
import type { Lead } from './lead.ts';
import { setLongTimeout } from './timeouts.ts';

/** An elector loads it with the rest of this module. */
export { EventOutlet } from './events/event-outlet.ts';

/** What a candidate needs from its elector. */
export interface ElectorContext {
  readonly settings: ElectorSettings;
  readonly store: LeaseStore;
  /** The store has answered this candidate in an earlier call: what it refuses from now on is asked again. */
  readonly wasServed: boolean;
  emit(event: ElectorEvent): void;
}

/** Resolves after `signal` has aborted, when the candidate has stopped. Rejects if the cluster is closed meanwhile. */
export function campaign(
  context: ElectorContext,
  work: (lead: Lead) => unknown,
  signal: CallSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: { readonly error: unknown } | null = null;
    const fail = (error: unknown): void => {
      failure ??= { error };
      candidate.stop();
    };
    const candidate: Candidate = new Candidate(context.settings, context.store, 'campaign', {
      onElected: async (lead) => {
        // After the step that elected it: the work may send an input to the core at once.
        await null;
        try {
          if (!lead.isStopped) await work(lead);
        } catch (error) {
          if (isResultOfLoss(lead, error)) context.emit({ type: 'work-failed', lead, error });
          else fail(error);
        }
        candidate.settle();
      },
      onRejected: context.wasServed ? null : fail,
      onClosed: fail,
      onStopped: () => {
        if (failure === null) resolve();
        else reject(failure.error);
      },
      onEvent: (event) => context.emit(event),
    });
    signal.onAbort(() => candidate.stop());
    candidate.campaign();
  });
}

export async function runOnce<Result>(
  context: ElectorContext,
  work: (lead: Lead) => Result | Promise<Result>,
  signal: CallSignal,
  timeoutMs: number | undefined,
): Promise<Result> {
  const { lead, candidate, stopped } = await winTerm(context, 'once', signal, timeoutMs);
  try {
    return await runWork(context, lead, work, signal);
  } finally {
    candidate.stop();
    candidate.settle();
    await stopped;
  }
}

async function runWork<Result>(
  context: ElectorContext,
  lead: ActiveLead,
  work: (lead: Lead) => Result | Promise<Result>,
  signal: CallSignal,
): Promise<Result> {
  signal.throwIfAborted();
  const outcome = await settle(() => work(lead));
  const isOver = signal.aborted || !(lead.isGivenUp || lead.isValid());
  if (!isOver && outcome.type === 'returned') return outcome.value;
  if (!isOver && outcome.type === 'threw') throw outcome.error;
  if (outcome.type === 'threw') context.emit({ type: 'work-failed', lead, error: outcome.error });
  // A result of work that outlived its term must not look like a success, unless the work ended the term itself.
  throw signal.aborted ? signal.reason : lead.loss();
}

type Outcome<Result> =
  | { readonly type: 'returned'; readonly value: Awaited<Result> }
  | { readonly type: 'threw'; readonly error: unknown };

async function settle<Result>(work: () => Result | Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { type: 'returned', value: await work() };
  } catch (error) {
    return { type: 'threw', error };
  }
}

/** The term ends when the owner of the lead releases it. `signal` tells the owner to do so. */
export async function acquire(
  context: ElectorContext,
  signal: CallSignal,
  timeoutMs: number | undefined,
): Promise<WonTerm> {
  const won = await winTerm(context, 'scoped', signal, timeoutMs);
  if (!signal.aborted) return won;
  won.candidate.settle();
  await won.stopped;
  throw signal.reason;
}

/**
 * By the clocks, not by the signal: work that was suspended fails, at its assert or at a fence, before a timer can abort
 * its signal.
 */
function isResultOfLoss(lead: ActiveLead, error: unknown): boolean {
  return !lead.isValid() || lead.isShortfall(error);
}

export interface WonTerm {
  readonly lead: ActiveLead;
  readonly candidate: Candidate;
  /** Resolves when the candidate has stopped. */
  readonly stopped: Promise<void>;
}

/**
 * Campaigns until a term is won. Rejects when the time is over, the signal aborts, the cluster is closed or the store rejects
 * the candidate. A signal that aborts later ends the term.
 */
function winTerm(
  context: ElectorContext,
  mode: LeadMode,
  signal: CallSignal,
  timeoutMs: number | undefined,
): Promise<WonTerm> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let failure: unknown;
    let cancelTimeout = (): void => {};
    let isAnswered = false;
    let isLate = false;
    let markStopped: () => void = () => {};
    const stopped = new Promise<void>((resolveStopped) => {
      markStopped = resolveStopped;
    });
    const giveUp = (error: unknown): void => {
      failure ??= error;
      candidate.stop();
    };
    const giveUpLate = (): void => {
      const { holder, storeError } = candidate;
      giveUp(new AcquireTimeoutError(context.settings.name, timeoutMs ?? 0, holder, storeError));
    };
    const candidate: Candidate = new Candidate(context.settings, context.store, mode, {
      onElected: (lead) => {
        cancelTimeout();
        resolve({ lead, candidate, stopped });
      },
      onRejected: context.wasServed ? null : giveUp,
      onClosed: giveUp,
      onStopped: () => {
        cancelTimeout();
        reject(failure);
        markStopped();
      },
      onEvent: (event) => {
        context.emit(event);
        isAnswered ||= event.type === 'waiting' || event.type === 'store-error';
        if (isAnswered && isLate) giveUpLate();
      },
    });
    signal.onAbort(() => giveUp(signal.reason));
    if (timeoutMs !== undefined) {
      cancelTimeout = setLongTimeout(
        () => {
          isLate = true;
          if (isAnswered) giveUpLate();
        },
        timeoutMs,
        context.settings.clock,
      );
    }
    candidate.campaign();
  });
}
