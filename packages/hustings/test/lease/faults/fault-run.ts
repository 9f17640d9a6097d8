/**
 * Five candidates, a store and a fenced sink under many faults, half of which hit the leader. Afterwards the journals, the
 * audit trail and the writes of the sink are compared.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../../../../../test-kit/servers/index.ts';
import { Random } from '../../../../study/src/kernel/random.ts';
import { overlaps } from '../../../src/lease/audit.ts';
import type { LeaseStore, Term } from '../../../src/lease/lease-store.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import { explained, type InflictedFault, type Violation } from './evidence.ts';
import { CANDIDATE_FAULTS, type Fault, insist } from './fault.ts';
import { startFleet, type Worker } from './fleet.ts';
import {
  type Entry,
  fallenTokens,
  readJournals,
  staleWork,
  termsAfterEviction,
  type Window,
} from './journal.ts';
import { handovers, missingRecords, type TransferRequest, text } from './records.ts';
import { startSink } from './sink.ts';

export interface FaultRunPlan {
  readonly faults: number;
  readonly seed: number;
  readonly ttlMs: number;
  readonly fenceKey: string | null;
  readonly server: TestServer | null;
  /** The URL of the store; a file is in `folder`. */
  url(folder: string): string;
  /** The faults of this kind of store, beside those of the candidates. */
  readonly storeFaults: readonly Fault[];
  /** Mutants: only these faults, all of them on the leader. */
  readonly only?: readonly string[];
  /** Mutants: candidates that do not check whether they lead, and a sink that does not check the token. */
  readonly careless?: boolean;
  /** Mutants: nothing is allowed that the guarantees exempt. */
  readonly isStrict?: boolean;
}

export interface FaultRun {
  readonly inflicted: Readonly<Record<string, number>>;
  readonly onLeader: number;
  readonly terms: number;
  readonly works: number;
  readonly staleWrites: number;
  readonly transfers: number;
  /** The transfers after which the successor led next. */
  readonly handovers: number;
  /** The longest time until a candidate led again after a fault was over. */
  readonly longestMs: number;
  /** The violations. */
  readonly wrongs: readonly string[];
}

const CANDIDATES = 5;
/** A clock that is set back by ten minutes, or a waiter that nothing wakes, must not take as long as this. */
const LEADERLESS_MS = 60_000;

