/** What an elector is made with, looked over once, so that what cannot work is refused before anything begins. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { InputError } from '../errors/hustings-error.ts';
import type { CandidateOptions } from '../lease/core/candidate-options.ts';
import { checkName } from '../lease/core/election-name.ts';
import { type LeaseTiming, resolveTiming, type TimingOptions } from '../lease/core/timing.ts';
import { plainFence } from '../lease/fence/fence.ts';
import { type FenceKey, fenceKeys, signFence } from '../lease/fence/signed-fence.ts';
import { processProof } from '../lease/host/process-proof.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import type { ElectorEvent } from './elector-event.ts';
import { type Clock, processClock } from './process-clock.ts';

export interface ElectorOptions extends TimingOptions {
  /** A store, or the URL of one: 'sqlite:./leases.db', 'redis://…', 'postgres://…', 'memory:'. */
  readonly store: LeaseStore | string;
  /** The election. Everybody who gives this name to this store stands in it. */
  readonly name: string;
  /** The candidate's name, for people, for audits and for `transfer`; the host and the process if it is not given. */
  readonly id?: string | undefined;
  /** Larger is preferred: a leader yields to a candidate of higher priority that has waited for `yieldAfterMs`. */
  readonly priority?: number | undefined;
  /** At least 32 bytes that sinks share: `lead.fence` is then signed. */
  readonly fenceKey?: FenceKey | undefined;
  /** Hears of everything that happens. What it throws does no harm: the process warns of it once. */
  readonly onEvent?: ((event: ElectorEvent) => void) | undefined;
  /** What proves that this candidate is gone; '' to offer no proof. Its own process if it is not given. */
  readonly processProof?: string | undefined;
  readonly clock?: Clock | undefined;
}

export interface ElectorSettings {
  readonly name: string;
  readonly id: string;
  readonly priority: number;
  readonly timing: LeaseTiming;
  /** A closure, so that whoever prints an elector does not print the key. */
  fenceOf(token: bigint): string;
  readonly processProof: string;
  readonly clock: Clock;
}

const MOST_PRIORITY = 1_000_000;

export function settingsOf(options: ElectorOptions): ElectorSettings {
  const { name, id = `${hostname()}-${process.pid}`, priority = 0, fenceKey, clock = processClock } = options;
  checkName(name, 'an election');
  checkName(id, 'a candidate');
  if (!Number.isSafeInteger(priority) || Math.abs(priority) > MOST_PRIORITY) {
    throw new InputError(`expected a priority from −${MOST_PRIORITY} to ${MOST_PRIORITY}, got ${priority}`);
  }
  if (fenceKey !== undefined) fenceKeys({ key: fenceKey });
  return {
    name,
    id,
    priority,
    timing: resolveTiming(options),
    fenceOf: (token) =>
      fenceKey === undefined ? plainFence({ name, token }) : signFence({ name, token, key: fenceKey }),
    processProof: options.processProof ?? processProof(),
    clock,
  };
}

/** A options of its own for each campaign: two in one process are as strange to each other as two hosts. */
export function candidateOptionsOf(
  settings: ElectorSettings,
  { capabilities }: LeaseStore,
): CandidateOptions {
  const identity = randomUUID();
  return {
    name: settings.name,
    id: settings.id,
    identity,
    priority: settings.priority,
    processProof: settings.processProof,
    timing: settings.timing,
    storeHasClock: capabilities.clock,
    storePushes: capabilities.push,
    seed: Number.parseInt(identity.slice(0, 8), 16),
  };
}
