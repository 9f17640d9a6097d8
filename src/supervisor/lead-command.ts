/**
 * A command that runs only while this process leads: waits for the lease, runs the command under a guard, and term
 * after term again, until the command ends by itself or the process is asked to stop.
 *
 * Guaranteed (P6): the lease is given back only when the command is dead with all that it forked; and it is dead before
 * the lease ends. Each term has a guard of its own, which is there before the lease is asked for: what the claim says
 * of the holder's processes covers all that the term will start.
 *
 * Not guaranteed: see guard.ts and session-kill.ts. The token protects the sink then.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createElector, type Elector } from '../elector/create-elector.ts';
import type { ElectorEvent } from '../elector/elector-event.ts';
import type { Lead } from '../elector/lead.ts';
import { AcquireTimeoutError, LeaseLostError } from '../elector/lease-lost.ts';
import { InputError } from '../errors/hustings-error.ts';
import { type LeaseTiming, resolveTiming, type TimingOptions } from '../lease/core/timing.ts';
import type { FenceKey } from '../lease/fence/signed-fence.ts';
import { processProof } from '../lease/host/process-proof.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { openStore } from '../lease/open-store.ts';
import { StoreError } from '../lease/store-error.ts';
import { parseStoreUrl } from '../lease/store-url.ts';
import { childEnvironment, guardEnvironment } from './child-environment.ts';
import { CommandError, exitCodeOfEnd, exitCodeOfSignal, LEAD_EXIT } from './exit-code.ts';
import { type CommandEnd, Guard } from './guard.ts';
import { GuardedTerm } from './guarded-term.ts';
import { SignalRelay } from './signal-relay.ts';
import type { WrapperEvent } from './supervisor-event.ts';

export interface LeadCommandOptions {
  readonly storeUrl: string;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
  /** For each wait to lead; null for ever. */
  readonly waitMs: number | null;
  /** Ends when the lease is lost, instead of waiting to lead again. */
  readonly isOnce: boolean;
  readonly id?: string | undefined;
  readonly priority?: number | undefined;
  readonly fenceKey?: FenceKey | undefined;
  readonly timing?: Pick<TimingOptions, 'ttlMs' | 'preset'>;
  readonly tell: (event: WrapperEvent) => void;
}

/** Resolves with the exit code; rejects with what `exitCodeOfError` knows, or an `InputError`. */
export async function leadCommand(options: LeadCommandOptions): Promise<number> {
  if (process.platform === 'win32') {
    throw new InputError('expected a system with sessions and signals, got Windows: use createElector there');
  }
  if (parseStoreUrl(options.storeUrl).kind === 'memory') {
    throw new InputError(
      'expected a store that other processes see, got memory: every wrapper would lead; give sqlite:PATH or a server',
    );
  }
  const timing = resolveTiming(options.timing);
  const relay = new SignalRelay();
  let store: LeaseStore | null = null;
  try {
    store = await openStore(options.storeUrl);
    return await new Wrapper(options, timing, store, relay).run();
  } finally {
    relay.close();
    await store?.close();
  }
}

class Wrapper {
  #term: GuardedTerm | null = null;
  #ahead: string | null = null;
  #storeError: unknown = null;
  #wasServed = false;

  constructor(
    private readonly options: LeadCommandOptions,
    private readonly timing: LeaseTiming,
    private readonly store: LeaseStore,
    private readonly relay: SignalRelay,
  ) {}

  async run(): Promise<number> {
    const { relay, timing } = this;
    for (;;) {
      const code = await this.#stand();
      if (code !== null) return code;
      // Others first: whoever cannot hold on should not be the next by habit.
      const pauseMs = (timing.renewEveryMs / 2) * (1 + Math.random());
      if (!relay.stop.aborted) await sleep(pauseMs, undefined, { signal: relay.stop }).catch(() => {});
      if (relay.asked !== null) return exitCodeOfSignal(relay.asked);
    }
  }

