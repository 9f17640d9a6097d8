/** The options of a shard group, validated once. */

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { checkWhole, InputError } from '@hustings/base';
import { type ElectorSettings, settingsOf } from '../elector/elector-options.ts';
import { checkOptionNames, checkStore } from '../elector/option-check.ts';
import { checkName } from '../lease/core/election-name.ts';
import type { TimingOptions } from '../lease/core/timing.ts';
import type { FenceKey } from '../lease/fence/fence-key.ts';
import type { Clock } from '../lease/host/process-clock.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { parseStoreUrl } from '../lease/stores/registry.ts';
import { layoutOf, numberedShards } from './core/shard-layout.ts';
import { checkGroupName, electionOf, MAX_SPLITS } from './core/shard-name.ts';
import type { ShardGroupEvent } from './shard-group-event.ts';

/** The options of `createShardGroup`. Only `store`, `name` and `shards` are required. */
export interface ShardGroupOptions extends TimingOptions {
  /** A store, or the URL of one. */
  readonly store: LeaseStore | string;
  /** The group. All members with this name on this store share its shards. */
  readonly name: string;
  /**
   * How many shards, named '0', '1', …, or their names. All members give the same. After a restart of all members with others,
   * shards begin without checkpoints.
   */
  readonly shards: number | readonly string[];
  /** The member's id: no two live members may share it. Default: the host name, the PID and a random number. */
  readonly id?: string | undefined;
  /** The member's part of the sum of all weights is its share of the shards, from 1 to 1,000. Default: 1. */
  readonly weight?: number | undefined;
  /** How long a moving shard may take to finish its work before its `signal` aborts. Default: the TTL. */
  readonly drainMs?: number | undefined;
  /** From one look at the members to the next, at most the TTL. Default: `renewEveryMs`, at most 5 seconds. */
  readonly planEveryMs?: number | undefined;
  /** Signs `lead.fence`. */
  readonly fenceKey?: FenceKey | undefined;
  /** Receives every event. If it throws, the process warns. */
  readonly onEvent?: ((event: ShardGroupEvent) => unknown) | undefined;
  /** As for an elector. */
  readonly processProof?: string | undefined;
  /** Default: the clocks of this process. */
  readonly clock?: Clock | undefined;
}

export interface ShardGroupSettings {
  readonly name: string;
  readonly id: string;
  readonly weight: number;
  /** The shards before any split, sorted. */
  readonly roots: readonly string[];
  /** The layout of these shards. */
  readonly layout: string;
  readonly drainMs: number;
  readonly planEveryMs: number;
  /** The settings of the candidate for one shard; `name` is set for each. */
  readonly candidate: ElectorSettings;
  readonly onEvent: ShardGroupOptions['onEvent'];
}

const OPTION_NAMES: Readonly<Record<keyof ShardGroupOptions, true>> = {
  ...{ store: true, name: true, shards: true, id: true, weight: true, drainMs: true, planEveryMs: true },
  ...{ fenceKey: true, onEvent: true, processProof: true, clock: true },
  ...{ preset: true, ttlMs: true, renewEveryMs: true, requestTimeoutMs: true, stopAfterMs: true },
  ...{ killAfterMs: true, stallAfterMs: true, stopGraceMs: true, yieldAfterMs: true },
};

const MAX_SHARDS = 10_000;
const MAX_WEIGHT = 1_000;
const MAX_PLAN_MS = 5_000;

export function groupSettingsOf(options: ShardGroupOptions): ShardGroupSettings {
  checkOptionNames(options, OPTION_NAMES, 'createShardGroup');
  checkStore(options.store, parseStoreUrl);
  const { name, shards, weight = 1, drainMs, planEveryMs, onEvent, ...rest } = options;
  checkGroupName(name);
  const roots = rootsOf(shards);
  const id = options.id ?? `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  checkWhole('weight', weight, 1, MAX_WEIGHT);
  if (onEvent !== undefined && typeof onEvent !== 'function') {
    throw new InputError(`onEvent must be a function, not ${typeof onEvent}`);
  }
  const candidate = settingsOf({ ...rest, name, id }, parseStoreUrl);
  const longest = roots.reduce((most, root) => (root.length > most.length ? root : most));
  checkName(
    electionOf(name, `${longest}${'/0'.repeat(MAX_SPLITS)}`),
    'a shard, with its group and its splits,',
  );
  const { ttlMs, renewEveryMs } = candidate.timing;
  const settings = {
    ...{ name, id, weight, roots, layout: layoutOf(roots), candidate, onEvent },
    drainMs: drainMs ?? ttlMs,
    planEveryMs: planEveryMs ?? Math.min(MAX_PLAN_MS, renewEveryMs),
  };
  checkWhole('drainMs', settings.drainMs);
  // Otherwise a member would find a free shard later than the docs promise.
  checkWhole('planEveryMs', settings.planEveryMs, 1, ttlMs, ', which is ttlMs');
  return settings;
}

function rootsOf(shards: ShardGroupOptions['shards']): readonly string[] {
  if (typeof shards === 'number') {
    checkWhole('shards', shards, 1, MAX_SHARDS);
    return numberedShards(shards);
  }
  if (!Array.isArray(shards) || shards.length === 0 || shards.length > MAX_SHARDS) {
    throw new InputError(`shards must be a number or a list of 1 to ${MAX_SHARDS} names`);
  }
  const roots = [...shards].sort();
  for (const [at, shard] of roots.entries()) {
    checkName(shard, 'a shard');
    if (/[#/]/.test(shard))
      throw new InputError(`the name of a shard must not contain '#' or '/', as '${shard}' does`);
    if (shard === roots[at - 1]) throw new InputError(`the shard '${shard}' is listed twice; remove one`);
  }
  return roots;
}
