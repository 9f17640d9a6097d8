/**
 * Runs a command at each tick of a schedule, while this process leads. Each tick has its own guard, so that the command is
 * dead with everything that it forked before the lease expires.
 *
 * The candidate offers no proof of its death, because the guard of a tick outlives its supervisor for a moment. A successor
 * waits for the end of the lease.
 */
import { createElector } from '../elector/create-elector.ts';
import type { CronOptions, CronTick } from '../elector/cron/cron-options.ts';
import type { ElectorEvent } from '../elector/events/elector-event.ts';
import type { Lead } from '../elector/lead.ts';
import { resolveTiming } from '../lease/core/timing.ts';
import { openStore } from '../lease/open-store.ts';
import { guardEnvironment } from './child-environment.ts';
import { CommandError, exitCodeOfEnd, exitCodeOfSignal } from './exit-code.ts';
import { type CommandEnd, Guard } from './guard.ts';
import { GuardedTerm, termPlan } from './guarded-term.ts';
import { SignalRelay } from './signal-relay.ts';
import { StoreErrorReport } from './store-error-report.ts';
import { checkSupervision, type SupervisorOptions } from './supervisor.ts';
import { isUnitSignalled } from './systemd-unit.ts';
import { WaitingReport } from './waiting-report.ts';

export interface CronSupervisorOptions
  extends Omit<SupervisorOptions, 'waitMs' | 'isOnce' | 'holdAtLeastMs' | 'order'>,
    Omit<CronOptions, 'signal'> {
  readonly expression: string;
}

/** Resolves with the exit code when a signal ends it. Rejects like `supervise`. */
export async function superviseCron(options: CronSupervisorOptions): Promise<number> {
  checkSupervision(options.storeUrl);
  const { name, id, priority, metadata, fenceKey, onEvent, timeZone, overlap, catchUp, retryInterrupted } =
    options;
  const timing = resolveTiming(options.timing);
  const store = await openStore(options.storeUrl);
  const relay = new SignalRelay(options.signals, () => isUnitSignalled(guardEnvironment(options.env)));
  const waiting = new WaitingReport(onEvent);
  const storeErrors = new StoreErrorReport(store.label, onEvent);
  let running: GuardedTerm | null = null;
  const elector = createElector({
    ...timing,
    ...{ store, name, id, priority, metadata, fenceKey, processProof: '' },
    stopGraceMs: options.stopGraceMs + timing.renewEveryMs,
    onEvent: (event) => {
      if (event.type === 'renewed' || event.type === 'overdue') running?.update();
      storeErrors.take(event);
      if (event.type === 'waiting') waiting.take(event);
      else report(event, onEvent);
    },
  });
  const work = async (lead: Lead, { tickMs }: CronTick): Promise<void> => {
    waiting.reset();
    const guard = await Guard.start({
      name,
      env: guardEnvironment(options.env),
      onUnkillable: (pids) => onEvent({ type: 'unkillable', pids }),
    });
    relay.target = guard;
    const plan = termPlan(options, timing, lead);
    const env = { ...plan.env, HUSTINGS_TICK: new Date(tickMs).toISOString() };
    running = new GuardedTerm(guard, lead, { ...plan, env }, () => !relay.stop.aborted || relay.terminates);
    const end = await running.end;
    running = null;
    relay.target = null;
    await plan.deadlineFile?.close();
    throwUnlessDone(options.command, end);
  };
  try {
    const schedule = { timeZone, overlap, catchUp, retryInterrupted, signal: relay.stop };
    await elector.cron(options.expression, work, schedule);
    return relay.received === null ? 0 : exitCodeOfSignal(relay.received);
  } finally {
    relay.close();
    await elector.close();
    await store.close();
  }
}

/** The tick has failed unless the command exits with 0. */
function throwUnlessDone(command: string, end: CommandEnd): void {
  if (end.type === 'failed') throw new CommandError(command, end.code);
  const code = exitCodeOfEnd(end);
  if (code !== 0) throw new Error(`'${command}' ended with ${code}`);
}

function report(event: ElectorEvent, onEvent: SupervisorOptions['onEvent']): void {
  switch (event.type) {
    case 'elected':
      onEvent({ type: 'elected', token: event.lead.token });
      return;
    case 'lost':
      onEvent({ type: 'lost', token: event.lead.token, reason: event.reason, detail: event.detail });
      return;
    case 'ended':
      onEvent({ type: 'ended', token: event.lead.token, reason: event.reason });
      return;
    case 'tick-started':
      onEvent({ type: 'tick-started', tickMs: event.tickMs });
      return;
    case 'tick-ended':
      onEvent({
        ...{ type: 'tick-ended', tickMs: event.tickMs, state: event.state },
        message: event.error instanceof Error ? event.error.message : null,
      });
  }
}
