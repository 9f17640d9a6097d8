/**
 * Passes the events of an elector on: to its status and metrics, then to the user. A store that fails is reported once,
 * and once more when it answers again. If nobody listens, the process warns after one TTL without an answer.
 */
import { writeSync } from 'node:fs';
import type { LeaseStore } from '../../lease/lease-store.ts';
import { notify } from '../../lease/observer.ts';
import type { ElectorSettings } from '../elector-options.ts';
import type { ElectorStatus } from '../elector-status.ts';
import type { Lead } from '../lead.ts';
import type { MetricsCounter } from '../metrics/metrics-counter.ts';
import { setLongTimeout, startTimer } from '../timeouts.ts';
import type { ElectorEvent } from './elector-event.ts';
import { aheadText, eventLogger, slotsText } from './elector-logger.ts';
import { withErrorText } from './error-text.ts';

/** Stores of which the process has warned, until they answer: one warning serves all electors of a store. */
const warned = new WeakSet<LeaseStore>();

/** This number of brief terms in a row is likely to be a mistake. */
const BRIEF_TERMS = 3;

/** EX_SOFTWARE of sysexits.h: an error within the program. */
const OVERDUE_EXIT_CODE = 70;

export class EventOutlet {
  private readonly log: ((event: ElectorEvent) => void) | undefined;
  private readonly overdueExit: OverdueExit | undefined;
  /** The failed calls since the store last answered, and when the first of them failed. */
  private warnedOf: readonly string[] = [];
  private outage: { errors: number; readonly sinceMs: number; readonly cancel: () => void } | null = null;

  constructor(
    private readonly settings: ElectorSettings,
    private readonly status: ElectorStatus,
    private readonly metrics: MetricsCounter,
  ) {
    const { logger, name, id, exitWhenOverdueMs } = settings;
    this.overdueExit = exitWhenOverdueMs === undefined ? undefined : new OverdueExit(exitWhenOverdueMs);
    this.log = logger === undefined ? undefined : eventLogger(logger, name, id);
  }

  emit(event: ElectorEvent, store: LeaseStore): void {
    this.status.take(event);
    this.metrics.count(event);
    this.overdueExit?.take(event);
    if (event.type === 'answered') this.endOutage(store);
    if (event.type === 'store-error' && !this.beginsOutage(event.error, store)) return;
    if (event.type === 'ended' && event.briefTerms === BRIEF_TERMS) this.warnOfBriefTerms();
    if (event.type === 'slots-differ' && !this.hasListener) {
      this.warnOnce('HUSTINGS_SLOTS_DIFFER', `'${this.settings.name}': ${slotsText(event)}`);
    }
    if (event.type === 'tick-ahead' && event.aheadMs > 0 && !this.hasListener) {
      this.warnOnce('HUSTINGS_TICK_AHEAD', `'${this.settings.name}': ${aheadText(event)}`);
    }
    if (event.type === 'tick-ended' && event.state === 'failed') this.warnOfFailedTick(event.error);
    this.deliver('error' in event ? withErrorText(event) : event);
  }

  private warnOfBriefTerms(): void {
    this.warnOnce(
      'HUSTINGS_BRIEF_TERMS',
      `the work of '${this.settings.name}' has returned at once ${BRIEF_TERMS} times in a row, and a term ends when its work ` +
        'returns; let it await what it does, or lead.ended',
    );
  }

  /** Otherwise the error would be seen by nobody. */
  private warnOfFailedTick(error: unknown): void {
    if (this.hasListener) return;
    this.warnOnce(
      'HUSTINGS_TICK_FAILED',
      `a tick of '${this.settings.name}' has failed: ${error}; pass a logger or onEvent to see later ones`,
    );
  }

  private warnOnce(code: string, message: string): void {
    if (this.warnedOf.includes(code)) return;
    this.warnedOf = [...this.warnedOf, code];
    process.emitWarning(message, { code });
  }

  private get hasListener(): boolean {
    return this.settings.onEvent !== undefined || this.log !== undefined;
  }

  private beginsOutage(error: unknown, store: LeaseStore): boolean {
    if (this.outage !== null) {
      this.outage.errors++;
      return false;
    }
    const warn = (): void => this.warn(error, store);
    const { clock, timing } = this.settings;
    const cancel = startTimer(clock, warn, timing.ttlMs, { keepsAlive: false });
    this.outage = { errors: 1, sinceMs: clock.now().monoMs, cancel };
    return true;
  }

  private endOutage(store: LeaseStore): void {
    if (this.outage === null) return;
    const { errors, sinceMs, cancel } = this.outage;
    this.outage = null;
    cancel();
    warned.delete(store);
    const afterMs = Math.round(this.settings.clock.now().monoMs - sinceMs);
    this.deliver({ type: 'store-recovered', errors, afterMs });
  }

  private warn(error: unknown, store: LeaseStore): void {
    const { name, timing } = this.settings;
    const isIdle = !['waiting', 'leading', 'stopping'].includes(this.status.health.state);
    if (this.hasListener || isIdle || warned.has(store)) return;
    warned.add(store);
    process.emitWarning(
      `no answer from ${store.label} for ${timing.ttlMs} ms, so '${name}' may have no leader: ${error}`,
      {
        code: 'HUSTINGS_STORE_SILENT',
        detail: 'The elector keeps trying. Pass a logger or onEvent to createElector to see its events.',
      },
    );
  }

  private deliver(event: ElectorEvent): void {
    notify(this.settings.onEvent, event, 'onEvent');
    this.log?.(event);
  }
}

/**
 * Ends the process when the work of a term has been overdue for too long: work that hangs would otherwise keep this
 * replica out of the election while everything looks healthy.
 */
class OverdueExit {
  private readonly cancels = new Map<Lead, () => void>();

  constructor(private readonly afterMs: number) {}

  take(event: ElectorEvent): void {
    if (event.type === 'overdue') {
      this.cancels.set(
        event.lead,
        setLongTimeout(() => exit(event.lead, this.afterMs), this.afterMs),
      );
    } else if (event.type === 'ended') {
      this.cancels.get(event.lead)?.();
      this.cancels.delete(event.lead);
    }
  }
}

function exit({ term: { name, token } }: Lead, afterMs: number): never {
  // Synchronously: a warning of the process would be lost.
  writeSync(
    2,
    `hustings: '${name}': the work of term ${token} is ${afterMs} ms overdue; exit ${OVERDUE_EXIT_CODE}\n`,
  );
  process.exit(OVERDUE_EXIT_CODE);
}
