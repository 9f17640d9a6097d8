/** What the files of the contract share: two connections to the store under test, a fresh name per test, and short calls. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
} from '../../../src/lease/core/calls.ts';
import type { LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import type { LeaseStore, StoreOptions } from '../../../src/lease/lease-store.ts';
import * as single from './single-call.ts';

export interface StoreUnderTest {
  /** Each call opens a new connection to the same data. The suite closes it. */
  open(options?: StoreOptions): Promise<LeaseStore>;
  /** Advances the store's clock. Without it the suite waits. */
  advance?(ms: number): void | Promise<void>;
  /** Sets the latest token of an election that was acquired at least once and is free. */
  setToken(name: string, token: bigint): Promise<void>;
  /**
   * Puts the end of the lease and of the hold of an election off by `ms`, as if the store's clock had been set back. Nothing
   * else of the row changes. Does nothing if there is no such election.
   */
  setBack(name: string, ms: number): Promise<void>;
  /** Gives the newest tick of an election, `fromMs`, a later time, as if the store's clock had been ahead when it was recorded. */
  putOffTick(name: string, fromMs: number, toMs: number): Promise<void>;
  /** Behind something that passes no notifications on: then the store must not believe that it pushes. */
  readonly isSilent?: boolean;
  /** Absent in a store without a layout. */
  readonly layout?: FutureLayout;
  /** The number of random sequences of calls; 20 by default. */
  runs?: number;
}

/** A layout of the future: it has a column or field, in the row of each election, that this version does not know. */
export interface FutureLayout {
  /** Writes version 5 into the store, with the additional column or field. Versions from `compatibleFrom` on may use it. */
  raise(compatibleFrom: number): Promise<void>;
  /** Turns the tables into those of version 3. Absent in a store whose fields need no columns. */
  lower?(): Promise<void>;
  /** The version and the earliest compatible one. */
  version?(): Promise<readonly [number, number]>;
  /** Restores the present layout. */
  restore(): Promise<void>;
  /** Writes the additional column of an election. */
  setExtra(name: string, value: string): Promise<void>;
  extra(name: string): Promise<string | null>;
}

export const LONG_MS = 3_600_000;
/** The TTL of a lease that expires within the test. */
export const SHORT_MS = 200;

let names = 0;
export const fresh = (): string => `election ${++names}`;

export const claimOf = (election: string, id: string, more: Partial<AcquireRequest> = {}): AcquireRequest =>
  single.claimOf(election, id, { ttlMs: LONG_MS, ...more });

export interface Suite {
  readonly store: LeaseStore;
  /** Another connection to the same data. */
  readonly other: LeaseStore;
  /** Not used by any other test. */
  readonly name: string;
  readonly runs: number;
  open(options?: StoreOptions): Promise<LeaseStore>;
  acquire(request: AcquireRequest, via?: LeaseStore): Promise<AcquireAnswer>;
  /** The token of a request that must succeed. */
  win(request: AcquireRequest, via?: LeaseStore): Promise<bigint>;
  /** For the candidate with this id. */
  renew(id: string, token: bigint, ttlMs?: number, via?: LeaseStore): Promise<RenewAnswer>;
  release(request: ReleaseRequest, via?: LeaseStore): Promise<ReleaseAnswer>;
  read(via?: LeaseStore): Promise<LeaseRecord>;
  wait(ms: number): Promise<void>;
  /** Waits until a lease of `SHORT_MS` has expired. */
  untilFree(): Promise<void>;
  /** Leases expire on the store's clock only if it has one. */
  needClock(skip: (condition: boolean, note: string) => void): void;
  setToken(name: string, token: bigint): Promise<void>;
  setBack(name: string, ms: number): Promise<void>;
  putOffTick(name: string, fromMs: number, toMs: number): Promise<void>;
  readonly layout: FutureLayout | undefined;
}

/** Registers the hooks of the suite. The result gives its present state. */
export function suiteFor(under: StoreUnderTest): () => Suite {
  const { runs = 20, layout } = under;
  const opened: LeaseStore[] = [];
  let store: LeaseStore;
  let other: LeaseStore;
  let name: string;
  const open = async (options?: StoreOptions): Promise<LeaseStore> => {
    const connection = await under.open(options);
    opened.push(connection);
    return connection;
  };
  beforeAll(async () => {
    store = await open();
    other = await open();
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
  });
  beforeEach(() => {
    name = fresh();
  });

  const acquire: Suite['acquire'] = async (request, via = store) => (await via.acquire([request]))[0];
  const read: Suite['read'] = async (via = store) => (await via.read([name]))[0];
  const wait: Suite['wait'] = async (ms) => {
    await (under.advance ? under.advance(ms) : sleep(ms));
  };
  return () => ({
    ...{ store, other, name, layout, runs, open, acquire, read, wait },
    win: async (request, via = store) => {
      const answer = await acquire(request, via);
      if (answer.type !== 'ok') throw new Error(`${request.id} did not get ${request.name}`);
      return answer.token;
    },
    renew: async (id, token, ttlMs = LONG_MS, via = store) =>
      (await via.renew([{ name, nonce: `${id}-nonce`, token, ttlMs }]))[0],
    release: async (request, via = store) => (await via.release([request]))[0],
    untilFree: async () => {
      await wait(SHORT_MS);
      const isFree = async () => ((await read()).remainingMs === 0 ? true : undefined);
      await single.eventually(isFree, 'the lease has expired');
    },
    needClock: (skip) =>
      skip(store.capabilities.expiry !== 'clock', 'this store has no clock: challengers judge expiry'),
    setToken: (each, token) => under.setToken(each, token),
    setBack: (each, ms) => under.setBack(each, ms),
    putOffTick: (each, fromMs, toMs) => under.putOffTick(each, fromMs, toMs),
  });
}