  /** One options, and the term that comes of it. Null to stand again. */
  async #stand(): Promise<number | null> {
    const { options, timing } = this;
    const { name, id, priority, fenceKey, env } = options;
    const guard = await Guard.start({
      name,
      env: guardEnvironment(env),
      onDelay: (pids) => options.tell({ kind: 'undying', pids }),
    });
    try {
      const { pid } = guard.leader;
      const elector = createElector({
        ...timing,
        ...{ store: this.store, name, id, priority, fenceKey },
        // An successor waits for so long while the command is being stopped.
        stopGraceMs: options.graceMs + timing.renewEveryMs,
        processProof: processProof({ pids: [pid], session: pid }),
        onEvent: (event) => this.#hear(event),
      });
      const lead = await this.#win(elector, guard);
      return lead === null ? null : await this.#hold(guard, lead);
    } finally {
      guard.kill();
      await guard.end;
    }
  }

  /** Null if the wrapper was asked to stop, or the guard is gone: a claim that names another must be made. */
  async #win(elector: Elector, guard: Guard): Promise<Lead | null> {
    const { relay } = this;
    const { waitMs } = this.options;
    const over = new AbortController();
    const stop = (): void => over.abort();
    guard.end.then(stop);
    relay.stop.addEventListener('abort', stop);
    if (relay.stop.aborted) stop();
    try {
      return await elector.acquire({
        signal: over.signal,
        ...(waitMs === null ? {} : { timeoutMs: waitMs }),
      });
    } catch (error) {
      if (over.signal.aborted) return null;
      const isMute = error instanceof AcquireTimeoutError && !this.#wasServed;
      throw isMute && this.#storeError instanceof StoreError ? this.#storeError : error;
    } finally {
      relay.stop.removeEventListener('abort', stop);
    }
  }

  async #hold(guard: Guard, lead: Lead): Promise<number | null> {
    const { options, timing, relay } = this;
    const { tell } = options;
    tell({ kind: 'leading', token: lead.token });
    this.#ahead = null;
    const term = new GuardedTerm(guard, lead, {
      command: options.command,
      args: options.args,
      env: childEnvironment(options.env, lead),
      noticeMs: timing.killAfterMs - timing.stopAfterMs,
      graceMs: options.graceMs,
    });
    const stop = (): void => {
      tell({ kind: 'stopping', signal: relay.asked! });
      term.stop();
    };
    this.#term = term;
    relay.target = guard;
    if (relay.stop.aborted) stop();
    else relay.stop.addEventListener('abort', stop);
    const end = await term.end;
    relay.target = null;
    relay.stop.removeEventListener('abort', stop);
    this.#term = null;
    const wasAborted = lead.signal.aborted;
    await lead.release();
    if (end.kind === 'failed') throw new CommandError(options.command, end.code);
    if (relay.stop.aborted || !(wasAborted || isLoss(end))) return exitCodeOfEnd(end);
    tell({ kind: 'lost', token: lead.token, ...reasonOf(end, lead) });
    if (!options.isOnce) return null;
    return end.kind === 'guard-lost' ? LEAD_EXIT.guard : LEAD_EXIT.lost;
  }

  #hear(event: ElectorEvent): void {
    const { tell } = this.options;
    if (event.type === 'renewed' || event.type === 'overdue') this.#term?.look();
    if (event.type === 'answered') {
      this.#wasServed = true;
      this.#storeError = null;
    }
    if (event.type === 'waiting') {
      const { holder, successor } = event;
      const ahead = holder ?? successor;
      if (ahead !== null && ahead !== this.#ahead) tell({ kind: 'waiting', holder, successor });
      this.#ahead = ahead;
    }
    if (event.type === 'store-error') {
      const isNew = this.#storeError === null;
      this.#storeError = event.error ?? event.kind;
      if (isNew) tell({ kind: 'store-error', message: storeErrorText(event.error, this.store.label) });
    }
  }
}

/** Also where the elector has not come to notice it yet: the guard is often first. */
function isLoss(end: CommandEnd): boolean {
  return end.kind === 'killed' || end.kind === 'guard-lost' || (end.kind === 'ended' && end.asked);
}

function reasonOf(
  end: CommandEnd,
  { signal }: Lead,
): Pick<WrapperEvent & { kind: 'lost' }, 'reason' | 'detail'> {
  if (end.kind === 'guard-lost') {
    return { reason: 'guard-lost', detail: 'the guard of the command was killed' };
  }
  const { reason } = signal;
  return reason instanceof LeaseLostError && reason.reason !== null
    ? { reason: reason.reason, detail: reason.message }
    : { reason: 'expired', detail: 'its time was up' };
}

function storeErrorText(error: unknown, label: string): string {
  return error instanceof Error ? error.message : `${label} did not answer in time; trying again`;
}
