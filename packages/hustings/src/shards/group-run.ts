/**
 * One member of a group while it takes part: looks at the members and the records again and again, computes the plan, and does
 * its own part of it. Nobody coordinates.
 *
 * In a settled group a look costs two small reads. The records of all shards are read when something has changed, and once per
 * TTL.
 */

import { HustingsError, InputError } from '@hustings/base';
import { startTimer } from '../elector/timeouts.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { notify } from '../lease/observer.ts';
import { groupElection } from './core/shard-name.ts';
import { type ShardMember, type ShardView, stepsOf } from './core/shard-plan.ts';
import { DuplicateIdDetector } from './duplicate-id-detector.ts';
import type { GroupCounts } from './group-counts.ts';
import { GroupMembership } from './group-membership.ts';
import type { GroupReader, ShardRecords } from './group-reader.ts';
import type { ShardContext } from './shard-context.ts';
import type { ShardGroupEvent } from './shard-group-event.ts';
import type { ShardGroupSettings } from './shard-group-options.ts';
import { ShardHolding } from './shard-holding.ts';
import type { ShardWork } from './shard-lead.ts';
import { ShardQuarantine } from './shard-quarantine.ts';

/** Several changes at once take one look. */
const SOON_MS = 20;

export class GroupRun {
  readonly holdings = new Map<string, ShardHolding>();
  /** Shards that this member keeps or wants, whatever the plan says: it merges them. */
  readonly pinned = new Set<string>();
  private readonly context: ShardContext;
  private readonly membership: GroupMembership;
  /** Until then this member stays out of a shard from which it was evicted. */
  private readonly evicted = new Map<string, number>();
  private readonly quarantine: ShardQuarantine;
  private readonly duplicateIds: DuplicateIdDetector;
  private members: readonly ShardMember[] = [];
  private shards: ShardRecords = { live: new Set(), records: new Map() };
  private looksSinceRead = 0;
  private isSettled = false;
  private isLeaving = false;
  private wake: (() => void) | null = null;
  private isWoken = false;
  private onIdle = (): void => {};

  constructor(
    private readonly settings: ShardGroupSettings,
    private readonly store: LeaseStore,
    private readonly reader: GroupReader,
    private readonly counts: GroupCounts,
    work: ShardWork,
  ) {
    this.context = {
      ...{ settings, store, reader, work },
      emit: (event) => this.emit(event),
      generation: () => this.membership.generation,
      isLeaving: () => this.isLeaving,
      onAbandoned: () => this.onChanged(),
      onEnded: (shard, cooldownMs) => this.remove(shard, cooldownMs),
    };
    this.membership = new GroupMembership(settings, store, reader, this.context.emit, () => this.pollSoon());
    this.duplicateIds = new DuplicateIdDetector(settings.id);
    // A member that is well reads all records within a TTL, and claims at once.
    this.quarantine = new ShardQuarantine(
      settings.id,
      settings.candidate.timing.ttlMs + 2 * settings.planEveryMs,
    );
  }

  /** Resolves when this member has left, and all its shards have ended. */
  async run(signal: AbortSignal): Promise<void> {
    // A member with other shards must not even register: others would hand over to it.
    await this.membership.outlastOldMembers(signal);
    if (signal.aborted) return;
    const leaving = new AbortController();
    let failure: { readonly error: unknown } | null = null;
    const leave = (): void => {
      leaving.abort();
      this.pollSoon();
    };
    signal.addEventListener('abort', leave, { once: true });
    const fail = (error: unknown): void => {
      failure ??= { error };
      leave();
    };
    const membership = this.membership.run(leaving.signal).catch(fail);
    const unwatch = this.store.watch?.(groupElection(this.settings.name), () => this.pollSoon());
    try {
      while (!leaving.signal.aborted) {
        await this.look(fail);
        await this.pause(this.settings.planEveryMs);
      }
      await membership;
      await this.handOverAll(failure !== null);
    } finally {
      signal.removeEventListener('abort', leave);
      unwatch?.();
    }
    if (failure !== null) throw (failure as { readonly error: unknown }).error;
    if (this.holdings.size > 0) throw this.stillRunning();
  }

