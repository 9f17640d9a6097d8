/** A run with random faults; after each of them everything is healed, and the members must agree within a bound. */

import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import type { MemberEvent } from '../../src/runtime/member-status.ts';
import { type ClusterOptions, SimulatedCluster } from '../simulated-cluster.ts';

export type FaultKind =
  | 'crash'
  | 'restart of all'
  | 'restart at once'
  | 'pause'
  | 'cut'
  | 'one-way cut'
  | 'slow links'
  | 'full disk';

export const ALL_FAULTS: readonly FaultKind[] = [
  'crash',
  'restart of all',
  'restart at once',
  'pause',
  'cut',
  'one-way cut',
  'slow links',
  'full disk',
];

/** Faults that leave delays bounded and the detector right, as algorithms without 'loss' assume. */
export const CRASH_FAULTS: readonly FaultKind[] = ['crash', 'restart of all', 'restart at once', 'full disk'];

/** From the heal to agreement, in virtual milliseconds. */
export const BOUND_MS = 10_000;

export interface FaultReport {
  readonly cluster: SimulatedCluster;
  readonly faults: readonly string[];
  /** From each heal to agreement. */
  readonly recoveryMs: readonly number[];
}

export async function faultRun(
  options: ClusterOptions,
  kinds: readonly FaultKind[],
  count: number,
): Promise<FaultReport> {
  const cluster = new SimulatedCluster(options);
  cluster.startAll();
  await cluster.agree(BOUND_MS, ', at the start');
  const faults: string[] = [];
  const recoveryMs: number[] = [];
  for (let k = 0; k < count; k++) {
    const kind = kinds[cluster.random.below(kinds.length)];
    faults.push(inflict(cluster, kind));
    await cluster.time.runUntil(cluster.time.nowMs + cluster.random.below(4_000));
    heal(cluster);
    recoveryMs.push(await cluster.agree(BOUND_MS, `, after ${faults.join(', ')}`));
  }
  return { cluster, faults, recoveryMs };
}

function inflict(cluster: SimulatedCluster, kind: FaultKind): string {
  const { random } = cluster;
  const { ids } = cluster.options;
  const some = (): number[] => ids.filter(() => random.chance(0.4));
  const one = ids[random.below(ids.length)];
  const leader = ids.find((id) => cluster.statusOf(id).role === 'leader') ?? one;
  const target = random.chance(0.5) ? leader : one;
  switch (kind) {
    case 'crash': {
      const dead = [target, ...some()].slice(0, Math.floor((ids.length - 1) / 2));
      for (const id of dead) cluster.crash(id);
      return `crash of ${dead}`;
    }
    case 'restart of all':
      for (const id of ids) cluster.crash(id);
      for (const id of ids) cluster.start(id);
      return kind;
    case 'restart at once':
      cluster.crash(target);
      cluster.start(target);
      return `restart of ${target}`;
    case 'pause':
      cluster.pause(target);
      return `pause of ${target}`;
    case 'full disk': {
      const disk = cluster.disks.get(target);
      if (disk !== undefined) disk.isFull = true;
      // Otherwise nothing would be written.
      const other = ids.find((id) => id !== target && id !== leader) ?? leader;
      cluster.crash(other);
      return `full disk of ${target}, crash of ${other}`;
    }
    case 'slow links': {
      for (const from of ids)
        for (const to of ids) if (from !== to && random.chance(0.4)) cluster.network.slow(from, to, 500);
      return kind;
    }
    default: {
      const side = [target, ...some()];
      for (const a of ids) {
        for (const b of ids) {
          if (side.includes(a) === side.includes(b)) continue;
          if (kind === 'cut' || side.includes(a)) cluster.network.cut(a, b);
        }
      }
      return `${kind} of ${side}`;
    }
  }
}

/** Undoes every fault. A member that stopped by itself is started again. */
function heal(cluster: SimulatedCluster): void {
  cluster.network.heal();
  for (const id of cluster.options.ids) {
    cluster.resume(id);
    const disk = cluster.disks.get(id);
    if (disk !== undefined) disk.isFull = false;
    if (cluster.processes.has(id) && cluster.statusOf(id).state === 'stopped') cluster.crash(id);
    cluster.start(id);
  }
}

/** Whether uniqueness in a term is promised even if messages are lost and delays are not bounded. */
export function toleratesLoss({ assumes }: AnyAlgorithm): boolean {
  return assumes.faults?.includes('loss') ?? false;
}

export function eventsOf(cluster: SimulatedCluster, type: MemberEvent['type']): readonly unknown[] {
  return cluster.events.filter(({ event }) => event.type === type);
}