export async function runFaults(plan: FaultRunPlan): Promise<FaultRun> {
  const { ttlMs, seed, server, only, careless = false, isStrict = false } = plan;
  const random = new Random(seed, 'faults');
  const folder = mkdtempSync(join(tmpdir(), 'hustings-faults-'));
  const name = `faults ${seed}`;
  const sink = await startSink(name, plan.fenceKey, !careless);
  const storeUrl = plan.url(folder);
  const store = await openStore(storeUrl);
  await insist(() => store.init());
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
  const kinds = [...CANDIDATE_FAULTS, ...plan.storeFaults].filter(({ kind }) => only?.includes(kind) ?? true);
  const order = Int32Array.from(kinds, (_, index) => index);
  const inflicted: Record<string, number> = {};
  const faults: InflictedFault[] = [];
  const frozen: Frozen[] = [];
  const windows: Window[] = [];
  const copies: (readonly Term[])[] = [];
  const transfers: TransferRequest[] = [];
  const historyOf = () => insist(() => store.history(name, { limit: 1_000_000 }));
  let onLeader = 0;
  let longestMs = 0;
  const nextLeader = async (after: string) => {
    const sinceMs = hostMs();
    const found = await leaderOf(store, name, workers, after);
    longestMs = Math.max(longestMs, hostMs() - sinceMs);
    return found;
  };
  try {
    let last = 'the start';
    for (let i = 0; i < plan.faults; i++) {
      const round = Math.floor(i / kinds.length);
      if (i % kinds.length === 0) random.shuffle(order);
      const place = order[i % kinds.length];
      const fault = kinds[place];
      const { kind } = fault;
      await nextLeader(last);
      await fault.prepare?.({ ttlMs, name, folder, server, store });
      const { worker: leader, token } = await nextLeader(`the preparation of ${kind}`);
      const hitsLeader = only !== undefined || (place + round) % 2 === 0;
      const others = workers.filter((worker) => worker !== leader);
      const target = hitsLeader ? leader : others[random.below(others.length)];
      if (hitsLeader) onLeader++;
      inflicted[kind] = (inflicted[kind] ?? 0) + 1;
      if (hitsLeader && (kind === 'stopped' || kind === 'blocked')) {
        frozen.push({ kind, id: leader.id, token, atMs: hostMs() });
      }
      if (fault.losesTerms && !isStrict) copies.push(await historyOf());
      const fromMs = hostMs();
      const end = await fault.inflict({
        ttlMs,
        name,
        folder,
        server,
        store,
        target,
        onTransfer: (to) => transfers.push({ to, fromMs }),
      });
      if (fault.allowsTwoLeaders && !isStrict) windows.push({ fromMs, toMs: hostMs() + ttlMs });
      if (end !== undefined) {
        await sleep(2 * ttlMs);
        await end();
      }
      faults.push({ kind, target: target.id, onLeader: target === leader, fromMs, toMs: hostMs() });
      last = kind;
      await sleep(random.below(ttlMs / 2));
    }
    // A few faults may not have ended a term. This one does, and its writes come too late.
    const { worker: lastLeader, token: lastToken } = await nextLeader(last);
    await lastLeader.kill();
    while ((await nextLeader('the last kill -9')).token === lastToken) await sleep(20);
    // The last delayed writes are still in flight.
    await sleep(4 * ttlMs);
    await sink.repeat();
    await Promise.all(workers.map((worker) => worker.kill()));
    const entries = readJournals(workers.map(({ journal }) => journal));
    copies.push(await historyOf());
    const at =
      (wrong: string) =>
      (entry: Entry): Violation => ({ text: `${wrong}: ${JSON.stringify(entry)}`, atMs: entry.at });
    const violations = [
      ...staleWork(entries, windows).map(at('work under an older term')),
      ...fallenTokens(entries).map(at('a token that did not rise')),
      ...termsAfterEviction(entries, ttlMs).map(at('evicted before')),
      ...copies.flatMap(overlaps).map((conflict) => untimed(`in the audit trail: ${text(conflict)}`)),
      ...missingRecords(entries, copies).map(untimed),
      ...frozen.flatMap((fault) => workAfterFreeze(entries, fault, ttlMs)),
      ...fallenWrites(sink.accepted).map(untimed),
    ];
    const wrongs = explained(violations, entries, faults);
    const terms = entries.filter(({ event }) => event === 'begin').length;
    const works = entries.filter(({ event }) => event === 'work').length;
    return {
      inflicted,
      onLeader,
      terms,
      works,
      staleWrites: sink.stale,
      transfers: transfers.length,
      handovers: handovers(entries, transfers).length,
      longestMs,
      wrongs,
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await sink.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const untimed = (wrong: string): Violation => ({ text: wrong, atMs: null });

const hostMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Waits until a candidate leads and the store can be read, for a limited time. */
async function leaderOf(
  store: LeaseStore,
  name: string,
  workers: readonly Worker[],
  after: string,
): Promise<{ worker: Worker; token: bigint }> {
  const endMs = hostMs() + LEADERLESS_MS;
  while (hostMs() < endMs) {
    try {
      const [{ holder, token }] = await store.read([name]);
      const worker = workers.find(({ id }) => id === holder?.id);
      if (worker !== undefined) return { worker, token };
    } catch {
      // The store is being restarted.
    }
    await sleep(20);
  }
  throw new Error(`nobody led for ${LEADERLESS_MS} ms after ${after}`);
}

interface Frozen {
  readonly kind: string;
  readonly id: string;
  readonly token: bigint;
  readonly atMs: number;
}

/** A lease ends one TTL after its last renewal, and a stopped process does not renew. */
function workAfterFreeze(
  entries: readonly Entry[],
  { kind, id, token, atMs }: Frozen,
  ttlMs: number,
): Violation[] {
  return entries
    .filter((entry) => entry.event === 'work' && entry.id === id && entry.token === String(token))
    .filter((entry) => entry.at > atMs + ttlMs)
    .map((entry) => ({
      text: `${kind} at ${atMs}, and then work under the old term: ${JSON.stringify(entry)}`,
      atMs: entry.at,
    }));
}

function fallenWrites(accepted: readonly bigint[]): string[] {
  return accepted.flatMap((token, i) =>
    i > 0 && token < accepted[i - 1] ? [`the sink took ${token} after ${accepted[i - 1]}`] : [],
  );
}
