/** The faults of a fleet. Each lasts two TTLs and is then undone, and all processes run again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../servers/index.ts';
import type { Worker } from './fleet.ts';

export type FaultKind =
  | 'kill -9'
  | 'stopped'
  | 'blocked'
  | 'cut off'
  | 'half-open'
  | 'store restarted'
  | 'store busy';

export interface Scene {
  readonly ttlMs: number;
  readonly server: TestServer | null;
  /** Holds the lock of the store for this time; null in a store without a lock. */
  readonly keepBusy: ((ms: number) => Promise<void>) | null;
}

export function faultsOf({ server, keepBusy }: Scene): FaultKind[] {
  return [
    'kill -9',
    'stopped',
    'blocked',
    ...(server === null ? [] : (['cut off', 'half-open', 'store restarted'] as const)),
    ...(keepBusy === null ? [] : (['store busy'] as const)),
  ];
}

export async function inflict(
  kind: FaultKind,
  worker: Worker,
  { ttlMs, server, keepBusy }: Scene,
): Promise<void> {
  const whileMs = 2 * ttlMs;
  switch (kind) {
    case 'kill -9':
      await worker.kill();
      worker.start();
      return;
    case 'stopped':
      worker.signal('SIGSTOP');
      await sleep(whileMs);
      worker.signal('SIGCONT');
      return;
    case 'blocked':
      worker.block(whileMs);
      await sleep(whileMs);
      return;
    case 'cut off':
    case 'half-open':
      worker.proxy!.set(kind === 'cut off' ? 'cut' : 'blackhole');
      await sleep(whileMs);
      worker.proxy!.set('pass');
      return;
    case 'store restarted':
      await server!.kill9();
      await sleep(ttlMs / 2);
      await server!.restart();
      return;
    case 'store busy':
      await keepBusy!(whileMs);
  }
}
