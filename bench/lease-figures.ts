/** The measurements on one store. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createElector } from 'hustings';
import { StoreCalls } from 'hustings/internal/elector/candidate/store-calls';
import { openStore } from 'hustings/lease';
import type { ExpiryRule, LeaseStore } from 'hustings/lease/etcd';
import type { BareCalls } from './lease-bare.ts';
import { median } from './median.ts';
import { type Spread, spreadOf } from './spread.ts';

export interface StoreUnderTest {
  readonly title: string;
  readonly url: string;
  bare(): Promise<BareCalls>;
  /** How many leases one process holds; 1,000 by default. Fewer where each takes a request of its own. */
  readonly leases?: number;
  readonly stop: (() => Promise<void>) | null;
}

export interface Figures {
  readonly title: string;
  readonly expiry: ExpiryRule;
  /** Whether the store tells waiting candidates of a release. */
  readonly notifies: boolean;
  /** Calls per second, and the median of the ratios of all turns. */
  readonly renewals: { readonly ours: number; readonly bare: number; readonly ratio: number };
  readonly many: {
    readonly leases: number;
    readonly ratio: number;
    readonly loopMicros: number;
    /** Renewals that one request of the store can hold. */
    readonly maxItems: number;
  };
  readonly killed: Spread;
  readonly lost: Spread;
  readonly released: Spread;
  readonly holderPerTtl: number;
  readonly waiterPerSecond: number;
}

const HERE = dirname(fileURLToPath(import.meta.url));
const TTL_MS = 3_000;

export async function measureStore(store: StoreUnderTest, quick: boolean): Promise<Figures> {
  const runs = quick ? 1 : 10;
  const renewals = await measureRenewals(store, quick);
  const many = await measureMany(store, quick);
  const killed = await failovers(store, 'SIGKILL', 'proof', runs);
  const lost = await failovers(store, 'SIGKILL', 'none', quick ? 1 : runs);
  const released = await failovers(store, 'SIGTERM', 'proof', runs * 2);
  const traffic = await measureTraffic(store, quick ? 3_000 : 15_000);
  const opened = await openStore(store.url);
  const { expiry, push: notifies } = opened.capabilities;
  await opened.close();
  return { title: store.title, expiry, notifies, renewals, many, killed, lost, released, ...traffic };
}

async function measureRenewals({ url, bare }: StoreUnderTest, quick: boolean): Promise<Figures['renewals']> {
  const store = await openStore(url);
  const bareCalls = await bare();
  const claim = {
    name: 'bench',
    id: 'b',
    nonce: 'b.1',
    priority: 0,
    processProof: '',
    goneNonce: null,
    staleVersion: null,
    holdAtLeastMs: 0,
    registerMs: 0,
  };
  const [granted] = await store.acquire([{ ...claim, ttlMs: 600_000 }]);
  if (granted.type !== 'ok') throw new Error('the lease of the bench is held');
  const renewal = { name: 'bench', nonce: 'b.1', token: granted.token, ttlMs: 600_000 };
  const ours = async (): Promise<boolean> => (await store.renew([renewal]))[0].type === 'ok';
  // Many short turns: what else the machine does falls on both.
  const turns: { ours: number; bare: number }[] = [];
  for (let turn = 0; turn < (quick ? 3 : 60); turn++) {
    turns.push({ ours: await rate(ours), bare: await rate(() => bareCalls.renew()) });
  }
  await store.release([{ ...renewal, reason: 'released', successor: null, reserveMs: 0 }]);
  await store.close();
  await bareCalls.close();
  return {
    ours: median(turns.map((turn) => turn.ours)),
    bare: median(turns.map((turn) => turn.bare)),
    ratio: median(turns.slice(1).map((turn) => turn.ours / turn.bare)),
  };
}

const TURN_MS = 100;

/** Sequential calls per second. */
async function rate(call: () => Promise<boolean>): Promise<number> {
  const beganMs = performance.now();
  let calls = 0;
  while (performance.now() - beganMs < TURN_MS) {
    if (!(await call())) throw new Error('a renewal of the bench was refused');
    calls++;
  }
  return (calls * 1000) / (performance.now() - beganMs);
}

