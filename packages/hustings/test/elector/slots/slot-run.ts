/**
 * Ten candidates for three slots, as real processes on a real store, through faults of their own, of the network and of the
 * store. Afterwards the journals are compared: never four at work at the same time, never two in one slot.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../../study/src/kernel/random.ts';
import { slotNames } from '../../../src/lease/core/slot.ts';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import { CANDIDATE_FAULTS } from '../../lease/faults/fault.ts';
import type { FaultRunPlan } from '../../lease/faults/fault-run.ts';
import { startFleet, type Worker } from '../../lease/faults/fleet.ts';
import {
  type Entry,
  fallenTokens,
  readJournals,
  staleWork,
  type Window,
} from '../../lease/faults/journal.ts';

const CANDIDATES = 10;
const SLOTS = 3;
/** A free slot that nobody takes for this time is an error. A takeover takes one TTL and a little. */
const VACANT_MS = 60_000;

export interface SlotRun {
  readonly inflicted: readonly string[];
  readonly terms: number;
  /** The longest time until all slots were held again after a fault. */
  readonly longestMs: number;
  /** The largest number of terms with work at the same time, where the guarantees allow no exception. */
  readonly maxAtWork: number;
  readonly wrongs: readonly string[];
}

export async function runSlots(
  plan: Omit<FaultRunPlan, 'fenceKey'> & { readonly careless?: boolean },
): Promise<SlotRun> {
  const { seed, ttlMs, server, only, careless = false } = plan;
  const random = new Random(seed, 'slots');
  const folder = mkdtempSync(join(tmpdir(), 'hustings-slots-'));
  const name = `slots ${seed}`;
  const names = slotNames(name, SLOTS);
  const storeUrl = plan.url(folder);
  const store = await openStore(storeUrl);
  await store.init();
  const workers = await startFleet({
    ...{ folder, name, size: CANDIDATES, ttlMs, storeUrl, storePort: server?.port ?? null },
    ...{ sinkUrl: null, fenceKey: null, careless, slots: SLOTS },
  });
  const kinds = [...CANDIDATE_FAULTS, ...plan.storeFaults].filter(({ kind }) => only?.includes(kind) ?? true);
  const order = Int32Array.from(kinds, (_, index) => index);
  const inflicted: string[] = [];
  const windows: Window[] = [];
  let longestMs = 0;
  const allHeld = async (after: string): Promise<readonly Worker[]> => {
    const sinceMs = hostMs();
    const found = await holdersOf(store, names, workers, after);
    longestMs = Math.max(longestMs, hostMs() - sinceMs);
    return found;
  };
  try {
    let last = 'the start';
    for (let i = 0; i < plan.faults; i++) {
      if (i % kinds.length === 0) random.shuffle(order);
      const fault = kinds[order[i % kinds.length]];
      const slot = random.below(SLOTS);
      const scene = { ttlMs, name: names[slot], folder, server, store };
      await allHeld(last);
      await fault.prepare?.(scene);
      const target = (await allHeld(`the preparation of ${fault.kind}`))[slot];
      inflicted.push(fault.kind);
      const fromMs = hostMs();
      const end = await fault.inflict({ ...scene, target, onTransfer: () => {} });
      if (fault.allowsTwoLeaders) windows.push({ fromMs, toMs: hostMs() + ttlMs });
      if (end !== undefined) {
        // Long enough for a successor, whatever has happened to the holder.
        await sleep(2 * ttlMs);
        await end();
      }
      last = fault.kind;
      await sleep(random.below(ttlMs / 2));
    }
    await allHeld(last);
    await Promise.all(workers.map((worker) => worker.kill()));
    const entries = readJournals(workers.map(({ journal }) => journal));
    return { inflicted, longestMs, ...judge(entries, windows) };
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the journals tell. A store that forgets its leases forgets all slots: in a window each may have one older term. */
export function judge(
  entries: readonly Entry[],
  windows: readonly Window[] = [],
): Pick<SlotRun, 'terms' | 'maxAtWork' | 'wrongs'> {
  const maxAtWork = maxAtOnce(entries, windows);
  const bySlot = Array.from({ length: SLOTS }, (_, index) =>
    entries.filter(({ slot }) => slot === index + 1),
  );
  const isElsewhere = ({ slot, event }: Entry): boolean =>
    event === 'begin' && !(slot !== undefined && slot >= 1 && slot <= SLOTS);
  return {
    terms: entries.filter(({ event }) => event === 'begin').length,
    maxAtWork,
    wrongs: [
      ...(maxAtWork > SLOTS ? [`${maxAtWork} at work at the same time`] : []),
      ...entries.filter(isElsewhere).map((entry) => `a slot that there is not: ${JSON.stringify(entry)}`),
      ...bySlot.flatMap((slot) => [
        ...staleWork(slot, windows).map((entry) => `work under an older term: ${JSON.stringify(entry)}`),
        ...fallenTokens(slot).map((entry) => `a token that did not rise: ${JSON.stringify(entry)}`),
      ]),
      ...twoSlotsOfOne(entries),
    ],
  };
}

interface Interval {
  readonly id: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** From the first to the last work of each term. */
function intervals(entries: readonly Entry[]): readonly Interval[] {
  const terms = new Map<string, Interval>();
  for (const { event, id, slot, token, at } of entries) {
    if (event !== 'work') continue;
    const key = `${slot} ${token}`;
    terms.set(key, { id, fromMs: terms.get(key)?.fromMs ?? at, toMs: at });
  }
  return [...terms.values()];
}

const isIn = (windows: readonly Window[], atMs: number): boolean =>
  windows.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs);

/** When a term begins, the most are at work. */
function maxAtOnce(entries: readonly Entry[], windows: readonly Window[]): number {
  const all = intervals(entries);
  return Math.max(
    0,
    ...all
      .filter(({ fromMs }) => !isIn(windows, fromMs))
      .map(({ fromMs }) => all.filter((each) => each.fromMs <= fromMs && fromMs <= each.toMs).length),
  );
}

function twoSlotsOfOne(entries: readonly Entry[]): string[] {
  const all = intervals(entries);
  return all.flatMap((a) =>
    all
      .filter((b) => a !== b && a.id === b.id && b.fromMs <= a.fromMs && a.fromMs <= b.toMs)
      .map((b) => `two slots of one candidate: ${JSON.stringify([b, a])}`),
  );
}

const hostMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Waits until every slot is held, each by another candidate, for a limited time. */
async function holdersOf(
  store: LeaseStore,
  names: readonly string[],
  workers: readonly Worker[],
  after: string,
): Promise<readonly Worker[]> {
  const endMs = hostMs() + VACANT_MS;
  while (hostMs() < endMs) {
    try {
      const holders = (await store.read(names)).map(({ holder }) => holder?.id);
      const found = holders.flatMap((id) => workers.find((worker) => worker.id === id) ?? []);
      if (new Set(found).size === names.length) return found;
    } catch {
      // The store is being restarted.
    }
    await sleep(20);
  }
  throw new Error(`not all slots were held within ${VACANT_MS} ms after ${after}`);
}