  /** Work outlives this member. */
  private stillRunning(): HustingsError {
    const shards = [...this.holdings.keys()].map((shard) => `'${shard}'`).join(', ');
    return new HustingsError(
      `the work of ${shards} in the shard group '${this.settings.name}' still runs, and its leases have ended; ` +
        'work must stop when lead.signal aborts',
      { code: 'HUSTINGS_WORK_OVERDUE' },
    );
  }

  /** Something has changed: the next look is due now. */
  pollSoon(): void {
    this.isSettled = false;
    this.isWoken = true;
    this.wake?.();
  }

  /** As of the last look at the records; null before the first. */
  get known(): ShardRecords | null {
    return this.shards.live.size === 0 ? null : this.shards;
  }

  /** Claims the shard if it is not held, whatever the plan says. */
  claim(shard: string): ShardHolding {
    let holding = this.holdings.get(shard);
    if (holding === undefined) {
      holding = new ShardHolding(shard, this.context);
      this.holdings.set(shard, holding);
    }
    return holding;
  }

  emit(event: ShardGroupEvent): void {
    this.counts.take(event);
    if (this.settings.onEvent === undefined) this.warn(event);
    notify(this.settings.onEvent, event, 'onEvent');
  }

  /** If nobody listens to events: of the first error of the work, and of an id that is used twice. */
  private warn(event: ShardGroupEvent): void {
    const { name } = this.settings;
    const detail = 'Later ones are not reported. The option onEvent receives all of them.';
    if (event.type === 'work-failed' && !event.afterLoss && this.counts.workErrors === 1) {
      const text = `the work of shard '${event.shard}' of '${name}' failed: ${event.error}`;
      process.emitWarning(text, { code: 'HUSTINGS_SHARD_WORK_FAILED', detail });
    } else if (event.type === 'same-id') {
      const text = `two members of '${name}' have the id '${event.id}'; give each its own`;
      process.emitWarning(text, { code: 'HUSTINGS_SAME_ID' });
    }
  }

  private async look(fail: (error: unknown) => void): Promise<void> {
    const { roots, id, weight, candidate } = this.settings;
    try {
      const before = this.members;
      const group = await this.reader.members();
      const { members: seen, presences } = group;
      if (!this.membership.admits(group)) return;
      if (this.duplicateIds.look(presences)) this.emit({ type: 'same-id', id });
      const isKnown = seen.some((member) => member.id === id);
      this.members = isKnown ? seen : [...seen, { id, weight }];
      const hasChanged = !areSame(before, this.members);
      if (hasChanged) this.emit({ type: 'members', members: this.members });
      const looks = Math.ceil(candidate.timing.ttlMs / this.settings.planEveryMs);
      if (hasChanged || !this.isSettled || ++this.looksSinceRead >= looks) {
        this.shards = await this.reader.shards(
          roots,
          this.membership.generation!,
          this.shards.records.keys(),
        );
        this.looksSinceRead = 0;
      }
      this.act(this.members);
    } catch (error) {
      this.isSettled = false;
      if (error instanceof InputError) fail(error);
      else this.emit({ type: 'store-error', error });
    }
  }

  private act(members: readonly ShardMember[]): void {
    const nowMs = this.settings.candidate.clock.now().monoMs;
    const view = this.view(members, nowMs);
    const { id } = this.settings;
    const inState = (state: ShardHolding['state']): Set<string> =>
      new Set([...this.holdings].flatMap(([shard, holding]) => (holding.state === state ? [shard] : [])));
    const ending = new Map(
      [...inState('ending')].map((shard) => [shard, this.holdings.get(shard)!.successor]),
    );
    const own = { id, held: inState('working'), claimed: inState('claiming'), ending };
    const { plan, claim, withdraw, handOver } = stepsOf(view, own);
    const moving = new Map(handOver.map(({ shard, to }) => [shard, to]));
    for (const shard of own.held) {
      const to = moving.get(shard);
      if (to === undefined || this.pinned.has(shard)) this.holdings.get(shard)?.keep();
      else this.holdings.get(shard)?.handOver(to);
    }
    for (const shard of withdraw) if (!this.pinned.has(shard)) this.holdings.get(shard)?.withdraw();
    for (const shard of claim) this.claim(shard);
    this.isSettled = claim.length === 0 && own.claimed.size === 0 && moving.size === 0;
    let unowned = 0;
    for (const owner of view.owners.values()) if (owner === null) unowned++;
    if (unowned > 0) this.isSettled = false;
    this.counts.see(members.length, view.owners.size, unowned);
    if (this.quarantine.observe(view.owners, plan, nowMs)) this.pollSoon();
  }

