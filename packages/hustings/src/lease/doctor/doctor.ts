/**
 * Examines a store: what it guarantees, the state of its server, and whether a real lease works. Creates no tables: if the
 * server has problems, no lease is tried.
 */
import { existsSync } from 'node:fs';
import { StoreError } from '../core/store-error.ts';
import { type LeaseTiming, resolveTiming } from '../core/timing.ts';
import type { Capabilities, LeaseStore } from '../lease-store.ts';
import { openStore } from '../open-store.ts';
import { parseStoreUrl } from '../stores/registry.ts';
import { type LeaseTrial, tryLease } from './lease-trial.ts';

/** What `doctor` found. */
export interface DoctorReport {
  /** The URL of the store without its secrets. */
  readonly store: string;
  readonly server: string;
  readonly capabilities: Omit<Capabilities, 'caveats'>;
  /** What the store cannot guarantee, in sentences. */
  readonly caveats: readonly string[];
  /** The store's clock minus this machine's. */
  readonly clockOffsetMs: number;
  /** Null if no lease was tried, or none could be acquired. */
  readonly trial: LeaseTrial | null;
  /** Leases do not work, or not well; each with what to do. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** The scratch election needs no history. */
const KEEP_TERMS = 3;
const MAX_OFFSET_MS = 1_000;

/**
 * Examines a store, or opens the store at a URL, examines it and closes it. Rejects with a `StoreError` if the store cannot
 * be reached or used.
 */
export async function doctor(store: LeaseStore | string): Promise<DoctorReport> {
  if (typeof store !== 'string') return examine(store);
  const created = willCreate(store)
    ? ['The file did not exist and was created, as the first candidate would create it.']
    : [];
  const opened = await openStore(store, { keepTerms: KEEP_TERMS });
  try {
    const report = await examine(opened);
    return { ...report, warnings: [...created, ...report.warnings] };
  } finally {
    await opened.close();
  }
}

function willCreate(url: string): boolean {
  const { store, path } = parseStoreUrl(url);
  return store.address === 'file' && !existsSync(path);
}

async function examine(store: LeaseStore): Promise<DoctorReport> {
  const { caveats, ...capabilities } = store.capabilities;
  const probe = await store.probe();
  const { server, clockOffsetMs } = probe;
  const problems = [...probe.problems];
  const warnings = [...probe.warnings];
  if (Math.abs(clockOffsetMs) > MAX_OFFSET_MS) {
    warnings.push(
      `The clocks differ by ${ms(Math.abs(clockOffsetMs))}. Leases are not affected, because two clocks are never ` +
        "compared; the ticks of a schedule are due by the store's clock.",
    );
  }
  let trial: LeaseTrial | null = null;
  if (problems.length === 0) {
    try {
      trial = await tryLease(store);
      const slow = slowness(trial);
      if (slow !== null) (slow.isProblem ? problems : warnings).push(slow.text);
      if (store.capabilities.push && trial.notificationMs === null) {
        warnings.push(
          'A watcher was not notified of a release within a second. Waiting candidates ask once a second instead.',
        );
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      problems.push(`A lease could not be acquired, renewed and released: ${error.message}`);
    }
  }
  return {
    store: store.label,
    server,
    capabilities,
    caveats,
    clockOffsetMs: Math.round(clockOffsetMs),
    trial,
    problems,
    warnings,
  };
}

/** A store whose median is too slow for the default is a problem. A slow tail may be the fault of this machine. */
function slowness({ renew }: LeaseTrial): { readonly isProblem: boolean; readonly text: string } | null {
  const normal = resolveTiming();
  const fast = resolveTiming({ preset: 'fast' });
  if (renew.p50Ms > normal.requestTimeoutMs / 2) {
    return { isProblem: true, text: slowText(renew.p50Ms, normal) };
  }
  if (renew.p99Ms > fast.requestTimeoutMs / 2) {
    return { isProblem: false, text: slowText(renew.p99Ms, fast) };
  }
  return null;
}

function slowText(tookMs: number, { ttlMs, requestTimeoutMs }: LeaseTiming): string {
  return (
    `A renewal took ${ms(tookMs)}. With a ttl of ${ms(ttlMs)} it times out after ${ms(requestTimeoutMs)}: ` +
    'use a longer ttl, or a store that is nearer.'
  );
}

const ms = (value: number): string => `${Math.round(value).toLocaleString('en')} ms`;
