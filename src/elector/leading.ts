/**
 * The three ways to lead: `campaign`, `runOnce` and `acquire`.
 *
 * Guaranteed: the lease is released only after the work has settled; the work of a term has settled before the next term
 * of the same candidate begins.
 */
import type { LeaseStore } from '../lease/lease-store.ts';
import { onAbort } from './abort-listener.ts';
import type { ActiveLead, LeadMode } from './candidate/active-lead.ts';
import { Candidate } from './candidate/candidate.ts';
import type { AcquireOptions } from './elector.ts';
import { AcquireTimeoutError, ElectorClosedError } from './elector-errors.ts';
import type { ElectorEvent } from './elector-event.ts';
import type { ElectorSettings } from './elector-options.ts';
import type { Lead } from './lead.ts';

/** What a candidate needs from its elector. */
export interface ElectorContext {
  readonly settings: ElectorSettings;
  readonly store: LeaseStore;
  emit(event: ElectorEvent): void;
  /** `stop` is called when the elector is closed, which then waits for the returned function to be called. */
  onClose(stop: () => void): () => void;
}

export function campaign(
  context: ElectorContext,
  work: (lead: Lead) => unknown,
  signal: AbortSignal | undefined,
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
          if (!lead.signal.aborted) await work(lead);
        } catch (error) {
          if (isResultOfLoss(lead, error)) context.emit({ type: 'work-failed', lead, error });
          else fail(error);
        }
        candidate.settle();
      },
      onRejected: fail,
      onStopped: () => {
        unlisten();
        closed();
        if (failure === null) resolve();
        else reject(failure.error);
      },
      onEvent: (event) => context.emit(event),
    });
    const stop = (): void => candidate.stop();
    const unlisten = onAbort(signal, stop);
    const closed = context.onClose(stop);
    candidate.campaign();
  });
}

export async function runOnce<Result>(
  context: ElectorContext,
  work: (lead: Lead) => Result | Promise<Result>,
  options: AcquireOptions,
): Promise<Result> {
  const { signal } = options;
  const { lead, candidate, stopped } = await winTerm(context, 'once', options);
  /** Why the caller ended the term, if it did. */
  let ending: { readonly error: unknown } | null = null;
  const end = (error: unknown): void => {
    ending ??= { error };
    candidate.stop();
  };
  const unlisten = onAbort(signal, () => end(signal?.reason));
  const closed = context.onClose(() => end(new ElectorClosedError(context.settings.name)));
  if (signal?.aborted) end(signal.reason);
  try {
    return await runWork(context, lead, work, () => ending);
  } finally {
    unlisten();
    candidate.stop();
    candidate.settle();
    await stopped;
    closed();
  }
}

async function runWork<Result>(
  context: ElectorContext,
  lead: ActiveLead,
  work: (lead: Lead) => Result | Promise<Result>,
  ending: () => { readonly error: unknown } | null,
): Promise<Result> {
  const ended = ending();
  if (ended !== null) throw ended.error;
  const outcome = await settle(() => work(lead));
  // A result of work that outlived its term must not look like a success, unless the work ended the term itself.
  const loss = ending() ?? (lead.isGivenUp || lead.isValid() ? null : { error: lead.loss() });
  if (loss === null && outcome.type === 'returned') return outcome.value;
  if (loss === null && outcome.type === 'threw') throw outcome.error;
  if (outcome.type === 'threw') context.emit({ type: 'work-failed', lead, error: outcome.error });
  throw loss?.error;
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

export async function acquire(context: ElectorContext, options: AcquireOptions): Promise<Lead> {
  return (await winTerm(context, 'scoped', options)).lead;
}

/**
 * By the clocks, not by the signal: work that was suspended fails, at its assert or at a fence, before a timer can abort
 * its signal.
 */
function isResultOfLoss(lead: ActiveLead, error: unknown): boolean {
  return !lead.isValid() || lead.isShortfall(error);
}

interface WonTerm {
  readonly lead: ActiveLead;
  readonly candidate: Candidate;
  /** Resolves when the candidate has stopped. */
  readonly stopped: Promise<void>;
}

/** Campaigns until a term is won. Rejects when the time is over, the signal aborts or the store rejects the candidate. */
function winTerm(
  context: ElectorContext,
  mode: LeadMode,
  { signal, timeoutMs }: AcquireOptions,
): Promise<WonTerm> {
  const { name } = context.settings;
  return new Promise((resolve, reject) => {
    let failure: unknown;
    let timer: NodeJS.Timeout | undefined;
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
    const giveUpLate = (): void =>
      giveUp(new AcquireTimeoutError(name, timeoutMs ?? 0, candidate.holder, candidate.storeError));
    const endWait = (): void => {
      closed();
      clearTimeout(timer);
      unlisten();
    };
    const candidate: Candidate = new Candidate(context.settings, context.store, mode, {
      onElected: (lead) => {
        endWait();
        resolve({ lead, candidate, stopped });
      },
      onRejected: giveUp,
      onStopped: () => {
        endWait();
        reject(failure);
        markStopped();
      },
      onEvent: (event) => {
        context.emit(event);
        isAnswered ||= event.type === 'waiting' || event.type === 'store-error';
        if (isAnswered && isLate) giveUpLate();
      },
    });
    const unlisten = onAbort(signal, () => giveUp(signal?.reason));
    const closed = context.onClose(() => giveUp(new ElectorClosedError(name)));
    if (timeoutMs !== undefined) {
      timer = setTimeout(() => {
        isLate = true;
        if (isAnswered) giveUpLate();
      }, timeoutMs);
    }
    candidate.campaign();
  });
}
