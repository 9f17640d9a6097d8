/**
 * Takes part in the group's own election. Its holder and the candidates that wait for it are the members. The holder defines the
 * layout of the group (shard-layout.ts).
 *
 * A layout that differs from that of the group is refused while a live member has the old one. When none is left, it replaces
 * the old one as soon as no lease of the group is held.
 */

import { InputError } from '@hustings/base';
import { Call } from '../elector/calls.ts';
import type { Lead } from '../elector/lead.ts';
import { campaign } from '../elector/leading.ts';
import { pause } from '../elector/timeouts.ts';
import { StoreError } from '../lease/core/store-error.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import {
  definitionText,
  type GroupDefinition,
  memberKind,
  parseDefinition,
  shardsIn,
} from './core/shard-layout.ts';
import { groupElection } from './core/shard-name.ts';
import type { GroupMembers, GroupReader } from './group-reader.ts';
import type { ShardGroupEvent } from './shard-group-event.ts';
import type { ShardGroupSettings } from './shard-group-options.ts';

/** The group's own lease never moves to a member of larger weight. */
const NEVER_MS = 24 * 3_600_000;

/** Registrations last for the TTL, but not for less than about this. */
const MIN_REGISTRATION_MS = 2_100;

export class GroupMembership {
  /** The generation of the layout under which this member works; null while the group has none, or another one. */
  generation: bigint | null = null;

  constructor(
    private readonly settings: ShardGroupSettings,
    private readonly store: LeaseStore,
    private readonly reader: GroupReader,
    private readonly emit: (event: ShardGroupEvent) => void,
    private readonly onDefined: () => void,
  ) {}

  /** Resolves when the signal has aborted, and this member is no longer listed. Rejects if it is refused. */
  async run(signal: AbortSignal): Promise<void> {
    const { name, weight, layout, candidate } = this.settings;
    const settings = {
      ...{ ...candidate, name: groupElection(name), priority: weight, kind: memberKind(layout) },
      timing: { ...candidate.timing, yieldAfterMs: NEVER_MS, stallAfterMs: null },
    };
    const emit = (event: { readonly type: string; readonly error?: unknown }): void => {
      if (event.type === 'store-error') this.emit({ type: 'store-error', error: event.error });
    };
    const call = new Call('candidate', signal, () => {});
    try {
      await campaign(
        { settings, store: this.store, emit, wasServed: false },
        (lead) => this.lead(lead),
        call,
      );
    } finally {
      call.end();
    }
  }

  /**
   * Members of the old layout that were killed stay listed until their registration has ended: waits for that. Throws if one of
   * them is heard of again, because it lives, or is listed for longer than a registration lasts.
   */
  async outlastOldMembers(signal: AbortSignal): Promise<void> {
    const { planEveryMs, candidate } = this.settings;
    const { clock, timing } = candidate;
    const startMs = clock.now().monoMs;
    const ages = new Map<string, number>();
    while (!signal.aborted) {
      const group = await this.reader.members().catch(() => null);
      const old = group?.definition?.layout;
      if (group === null || old === undefined || old === this.settings.layout) return;
      const listed = group.presences.filter(({ layout }) => layout === old);
      if (listed.length === 0) return;
      const isLive = listed.some(({ identity, ageMs }) => ageMs < (ages.get(identity) ?? ageMs));
      const longestMs = Math.max(timing.ttlMs, MIN_REGISTRATION_MS, ...listed.map(({ ttlMs }) => ttlMs));
      if (isLive || clock.now().monoMs > startMs + 2 * longestMs)
        throw otherShards(this.settings, group.definition!);
      for (const { identity, ageMs } of listed) ages.set(identity, ageMs);
      // Where leases end by observation, those of the shards are observed from now on: `define` waits for their end.
      if (this.store.capabilities.expiry !== 'clock') await this.reader.isHeld().catch(() => null);
      await pause(planEveryMs, signal, clock);
    }
  }

  /** True if this member may work now. Throws if the group has another layout. */
  admits({ presences, definition }: GroupMembers): boolean {
    if (definition === null) return false;
    const { layout } = this.settings;
    if (
      definition.layout === layout &&
      (this.generation ?? definition.generation) === definition.generation
    ) {
      if (definition.type === 'closed') return false;
      this.generation = definition.generation;
      return true;
    }
    const isInUse = presences.some((presence) => presence.layout === definition.layout);
    // Otherwise the holder of the group's election replaces it.
    if (isInUse || this.generation !== null) throw otherShards(this.settings, definition);
    return false;
  }

  private async lead(lead: Lead): Promise<void> {
    const { planEveryMs, candidate } = this.settings;
    for (let isDefined = false; !isDefined && !lead.signal.aborted; ) {
      try {
        isDefined = await this.define(lead);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        this.emit({ type: 'store-error', error });
      }
      if (!isDefined) await pause(planEveryMs, lead.signal, candidate.clock);
    }
    this.onDefined();
    await lead.ended;
  }

  /** False if the old layout is still in use. */
  private async define(lead: Lead): Promise<boolean> {
    const { layout } = this.settings;
    const save = (definition: GroupDefinition): Promise<void> =>
      lead.saveCheckpoint(definitionText(definition));
    const known = parseDefinition(lead.checkpoint);
    if (known?.layout === layout) {
      if (known.type === 'closed') await save({ ...known, type: 'open' });
      return true;
    }
    if (known !== null) {
      if (known.type === 'open') await save({ ...known, type: 'closed' });
      const { presences } = await this.reader.members();
      if (presences.some((presence) => presence.layout === known.layout)) {
        await save({ ...known, type: 'open' });
        throw otherShards(this.settings, known);
      }
      if (await this.reader.isHeld()) return false;
    }
    await save({ type: 'open', layout, generation: lead.token });
    return true;
  }
}

export function otherShards({ name, layout }: ShardGroupSettings, definition: GroupDefinition): InputError {
  return new InputError(
    `the shard group '${name}' has ${shardsIn(definition.layout)} shards, and this member was given ` +
      `${shardsIn(layout)} or other names; give all members the same, or stop all of them first`,
  );
}
