/** Counts what happens to one member. */
import type { ShardGroupMetrics } from './shard-group.ts';
import type { ShardGroupEvent } from './shard-group-event.ts';

export class GroupCounts {
  members = 0;
  shards = 0;
  unowned = 0;
  acquired = 0;
  moved = 0;
  lost = 0;
  workErrors = 0;
  storeErrors = 0;

  readonly #holdings: (state: 'claiming' | 'working' | 'lost') => number;

  /** `holdings` counts the shards in a state. */
  constructor(holdings: (state: 'claiming' | 'working' | 'lost') => number) {
    this.#holdings = holdings;
  }

  /** As of now: plain data, for logs. */
  snapshot(): ShardGroupMetrics {
    const count = this.#holdings;
    return { owned: count('working'), claimed: count('claiming'), overdue: count('lost'), ...this };
  }

  see(members: number, shards: number, unowned: number): void {
    this.members = members;
    this.shards = shards;
    this.unowned = unowned;
  }

  take(event: ShardGroupEvent): void {
    if (event.type === 'acquired') this.acquired++;
    else if (event.type === 'ended' && event.reason === 'transferred') this.moved++;
    else if (event.type === 'lost') this.lost++;
    else if (event.type === 'work-failed' && !event.afterLoss) this.workErrors++;
    else if (event.type === 'store-error') this.storeErrors++;
  }
}
