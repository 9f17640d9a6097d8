/**
 * Members that do not take a shard, although the plan gives it to them. Their work of an earlier term still runs, an operator has
 * evicted them from it, or something else is wrong with them: others cannot know. They see only that the shard stays free. A
 * member that leaves a shard free for `patienceMs` is quarantined from it, by each observer for itself, so that the plan gives
 * the shard to another member.
 *
 * A quarantine ends when the member owns the shard or is gone, and after a time, which doubles with each quarantine of the same
 * member and shard.
 */
const FIRST_QUARANTINE_TIMES = 16;

interface Quarantine {
  readonly lengthMs: number;
  readonly untilMs: number;
}

export class ShardQuarantine {
  /** Shards that are free, the member that should take each, and since when that is so. */
  private readonly free = new Map<string, { readonly to: string; readonly sinceMs: number }>();
  /** By shard and member. */
  private readonly quarantines = new Map<string, Map<string, Quarantine>>();
  private lastMs = 0;

  /** `id` is the observer, which knows by itself what it takes. */
  constructor(
    private readonly id: string,
    private readonly patienceMs: number,
  ) {}

  /** `owners`: null for a shard that is free. `plan`: the members that should own them. True if a member is quarantined now. */
  observe(
    owners: ReadonlyMap<string, string | null>,
    plan: ReadonlyMap<string, string>,
    nowMs: number,
  ): boolean {
    let isNew = false;
    // Nobody could claim anything if the store was away, or this process suspended.
    if (nowMs - this.lastMs > this.patienceMs / 2) this.free.clear();
    this.lastMs = nowMs;
    for (const [shard, owner] of owners) {
      if (owner !== null) {
        this.free.delete(shard);
        this.quarantines.get(shard)?.delete(owner);
        continue;
      }
      const to = plan.get(shard);
      const before = this.free.get(shard);
      if (to === undefined || to === this.id) this.free.delete(shard);
      else if (before?.to !== to) this.free.set(shard, { to, sinceMs: nowMs });
      else if (nowMs - before.sinceMs >= this.patienceMs) {
        this.quarantine(shard, to, nowMs);
        this.free.delete(shard);
        isNew = true;
      }
    }
    for (const shard of this.free.keys()) if (!owners.has(shard)) this.free.delete(shard);
    return isNew;
  }

  /** By shard: the members that are quarantined from it now. `isMember` tells who is still there. */
  quarantined(isMember: (id: string) => boolean, nowMs: number): Map<string, Set<string>> {
    const quarantined = new Map<string, Set<string>>();
    for (const [shard, quarantines] of this.quarantines) {
      for (const id of quarantines.keys()) if (!isMember(id)) quarantines.delete(id);
      if (quarantines.size === 0) this.quarantines.delete(shard);
      const ids = [...quarantines].flatMap(([id, { untilMs }]) => (nowMs < untilMs ? [id] : []));
      if (ids.length > 0) quarantined.set(shard, new Set(ids));
    }
    return quarantined;
  }

  private quarantine(shard: string, id: string, nowMs: number): void {
    const quarantines = this.quarantines.get(shard) ?? new Map<string, Quarantine>();
    this.quarantines.set(shard, quarantines);
    const lengthMs = 2 * (quarantines.get(id)?.lengthMs ?? (FIRST_QUARANTINE_TIMES / 2) * this.patienceMs);
    quarantines.set(id, { lengthMs, untilMs: nowMs + lengthMs });
  }
}