  private view(members: readonly ShardMember[], nowMs: number): ShardView {
    const owners = new Map<string, string | null>();
    for (const shard of this.shards.live) {
      const { holder, successor } = this.shards.records.get(shard)!;
      owners.set(shard, holder?.id ?? successor);
    }
    const quarantined = this.quarantine.quarantined(
      (id) => members.some((member) => member.id === id),
      nowMs,
    );
    // Shards that this member cannot take: its work still runs there, or it was evicted.
    const closed = [...this.holdings].flatMap(([shard, { state }]) => (state === 'lost' ? [shard] : []));
    for (const [shard, untilMs] of this.evicted) if (nowMs < untilMs) closed.push(shard);
    for (const shard of closed) {
      const ids = quarantined.get(shard) ?? new Set();
      quarantined.set(shard, ids.add(this.settings.id));
    }
    return { members, owners, quarantined };
  }

  /**
   * The others first see that this member has left, and wait for its shards: its work goes on for that long, so that no shard
   * is without an owner for longer than the handover itself.
   */
  private async handOverAll(hasFailed: boolean): Promise<void> {
    this.isLeaving = true;
    for (const holding of this.holdings.values()) holding.withdraw();
    const { id, planEveryMs } = this.settings;
    const others = this.members.filter((member) => member.id !== id);
    if (others.length > 0 && !hasFailed && this.holdings.size > 0) {
      this.isWoken = false;
      await this.pause(Math.ceil(planEveryMs * 1.5));
      const seen = await this.reader.members().then(
        ({ members }) => members,
        () => others,
      );
      const rest = seen.filter((member) => member.id !== id);
      const shards = await this.reader
        .shards(this.settings.roots, this.membership.generation!, this.shards.records.keys())
        .catch(() => this.shards);
      this.shards = shards;
      this.act(rest);
    }
    for (const holding of this.holdings.values()) {
      // Also those that the plan gives to nobody.
      if (holding.state === 'working' && !holding.isMoving) holding.handOver(null);
    }
    if (this.isIdle) return;
    await new Promise<void>((resolve) => {
      this.onIdle = resolve;
    });
  }

  /** No lease is held. Work that ignores its signal may still run. */
  private get isIdle(): boolean {
    for (const { isAbandoned } of this.holdings.values()) if (!isAbandoned) return false;
    return true;
  }

  private onChanged(): void {
    if (this.isIdle) this.onIdle();
    if (!this.isLeaving) this.pollSoon();
  }

  private remove(shard: string, cooldownMs: number): void {
    this.holdings.delete(shard);
    if (cooldownMs > 0) this.evicted.set(shard, this.settings.candidate.clock.now().monoMs + cooldownMs);
    this.onChanged();
  }

  private async pause(ms: number): Promise<void> {
    const { clock } = this.settings.candidate;
    const startMs = clock.now().monoMs;
    await new Promise<void>((resolve) => {
      const cancel = startTimer(clock, resolve, this.isWoken ? Math.min(SOON_MS, ms) : ms);
      this.wake = () => {
        cancel();
        resolve();
      };
    });
    this.wake = null;
    this.isWoken = false;
    const restMs = SOON_MS - (clock.now().monoMs - startMs);
    if (restMs > 0) await new Promise<void>((resolve) => void startTimer(clock, resolve, restMs));
  }
}

const areSame = (a: readonly ShardMember[], b: readonly ShardMember[]): boolean =>
  a.length === b.length && a.every(({ id, weight }, at) => id === b[at].id && weight === b[at].weight);

/** Merging and splitting need a group that runs. */
export function runningGroup(run: GroupRun | null, name: string): GroupRun {
  if (run === null) throw new InputError(`the shard group '${name}' does not run here; call run first`);
  return run;
}
