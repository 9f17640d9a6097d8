/**
 * Shards, each with one owner among the members of a group, on the store that a service already has.
 *
 * Guaranteed, on any store whose `capabilities` promise it: each shard is an election, so at most one member holds its lease
 * (P1), and its tokens increase (P3). The plan decides only who asks for a lease; it cannot give one shard to two members.
 * Without failures the numbers of shards differ by at most one, and moves end.
 *
 * Not guaranteed: that work which ignores its signal stops. The resource must check the fencing token.
 */

import { InputError } from '@hustings/base';
import type { SignalOptions } from '../elector/elector.ts';
import { checkOptionNames, checkWork, SIGNAL_OPTIONS } from '../elector/option-check.ts';
import { type BorrowedStore, borrowStore } from '../elector/shared-store.ts';
import type { GroupDefinition } from './core/shard-layout.ts';
import { checkText, shardOfKey } from './core/shard-name.ts';
import { GroupCounts } from './group-counts.ts';
import { otherShards } from './group-membership.ts';
import { GroupReader, type ShardRecords } from './group-reader.ts';
import { GroupRun, runningGroup } from './group-run.ts';
import { readGroup } from './group-state.ts';
import { mergeShard, splitShard } from './resharding.ts';
import type { CombineCheckpoints, ShardGroup, ShardGroupMetrics, ShardGroupState } from './shard-group.ts';
import { groupSettingsOf, type ShardGroupOptions, type ShardGroupSettings } from './shard-group-options.ts';
import type { ShardWork } from './shard-lead.ts';

/** Throws an `InputError` for options that cannot work. The store is opened by the first call that needs it. */
export function createShardGroup(options: ShardGroupOptions): ShardGroup {
  const settings = groupSettingsOf(options);
  const { store } = options;
  const open =
    typeof store === 'string' ? () => borrowStore(store) : async () => ({ store, giveBack: async () => {} });
  return new LeaseShardGroup(settings, open);
}

class LeaseShardGroup implements ShardGroup {
  readonly #settings: ShardGroupSettings;
  readonly #open: () => Promise<BorrowedStore>;
  readonly #counts: GroupCounts;
  readonly #closing = new AbortController();
  #borrowed: Promise<BorrowedStore> | null = null;
  #run: GroupRun | null = null;
  /** The last run. Its work may outlive it. */
  #ended: GroupRun | null = null;
  #running: Promise<void> | null = null;
  /** By the last call of `shards`. A run knows more. */
  #read: ShardRecords | null = null;

  constructor(settings: ShardGroupSettings, open: () => Promise<BorrowedStore>) {
    this.#settings = settings;
    this.#open = open;
    this.#counts = new GroupCounts((state) => {
      let count = 0;
      for (const holding of (this.#run ?? this.#ended)?.holdings.values() ?? [])
        if (holding.state === state) count++;
      return count;
    });
  }

  get name(): string {
    return this.#settings.name;
  }

  get id(): string {
    return this.#settings.id;
  }

  get metrics(): ShardGroupMetrics {
    return this.#counts.snapshot();
  }

  run(work: ShardWork, options: SignalOptions = {}): Promise<void> {
    checkWork(work);
    checkOptionNames(options, SIGNAL_OPTIONS, 'run');
    this.#checkOpen();
    if (this.#running !== null) {
      throw new InputError(
        `the shard group '${this.name}' already runs here; create another one for a second member`,
      );
    }
    if ((this.#ended?.holdings.size ?? 0) > 0) {
      throw new InputError(
        `work of the last run of the shard group '${this.name}' still runs; wait until it has settled, or restart the process`,
      );
    }
    this.#running = this.#take(work, options.signal).finally(() => {
      this.#running = null;
      this.#ended = this.#run;
      // What it knew becomes old.
      this.#read = null;
      this.#run = null;
    });
    return this.#running;
  }

  async shards(): Promise<ShardGroupState> {
    this.#checkOpen();
    const settings = this.#settings;
    const rootsOf = (definition: GroupDefinition | null): readonly string[] => {
      if (definition !== null && definition.layout !== settings.layout)
        throw otherShards(settings, definition);
      return settings.roots;
    };
    return readGroup(await this.#reader(), this.name, rootsOf, (records) => {
      this.#read = records;
    });
  }

  shardOf(key: string): string {
    checkText(key, 'a key must be a text');
    this.#checkOpen();
    const known = this.#run?.known ?? this.#read;
    if (known === null) {
      throw new InputError(
        `the shards of '${this.name}' are not known yet; call run or shards, and wait for it to read them`,
      );
    }
    return shardOfKey(
      key,
      this.#settings.roots,
      (shard) => known.records.has(shard) && !known.live.has(shard),
    );
  }

  async split(shard: string): Promise<void> {
    checkText(shard, `a shard must be a text such as '${this.#settings.roots[0]}'`);
    await splitShard(runningGroup(this.#run, this.name), shard);
  }

  async merge(shard: string, combine: CombineCheckpoints = (first) => first): Promise<void> {
    checkText(shard, `a shard must be a text such as '${this.#settings.roots[0]}'`);
    if (typeof combine !== 'function')
      throw new InputError(`combine must be a function, not ${typeof combine}`);
    const store = await this.#store();
    await mergeShard(runningGroup(this.#run, this.name), store, this.#settings, shard, combine);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running?.catch(() => undefined);
    const borrowed = await this.#borrowed?.catch(() => null);
    this.#borrowed = null;
    await borrowed?.giveBack();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #take(work: ShardWork, signal: AbortSignal | undefined): Promise<void> {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    for (const each of [signal, this.#closing.signal]) {
      if (each?.aborted) return;
      each?.addEventListener('abort', end, { once: true });
    }
    try {
      const store = await this.#store();
      this.#run = new GroupRun(this.#settings, store, await this.#reader(), this.#counts, work);
      await this.#run.run(ending.signal);
    } finally {
      signal?.removeEventListener('abort', end);
      this.#closing.signal.removeEventListener('abort', end);
    }
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) {
      throw new InputError(`the shard group '${this.name}' was closed; create a new one`);
    }
  }

  async #store() {
    this.#borrowed ??= this.#open();
    const { store } = await this.#borrowed;
    return store;
  }

  async #reader(): Promise<GroupReader> {
    const { timing, clock } = this.#settings.candidate;
    return new GroupReader(await this.#store(), this.name, timing.requestTimeoutMs, clock, timing);
  }
}
