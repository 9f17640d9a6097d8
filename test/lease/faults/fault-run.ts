/**
 * Five candidates, a store and a fenced sink under many faults, half of which hit the leader. Afterwards the journals, the
 * audit trail and the writes of the sink are compared.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../src/kernel/random.ts';
import { overlaps } from '../../../src/lease/audit.ts';
import type { LeaseStore, Term } from '../../../src/lease/lease-store.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import type { TestServer } from '../servers/index.ts';
import { type FaultKind, faultsOf, inflict } from './fault.ts';
import { startFleet, type Worker } from './fleet.ts';
import { type Entry, fallenTokens, readJournals, staleWork } from './journal.ts';
import { startSink } from './sink.ts';

export interface FaultRunPlan {
  readonly faults: number;
  readonly seed: number;
  readonly ttlMs: number;
  readonly fenceKey: string | null;
  readonly server: TestServer | null;
  /** The URL of the store; a file is in `folder`. */
  url(folder: string): string;
  keepBusy: ((folder: string, ms: number) => Promise<void>) | null;
  /** Mutants: candidates that do not check whether they lead, and a sink that does not check the token. */
  readonly careless?: boolean;
}

export interface FaultRun {
  readonly inflicted: Readonly<Record<string, number>>;
  readonly onLeader: number;
  readonly terms: number;
  readonly works: number;
  readonly staleWrites: number;
  /** The violations. */
  readonly wrongs: readonly string[];
}

const CANDIDATES = 5;

export async function runFaults(plan: FaultRunPlan): Promise<FaultRun> {
  const { ttlMs, seed, server, careless = false } = plan;
  const random = new Random(seed, 'faults');
  const folder = mkdtempSync(join(tmpdir(), 'hustings-faults-'));
  const name = `faults ${seed}`;
  const sink = await startSink(name, plan.fenceKey, !careless);
  const storeUrl = plan.url(folder);
  const store = await openStore(storeUrl);
  await store.init();
  const workers = await startFleet({
    folder,
    name,
    size: CANDIDATES,
    ttlMs,
    storeUrl,
    storePort: server?.port ?? null,
    sinkUrl: sink.url,
    fenceKey: plan.fenceKey,
    careless,
  });
  const { keepBusy } = plan;
  const scene = { ttlMs, server, keepBusy: keepBusy && ((ms: number) => keepBusy(folder, ms)) };
  const kinds = faultsOf(scene);
  const inflicted: Record<string, number> = {};
  const frozen: {
    readonly kind: FaultKind;
    readonly id: string;
    readonly token: bigint;
    readonly atMs: number;
  }[] = [];
  let onLeader = 0;
  try {
    for (let i = 0; i < plan.faults; i++) {
      const { worker: leader, token } = await leaderOf(store, name, workers);
      const kind = kinds[Math.floor(i / 2) % kinds.length];
      const hitsLeader = i % 2 === 0;
      const others = workers.filter((worker) => worker !== leader);
      const target = hitsLeader ? leader : others[random.below(others.length)];
      if (hitsLeader) onLeader++;
      inflicted[kind] = (inflicted[kind] ?? 0) + 1;
      if (hitsLeader && (kind === 'stopped' || kind === 'blocked')) {
        frozen.push({ kind, id: leader.id, token, atMs: hostMs() });
      }
      await inflict(kind, target, scene);
      await sleep(random.below(ttlMs / 2));
    }
    await leaderOf(store, name, workers);
    // The last delayed writes are still in flight.
    await sleep(4 * ttlMs);
    await Promise.all(workers.map((worker) => worker.kill()));
    const entries = readJournals(workers.map(({ journal }) => journal));
    const history = await store.history(name, { limit: 1_000_000 });
    const wrongs = [
      ...staleWork(entries).map((entry) => `work under an older term: ${JSON.stringify(entry)}`),
      ...fallenTokens(entries).map((entry) => `a token that did not rise: ${JSON.stringify(entry)}`),
      ...overlaps(history).map((conflict) => `in the audit trail: ${text(conflict)}`),
      ...missingRecords(entries, history),
      ...frozen.flatMap((fault) => workAfterFreeze(entries, fault, ttlMs)),
      ...fallenWrites(sink.accepted),
    ];
    const terms = entries.filter(({ event }) => event === 'begin').length;
    const works = entries.filter(({ event }) => event === 'work').length;
    return { inflicted, onLeader, terms, works, staleWrites: sink.stale, wrongs };
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await sink.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const hostMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));

/** Waits until a candidate leads and the store can be read. */
async function leaderOf(
  store: LeaseStore,
  name: string,
  workers: readonly Worker[],
): Promise<{ worker: Worker; token: bigint }> {
  for (;;) {
    try {
      const [{ holder, token }] = await store.read([name]);
      const worker = workers.find(({ id }) => id === holder?.id);
      if (worker !== undefined) return { worker, token };
    } catch {
      // The store is being restarted.
    }
    await sleep(20);
  }
}

/** Every election and every release that a candidate was told of is in the audit trail. */
function missingRecords(entries: readonly Entry[], history: readonly Term[]): string[] {
  const byToken = new Map(history.map((term) => [String(term.token), term]));
  return entries.flatMap((entry) => {
    const term = byToken.get(entry.token);
    const isThere =
      entry.event === 'begin'
        ? term?.holder === entry.id
        : !(entry.event === 'over' && entry.released) || term?.cause === entry.reason;
    return isThere ? [] : [`not in the audit trail: ${JSON.stringify(entry)}, but ${text(term ?? null)}`];
  });
}

/** A lease ends one TTL after its last renewal, and a stopped process does not renew. */
function workAfterFreeze(
  entries: readonly Entry[],
  { kind, id, token, atMs }: { kind: string; id: string; token: bigint; atMs: number },
  ttlMs: number,
): string[] {
  return entries
    .filter((entry) => entry.event === 'work' && entry.id === id && entry.token === String(token))
    .filter((entry) => entry.at > atMs + ttlMs)
    .map((entry) => `${kind} at ${atMs}, and then work under the old term: ${JSON.stringify(entry)}`);
}

function fallenWrites(accepted: readonly bigint[]): string[] {
  return accepted.flatMap((token, i) =>
    i > 0 && token < accepted[i - 1] ? [`the sink took ${token} after ${accepted[i - 1]}`] : [],
  );
}
