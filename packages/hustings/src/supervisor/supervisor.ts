/**
 * Runs a command only while this process leads: waits for the lease, runs the command under a guard, and repeats that
 * term after term, until the command exits or the process is told to stop.
 *
 * Guaranteed (P6): the lease is released only when the command is dead with everything that it forked, and the command is
 * dead before the lease expires. Each term has its own guard, which is started before the lease is requested, so the
 * process proof in the request covers everything that the term will start.
 *
 * Not guaranteed: see guard-main.ts and session-kill.ts. The fencing token protects the resource in those cases.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '@hustings/base';
import { createNextElector } from '../elector/create-elector.ts';
import type { Elector } from '../elector/elector.ts';
import { AcquireTimeoutError, LeaseLostError } from '../elector/elector-errors.ts';
import type { ElectorEvent } from '../elector/events/elector-event.ts';
import { aheadText, slotsText } from '../elector/events/elector-logger.ts';
import type { Lead } from '../elector/lead.ts';
import { type EndReason, isLoss } from '../lease/core/end-reason.ts';
import { StoreError } from '../lease/core/store-error.ts';
import type { LeaderMetadata } from '../lease/core/term-data.ts';
import { type LeaseTiming, resolveTiming, type TimingOptions } from '../lease/core/timing.ts';
import { pauseMs } from '../lease/core/waiting.ts';
import type { FenceKey } from '../lease/fence/fence-key.ts';
import { processProof } from '../lease/host/process-proof.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { openStore } from '../lease/open-store.ts';
import { parseStoreUrl } from '../lease/stores/registry.ts';
import { guardEnvironment } from './child-environment.ts';
import { CommandError, exitCodeOfEnd, exitCodeOfSignal, LEAD_EXIT } from './exit-code.ts';
import { type CommandEnd, Guard } from './guard.ts';
import { GuardedTerm, termPlan } from './guarded-term.ts';
import { type SignalPolicy, SignalRelay } from './signal-relay.ts';
import { StoreErrorReport } from './store-error-report.ts';
import type { SupervisorEvent } from './supervisor-event.ts';
import { isUnitSignalled } from './systemd-unit.ts';
import { WaitingReport } from './waiting-report.ts';

export interface SupervisorOptions {
  readonly storeUrl: string;
  /** The election; for messages only if there are `names`. */
  readonly name: string;
  /** Several elections, of which the command needs all. */
  readonly names?: readonly string[] | undefined;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The time from SIGTERM to SIGKILL. */
  readonly stopGraceMs: number;
  /** The longest wait for leadership; null for no limit. */
  readonly waitMs: number | null;
  /** After a term has begun, the store grants nobody the lease for this time, even if the command exits before. */
  readonly holdAtLeastMs?: number | undefined;
  /** Whether to exit after a loss, instead of waiting to lead again. */
  readonly isOnce: boolean;
  readonly id?: string | undefined;
  readonly priority?: number | undefined;
  readonly order?: 'fair' | 'any' | undefined;
  /** What others see of the leader. */
  readonly metadata?: LeaderMetadata | undefined;
  /** How many candidates may lead at once. */
  readonly slots?: number | undefined;
  readonly fenceKey?: FenceKey | undefined;
  readonly timing?: Pick<TimingOptions, 'ttlMs' | 'preset'>;
  readonly signals: SignalPolicy;
  readonly onEvent: (event: SupervisorEvent) => void;
}

/** Resolves with the exit code. Rejects with an error that has an `exitCodeOfError`, or with an `InputError`. */
export async function supervise(options: SupervisorOptions): Promise<number> {
  checkSupervision(options.storeUrl);
  const timing = resolveTiming(options.timing);
  const relay = new SignalRelay(options.signals, () => isUnitSignalled(guardEnvironment(options.env)));
  let store: LeaseStore | null = null;
  try {
    store = await openStore(options.storeUrl);
    return await new Supervisor(options, timing, store, relay).run();
  } finally {
    relay.close();
    await store?.close();
  }
}

/** Refuses systems and stores on which a command cannot be supervised. */
export function checkSupervision(storeUrl: string): void {
  if (process.platform === 'win32') {
    throw new InputError('a command needs the sessions and signals of Unix; use createElector on Windows');
  }
  if (!parseStoreUrl(storeUrl).store.shared) {
    throw new InputError(
      'the memory store is not shared with other processes, so each of them would lead; use sqlite:PATH or a server',
    );
  }
}

/** The longest delay of Node's timers. */
const MAX_SLEEP_MS = 2 ** 31 - 1;

class Supervisor {
  #term: GuardedTerm | null = null;
  readonly #waiting: WaitingReport;
  readonly #storeErrors: StoreErrorReport;
  /** How long this candidate stays out of the election, because it was evicted. */
  #cooldownMs = 0;

  constructor(
    private readonly options: SupervisorOptions,
    private readonly timing: LeaseTiming,
    private readonly store: LeaseStore,
    private readonly relay: SignalRelay,
  ) {
    this.#waiting = new WaitingReport(options.onEvent);
    this.#storeErrors = new StoreErrorReport(store.label, options.onEvent);
  }