/** A thousand electors in this process, on one store. */
async function measureMany(under: StoreUnderTest, quick: boolean): Promise<Figures['many']> {
  const { url } = under;
  const leases = quick ? 200 : (under.leases ?? 1_000);
  const ttlMs = quick ? 10_000 : 15_000;
  const store = await openStore(url);
  const calls = StoreCalls.of(store);
  let renewals = 0;
  const electors = Array.from({ length: leases }, (_, i) =>
    createElector({
      store,
      name: `many ${i}`,
      ttlMs,
      onEvent: ({ type }) => {
        if (type === 'renewed') renewals++;
      },
    }),
  );
  const leads = await Promise.all(electors.map((elector) => elector.acquire()));
  await sleep(ttlMs / 4);
  renewals = 0;
  const before = calls.roundTrips;
  const began = performance.eventLoopUtilization();
  // Longer than the pause between two renewals.
  const seconds = quick ? 4 : 30;
  await sleep(seconds * 1000);
  const { active } = performance.eventLoopUtilization(began);
  const ratio = (calls.roundTrips - before) / renewals;
  if (!leads.every((lead) => lead.isValid())) throw new Error('a lease of the bench was lost');
  await Promise.all(leads.map((lead) => lead.release()));
  await store.close();
  return {
    leases,
    ratio,
    loopMicros: (active * 1000) / leases / seconds,
    maxItems: store.maxItems ?? leases,
  };
}

async function failovers(
  { title, url }: StoreUnderTest,
  signal: 'SIGKILL' | 'SIGTERM',
  proof: 'proof' | 'none',
  runs: number,
): Promise<Spread> {
  const seconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    const name = `takeover ${title} ${signal} ${proof} ${run}`;
    const holder = spawn(
      process.execPath,
      [join(HERE, 'lease-holder.js'), url, name, String(TTL_MS), proof],
      {
        // The holder ends with this process: its standard input is closed.
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    await once(holder.stdout!, 'data');
    let waits = false;
    const waiting = createElector({
      store: url,
      name,
      id: 'waiter',
      ttlMs: TTL_MS,
      processProof: '',
      onEvent: ({ type }) => {
        waits ||= type === 'waiting';
      },
    });
    const acquiring = waiting.acquire();
    while (!waits) await sleep(5);
    // At different times between two renewals.
    await sleep(300 + ((run * 37) % 10) * 60);
    const beganMs = performance.now();
    holder.kill(signal);
    const lead = await acquiring;
    seconds.push((performance.now() - beganMs) / 1000);
    await lead.release();
    await waiting.close();
    await exited(holder);
  }
  return spreadOf(seconds);
}

/** Calls of a holder and of a waiter while nothing changes. */
async function measureTraffic(
  { url }: StoreUnderTest,
  forMs: number,
): Promise<{ holderPerTtl: number; waiterPerSecond: number }> {
  const holderStore = counted(await openStore(url));
  const waiterStore = counted(await openStore(url));
  const options = { name: 'traffic', ttlMs: TTL_MS };
  const lead = await createElector({ ...options, store: holderStore.store }).acquire();
  const stop = new AbortController();
  const waiting = createElector({ ...options, store: waiterStore.store }).acquire({ signal: stop.signal });
  await sleep(500);
  const before = [holderStore.calls(), waiterStore.calls()];
  await sleep(forMs);
  const [held, waited] = [holderStore.calls() - before[0], waiterStore.calls() - before[1]];
  stop.abort();
  await waiting.catch(() => {});
  await lead.release();
  await holderStore.store.close();
  await waiterStore.store.close();
  return { holderPerTtl: (held * TTL_MS) / forMs, waiterPerSecond: (waited * 1000) / forMs };
}

function counted(store: LeaseStore): { readonly store: LeaseStore; calls(): number } {
  let calls = 0;
  const counting = new Proxy(store, {
    get(inner, key) {
      const member = Reflect.get(inner, key, inner) as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        if (key === 'acquire' || key === 'renew' || key === 'release' || key === 'read') calls++;
        return member.apply(inner, args);
      };
    },
  });
  return { store: counting, calls: () => calls };
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
