/** Faults of a service and its sidecar, on two replicas that write to one resource with a fence. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../../../test-kit/until.ts';
import { stopOutsideTransaction } from '../supervisor/stop-process.ts';
import { Replica, Resource, type Worker } from './replicas.ts';

/** Two replicas. `leader` leads. */
export interface Pair {
  leader: Replica;
  other: Replica;
  readonly resource: Resource;
  /** The file of the SQLite store; '' for another store. */
  readonly file: string;
  readonly workers: readonly Worker[];
  replace(replica: Replica): Promise<Replica>;
  end(): void;
}

/** `workers`: the program of each replica. */
export async function startPair(
  place: { readonly folder: string } | { readonly store: string },
  workers: readonly Worker[],
): Promise<Pair> {
  const resource = new Resource();
  const url = await resource.start();
  const file = 'folder' in place ? join(place.folder, 'leases.db') : '';
  const store = 'store' in place ? place.store : `sqlite:${file}`;
  const all: Replica[] = [];
  const launch = (id: string): Promise<Replica> => {
    const replica = new Replica(id, store, url);
    all.push(replica);
    return replica.ready();
  };
  const [leader, other] = await Promise.all(['a', 'b'].map(launch));
  leader.work(workers[0]);
  await until(() => resource.accepted.length > 2);
  other.work(workers[1]);
  return {
    ...{ leader, other, resource, file, workers },
    replace: async (replica) => {
      replica.end();
      const next = await launch(replica.id);
      next.work(workerOf(workers, next));
      return next;
    },
    end: () => {
      for (const replica of all) replica.end();
      resource.close();
    },
  };
}

const workerOf = (workers: readonly Worker[], { id }: Replica): Worker => workers[id === 'a' ? 0 : 1];

interface FaultCase {
  inject(pair: Pair): Promise<void>;
  recover(pair: Pair): Promise<void>;
}

export const FAULTS = {
  'the service is killed': {
    inject: async ({ leader }) => leader.kill(leader.service!),
    recover: async ({ leader, workers }) => leader.work(workerOf(workers, leader)),
  },
  'the service is stopped, its connections open': {
    inject: async ({ leader }) => leader.stop(leader.service!),
    recover: async ({ leader }) => leader.resume(leader.service!),
  },
  'the sidecar is stopped': {
    inject: async ({ leader, file }) => void (await stopOutsideTransaction(leader.sidecar.pid!, file)),
    recover: async ({ leader }) => {
      leader.resume(leader.sidecar);
      await until(() => leader.log.includes('lost:'));
    },
  },
  'service and sidecar are stopped': {
    inject: async ({ leader, file }) => {
      leader.stop(leader.service!);
      await stopOutsideTransaction(leader.sidecar.pid!, file);
    },
    recover: async ({ leader }) => {
      leader.resume(leader.service!);
      leader.resume(leader.sidecar);
      await until(() => leader.log.includes('lost:'));
    },
  },
  'the sidecar is killed': {
    inject: async ({ leader }) => leader.kill(leader.sidecar),
    recover: async (pair) => {
      pair.leader = await pair.replace(pair.leader);
    },
  },
  'service and sidecar are killed': {
    inject: async ({ leader }) => leader.end(),
    recover: async (pair) => {
      pair.leader = await pair.replace(pair.leader);
    },
  },
} as const satisfies Readonly<Record<string, FaultCase>>;

/**
 * Injects a fault into the replica that leads, waits until the other one writes, and ends the fault. The other one must not
 * write before the lease has run out by the clock of the store. Afterwards the replicas have changed places.
 */
export async function runFault(pair: Pair, fault: keyof typeof FAULTS): Promise<void> {
  const { askedMs, remainingMs, token } = await settle(pair);
  const { leader, resource } = pair;
  leader.log = '';
  await FAULTS[fault].inject(pair);
  const first = await resource.newerThan(BigInt(token));
  expect(first.atMs - askedMs, fault).toBeGreaterThanOrEqual(remainingMs - 1);
  // A write of the old leader that was under way for a long time arrives now.
  expect(await resource.write(BigInt(token)), fault).toBe(412);
  await FAULTS[fault].recover(pair);
  // The replica that was led comes back as a candidate, and its service writes nothing under its old token.
  await until(async () => (await pair.leader.leader()).body.leads === false);
  await until(() => resource.accepted.filter((write) => write.token === first.token).length > 3);
  [pair.leader, pair.other] = [pair.other, pair.leader];
  expectOrder(resource);
}

/** Waits until one leads and the other one waits, and gives them their places. On a busy machine a service may be late. */
export async function settle(
  pair: Pair,
): Promise<{ readonly askedMs: number; readonly remainingMs: number; readonly token: string }> {
  for (;;) {
    const askedMs = performance.now();
    const { type, holder, remainingMs, token } = (await pair.other.leader()).body;
    if (type === 'led' && holder === pair.other.id) [pair.leader, pair.other] = [pair.other, pair.leader];
    const isSettled = type === 'led' && (await pair.leader.isLeading());
    if (isSettled && (await pair.other.health()).state === 'waiting') return { askedMs, remainingMs, token };
  }
}

/** The fence accepts no older token: writes are in the order of the terms. */
export function expectOrder({ accepted }: Resource): void {
  const tokens = accepted.map(({ token }) => token);
  expect(tokens).toEqual([...tokens].sort((x, y) => (x < y ? -1 : x > y ? 1 : 0)));
}
