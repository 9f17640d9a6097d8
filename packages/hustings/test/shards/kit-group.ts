/** Members of one group on a store and a clock that the test moves. */
import {
  createShardGroup,
  type ShardGroup,
  type ShardGroupEvent,
  type ShardGroupOptions,
  type ShardWork,
} from '../../src/shards/index.ts';
import { createTestKit } from '../../src/testing/index.ts';

export const TTL_MS = 5_000;

/** Works until it is told to finish. */
export const obedient: ShardWork = ({ draining }) =>
  new Promise<void>((resolve) => {
    if (draining.aborted) resolve();
    draining.addEventListener('abort', () => resolve());
  });

/** Never returns, whatever it is told. */
export const stuck: ShardWork = () => new Promise(() => undefined);

export class KitGroup {
  readonly kit = createTestKit();
  readonly events: { member: string; event: ShardGroupEvent }[] = [];
  /** How `run` of each member has ended: null, or its error. */
  readonly ends = new Map<string, unknown>();

  join(id: string, work: ShardWork = obedient, options: Partial<ShardGroupOptions> = {}): ShardGroup {
    const group = createShardGroup({
      ...{ store: this.kit.store, clock: this.kit.clock, name: 'orders', shards: 4, id },
      ...{ ttlMs: TTL_MS, planEveryMs: 500, processProof: '' },
      onEvent: (event) => this.events.push({ member: id, event }),
      ...options,
    });
    void group.run(work).then(
      () => this.ends.set(id, null),
      (error) => this.ends.set(id, error),
    );
    return group;
  }

  /** The events of a member of this type. */
  seen<Type extends ShardGroupEvent['type']>(
    member: string,
    type: Type,
  ): Extract<ShardGroupEvent, { type: Type }>[] {
    return this.events.flatMap(({ member: of, event }) =>
      of === member && event.type === type ? [event as Extract<ShardGroupEvent, { type: Type }>] : [],
    );
  }

  /** Moves the clock until the promise has settled. Resolves with its error, or null. */
  async settled(promise: Promise<unknown>): Promise<unknown> {
    let end: { readonly error: unknown } | null = null;
    promise.then(
      () => {
        end = { error: null };
      },
      (error) => {
        end = { error };
      },
    );
    await this.kit.until(() => end !== null, { withinMs: 20 * TTL_MS });
    return (end as { readonly error: unknown } | null)?.error;
  }
}
