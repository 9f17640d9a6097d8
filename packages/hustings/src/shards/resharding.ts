/**
 * Splits and merges shards, under the leases of their owner. shard-tree.ts says why no key has two owners meanwhile. A mark
 * without an answer ends the term: the next owner finds out what the store has.
 */

import { InputError } from '@hustings/base';
import { setLongTimeout, startTimer } from '../elector/timeouts.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { checkShardCheckpoint } from './core/shard-mark.ts';
import { childrenOf, depthOf, electionOf, MAX_SPLITS, parentOf } from './core/shard-name.ts';
import type { GroupRun } from './group-run.ts';
import type { CombineCheckpoints } from './shard-group.ts';
import type { ShardGroupSettings } from './shard-group-options.ts';
import type { ShardHolding } from './shard-holding.ts';

const ASK_EVERY_MS = 50;

export async function splitShard(run: GroupRun, shard: string): Promise<void> {
  if (depthOf(shard) >= MAX_SPLITS)
    throw new InputError(`'${shard}' was split ${MAX_SPLITS} times; no key can tell its parts apart`);
  const holding = run.holdings.get(shard);
  if (holding === undefined) {
    throw new InputError(`this member does not own the shard '${shard}'; its owner can split it`);
  }
  await holding.waitForHandover();
  try {
    await holding.mark({ type: 'split', epoch: holding.token, text: holding.checkpoint });
    run.emit({ type: 'split', shard });
  } finally {
    // Also without an answer: the store may have the mark. The next grant tells.
    holding.finish(true);
    run.pollSoon();
  }
}

export async function mergeShard(
  run: GroupRun,
  store: LeaseStore,
  settings: ShardGroupSettings,
  shard: string,
  combine: CombineCheckpoints,
): Promise<void> {
  const children = childrenOf(shard);
  const missing = children.find((child) => run.known?.live.has(child) !== true);
  if (missing !== undefined) {
    throw new InputError(`'${shard}' cannot be merged: '${missing}' is not a live shard`);
  }
  for (const child of children) run.pinned.add(child);
  const settled: ShardHolding[] = [];
  let mayBeMerged = false;
  try {
    for (const child of children) settled.push(await settledChild(run, store, settings, child));
    const [first, second] = settled;
    const text = await combined(combine, first, second, settings);
    // From here on the records decide, also if a mark fails: the store may have it. Both terms end then, because the next owner
    // of the first child waits for the end of the term that could decide.
    mayBeMerged = true;
    await first.mark({ type: 'merged', sibling: second.token, text: first.checkpoint });
    await second.mark({ type: 'merged', sibling: 0n, text });
    run.emit({ type: 'merged', shard });
  } finally {
    for (const child of children) run.pinned.delete(child);
    for (const holding of settled) holding.finish(mayBeMerged);
    run.pollSoon();
  }
}

/** Checked before anything is written. The leases of both children are renewed meanwhile, and nobody works on them. */
async function combined(
  combine: CombineCheckpoints,
  first: ShardHolding,
  second: ShardHolding,
  { drainMs, candidate }: ShardGroupSettings,
): Promise<string | null> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const error = new InputError(`combine did not finish within drainMs, ${drainMs} ms; nothing was merged`);
    cancel = setLongTimeout(() => reject(error), drainMs, candidate.clock);
  });
  try {
    const text = await Promise.race([combine(first.checkpoint, second.checkpoint), late]);
    if (text !== null) checkShardCheckpoint(text, 'what combine returns');
    return text;
  } finally {
    cancel();
  }
}

/** The lease of a child whose work has stopped. If another member owns it, that member is asked to hand over. */
async function settledChild(
  run: GroupRun,
  store: LeaseStore,
  { id, name, candidate, drainMs }: ShardGroupSettings,
  child: string,
): Promise<ShardHolding> {
  const { ttlMs } = candidate.timing;
  const { clock } = candidate;
  const giveUpMs = clock.now().monoMs + 2 * ttlMs + drainMs;
  while (clock.now().monoMs < giveUpMs) {
    if (run.known?.live.has(child) === false) {
      throw new InputError(`another member has merged '${parentOf(child)}' meanwhile`);
    }
    const holding = run.claim(child);
    if (holding.state === 'lost') {
      throw new InputError(
        `'${child}' cannot be merged: its work of an earlier term still runs in this member`,
      );
    }
    if (holding.state === 'working') {
      await holding.waitForHandover();
      return holding;
    }
    await store.requestTransfer(electionOf(name, child), id).catch(() => undefined);
    await new Promise<void>((resolve) => void startTimer(clock, resolve, ASK_EVERY_MS));
  }
  throw new InputError(`'${child}' was not handed over in time; merge again`);
}