  async run(): Promise<number> {
    const { relay, timing } = this;
    for (;;) {
      const code = await this.#campaign();
      if (code !== null) return code;
      // Other candidates go first: this one has just failed to keep the lease.
      const { least, most } = pauseMs(timing);
      const waitMs = Math.max(least + Math.random() * (most - least), this.#cooldownMs);
      this.#cooldownMs = 0;
      if (!relay.stop.aborted)
        await sleep(Math.min(waitMs, MAX_SLEEP_MS), undefined, { signal: relay.stop }).catch(() => {});
      if (relay.received !== null) return exitCodeOfSignal(relay.received);
    }
  }

  /** At most one term. Null to campaign again. */
  async #campaign(): Promise<number | null> {
    const { options, timing } = this;
    const { name, names, id, priority, slots, order, metadata, fenceKey, env } = options;
    const guard = await Guard.start({
      name,
      env: guardEnvironment(env),
      onUnkillable: (pids) => options.onEvent({ type: 'unkillable', pids }),
    });
    try {
      const { pid } = guard.leader;
      const elector = createNextElector(this.#storeErrors.wasServed, {
        ...timing,
        ...(names === undefined ? { name } : { names }),
        ...{ store: this.store, id, priority, slots, order, metadata, fenceKey },
        // The lease is renewed while the command stops, and a successor waits.
        stopGraceMs: options.stopGraceMs + timing.renewEveryMs,
        processProof: processProof({ pids: [pid], session: pid }),
        onEvent: (event) => this.#take(event),
      });
      const lead = await this.#acquire(elector, guard);
      return lead === null ? null : await this.#runTerm(guard, lead);
    } finally {
      guard.kill();
      await guard.end;
    }
  }

  /** Null if the supervisor was told to stop, or the guard died: the next request must name another guard. */
  async #acquire(elector: Elector, guard: Guard): Promise<Lead | null> {
    const { relay } = this;
    const { waitMs, holdAtLeastMs } = this.options;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    guard.end.then(end);
    relay.stop.addEventListener('abort', end);
    if (relay.stop.aborted) end();
    try {
      return await elector.acquire({ signal: ending.signal, timeoutMs: waitMs ?? undefined, holdAtLeastMs });
    } catch (error) {
      if (ending.signal.aborted) return null;
      const { wasServed, latest } = this.#storeErrors;
      const isStoreSilent = error instanceof AcquireTimeoutError && !wasServed;
      throw isStoreSilent && latest instanceof StoreError ? latest : error;
    } finally {
      relay.stop.removeEventListener('abort', end);
    }
  }

  async #runTerm(guard: Guard, lead: Lead): Promise<number | null> {
    const { options, timing, relay } = this;
    const { onEvent } = options;
    const { token } = lead;
    onEvent({ type: 'elected', token });
    this.#waiting.reset();
    const plan = termPlan(options, timing, lead);
    const term = new GuardedTerm(guard, lead, plan);
    const stop = (): void => {
      if (relay.received !== null) onEvent({ type: 'stopping', signal: relay.received });
      term.stop(relay.terminates);
    };
    this.#term = term;
    relay.target = guard;
    if (relay.stop.aborted) stop();
    else relay.stop.addEventListener('abort', stop);
    const end = await term.end;
    relay.target = null;
    relay.stop.removeEventListener('abort', stop);
    this.#term = null;
    const wasTold = lead.signal.aborted;
    await lead.release();
    await plan.deadlineFile?.close();
    const { reason, detail } = endOfTerm(end, lead, relay.stop.aborted);
    if (reason === 'guard-lost' || isLoss(reason)) onEvent({ type: 'lost', token, reason, detail });
    onEvent({ type: 'ended', token, reason });
    if (end.type === 'failed') throw new CommandError(options.command, end.code);
    if (relay.stop.aborted || !(wasTold || isEndOfTerm(end))) return exitCodeOfEnd(end);
    if (!options.isOnce) return null;
    return end.type === 'guard-lost' ? LEAD_EXIT.guard : LEAD_EXIT.lost;
  }

  #take(event: ElectorEvent): void {
    const { onEvent } = this.options;
    if (event.type === 'ended') this.#cooldownMs = event.cooldownMs;
    if (event.type === 'renewed' || event.type === 'overdue') this.#term?.update();
    this.#storeErrors.take(event);
    if (event.type === 'waiting') this.#waiting.take(event);
    if (event.type === 'slots-differ') onEvent({ type: 'warning', message: slotsText(event) });
    if (event.type === 'tick-ahead' && event.aheadMs > 0) {
      const name = JSON.stringify(event.lead.term.name);
      onEvent({ type: 'warning', message: `${aheadText(event)} (hustings ticks ${name} --reset)` });
    }
  }
}

/** Whether the command ended because its term did. The guard often notices before the elector does. */
function isEndOfTerm(end: CommandEnd): boolean {
  return end.type === 'killed' || end.type === 'guard-lost' || (end.type === 'exited' && end.wasStopped);
}

interface EndOfTerm {
  readonly reason: EndReason | 'guard-lost';
  readonly detail: string;
}

/** `signal` has aborted by now: with the loss that the elector noticed, or with the release that followed the command. */
function endOfTerm(end: CommandEnd, { signal }: Lead, wasSignalled: boolean): EndOfTerm {
  if (end.type === 'guard-lost')
    return { reason: 'guard-lost', detail: 'the guard of the command was killed' };
  const { reason } = signal;
  const isKnown = reason instanceof LeaseLostError && reason.reason !== null;
  const isUnexplained = !isKnown || (reason.reason === 'released' && !wasSignalled && isEndOfTerm(end));
  if (isUnexplained) return { reason: 'expired', detail: 'its deadline has passed' };
  return { reason: reason.reason ?? 'expired', detail: reason.message };
}
