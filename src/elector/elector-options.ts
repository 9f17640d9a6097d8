/** The options of an elector, validated once, so that options that cannot work are rejected before anything starts. */
import { hostname } from 'node:os';
import { InputError } from '../errors/hustings-error.ts';
import { checkName } from '../lease/core/election-name.ts';
import { type LeaseTiming, resolveTiming, type TimingOptions } from '../lease/core/timing.ts';
import { type FenceKey, fenceKeys } from '../lease/fence/fence-key.ts';
import { type Clock, processClock } from '../lease/host/process-clock.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import type { ElectorEvent } from './elector-event.ts';

/** The options of `createElector`. Only `store` and `name` are required. */
export interface ElectorOptions extends TimingOptions {
  /** A store, or the URL of one: 'sqlite:./leases.db', 'redis://…', 'postgres://…', 'memory:'. */
  readonly store: LeaseStore | string;
  /** The election. All electors with this name on this store are candidates in it. */
  readonly name: string;
  /** The candidate's id, for logs, the history and `transfer`. Default: the host name and the PID. */
  readonly id?: string | undefined;
  /** A leader yields to a candidate of higher priority that has waited for `yieldAfterMs`. Default: 0. */
  readonly priority?: number | undefined;
  /** At least 32 secret bytes that the resources share: signs `lead.fence`. */
  readonly fenceKey?: FenceKey | undefined;
  /** Receives every event. If it throws, the election continues, and the process warns once. */
  readonly onEvent?: ((event: ElectorEvent) => void) | undefined;
  /**
   * Lets candidates on the same host prove that this one is dead, with what it may have started in its session. '' for no
   * proof: a successor waits for the end of the lease. Default: this process.
   */
  readonly processProof?: string | undefined;
  /** Default: the clocks of this process. */
  readonly clock?: Clock | undefined;
}

export interface ElectorSettings {
  readonly name: string;
  readonly id: string;
  readonly priority: number;
  readonly timing: LeaseTiming;
  /** A closure, so that a printed elector does not show the key. */
  readonly fenceKey: () => FenceKey | undefined;
  /** Null: the proof of this process. */
  readonly processProof: string | null;
  readonly clock: Clock;
  /** Per call of `acquire` or `runOnce`. */
  readonly holdAtLeastMs: number;
}

const MOST_PRIORITY = 1_000_000;

export function settingsOf(options: ElectorOptions): ElectorSettings {
  const { name, id = `${hostname()}-${process.pid}`, priority = 0, fenceKey } = options;
  checkName(name, 'an election');
  checkName(id, 'a candidate');
  if (!Number.isSafeInteger(priority) || Math.abs(priority) > MOST_PRIORITY) {
    throw new InputError(
      `priority must be a whole number from −${MOST_PRIORITY} to ${MOST_PRIORITY}, not ${priority}`,
    );
  }
  if (fenceKey !== undefined) fenceKeys({ key: fenceKey });
  return {
    name,
    id,
    priority,
    timing: resolveTiming(options),
    fenceKey: () => fenceKey,
    processProof: options.processProof ?? null,
    clock: options.clock ?? processClock,
    holdAtLeastMs: 0,
  };
}
