/** A cluster in virtual time of which one member is faulty, and its frames with numbers that are far ahead. */
import { vi } from 'vitest';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { TermIncrementLimiter } from '../../src/gate/term-increment-limiter.ts';
import type { ListRecord } from '../../src/membership/list-record.ts';
import type { Frame } from '../../src/transport.ts';
import { type ClusterOptions, SimulatedCluster, UNIT_MS } from '../simulated-cluster.ts';

export const WITHIN_MS = 20_000;
export const FAULTY = 1;
export const VICTIMS = [2, 3];
export const MEMBERS = [1, 2, 3].map((id) => ({ id, address: `127.0.0.1:700${id}` }));

/** Takes the check out. */
export function withoutLimit(): void {
  vi.spyOn(TermIncrementLimiter.prototype, 'refusal').mockReturnValue(null);
}

export async function agreed(
  algorithm: AnyAlgorithm,
  options: Partial<ClusterOptions> = {},
): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster({ ids: [1, 2, 3], seed: 5, ...options, algorithm });
  cluster.startAll();
  await cluster.agree(WITHIN_MS);
  return cluster;
}

/** Members whose leader can change their list. Member 4 waits to be added. */
export function withLists(
  ids: readonly number[] = [1, 2, 3],
  list: ListRecord = { stamp: 0, version: 1, origin: 0, members: MEMBERS },
): Partial<ClusterOptions> {
  const disks = new Map<number, ListRecord>();
  for (const id of ids) if (id < 4) disks.set(id, list);
  return {
    ids,
    listsOf: (id, time) => ({
      record: disks.get(id) ?? null,
      isJoining: id === 4,
      unitMs: () => UNIT_MS,
      save: async (record) => {
        disks.set(id, record);
        time.hasSettled = true;
      },
      reaches: () => true,
      connect: () => undefined,
      onCommitted: () => undefined,
    }),
  };
}

/** The faulty member sends the frames to both others. */
export async function attack(
  cluster: SimulatedCluster,
  frames: readonly Frame[],
  to = VICTIMS,
): Promise<void> {
  for (const id of to) for (const frame of frames) cluster.network.processes.get(FAULTY)?.send(id, frame);
  await cluster.time.runUntil(cluster.time.nowMs + 300);
}

export function refusals(cluster: SimulatedCluster): string[] {
  return cluster.events.flatMap(({ event }) => (event.type === 'refused' ? [event.reason] : []));
}

export const largestTerm = (cluster: SimulatedCluster): number =>
  Math.max(...cluster.living.map((id) => cluster.statusOf(id).term));

/** Another election, if one is possible. */
export async function electAgain(cluster: SimulatedCluster): Promise<void> {
  const leader = cluster.living.find((id) => cluster.statusOf(id).role === 'leader') ?? 3;
  cluster.crash(leader);
  await cluster.time.runUntil(cluster.time.nowMs + 3_000);
  cluster.start(leader);
  await cluster.agree(WITHIN_MS);
}

export const frameOf = (body: object, extra: object = {}): Frame =>
  ({ type: 'message', epoch: 0, proposer: 0, port: 0, key: 'x', body, ...extra }) as Frame;

/** What the faulty member has sent to a victim, one of each type, with another term. */
export function withTerm(cluster: SimulatedCluster, to: number, term: number): Frame[] {
  const byType = new Map<string, Frame>();
  for (const { frame, ...link } of cluster.network.sent) {
    const body = frame.body as { readonly type: string };
    if (link.from === FAULTY && link.to === to && 'term' in body)
      byType.set(body.type, { ...frame, body: { ...body, term } } as Frame);
  }
  return [...byType.values()];
}

export const view = (seen: number, number: number | null): Frame => ({
  type: 'epoch',
  view: {
    hears: [2, 3],
    chooses: 1,
    seen,
    epoch: number === null ? null : { number, proposer: 1, members: [1, 2, 3] },
  },
});

export const record = (fields: Partial<ListRecord>): Frame => ({
  type: 'members',
  about: 'record',
  isCommitted: false,
  record: { stamp: 0, version: 1, origin: 0, members: MEMBERS, ...fields },
});
