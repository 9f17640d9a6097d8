/** Counts what happens to one member. */
import type { ShardGroupMetrics } from './shard-group.ts';
import type { ShardGroupEvent } from './shard-group-event.ts';

export class GroupCounts implements ShardGroupMetrics {
  members = 0;
  shards = 0;
  unowned = 0;
  acquired = 0;
  moved = 0;
  lost = 0;
  workErrors = 0;
  storeErrors = 0;

  /** `holdings` counts the shards in a state. */
  constructor(private readonly holdings: (state: 'claiming' | 'working' | 'lost') => number) {}

  get owned(): number {
    return this.holdings('working');
  }

  get claimed(): number {
    return this.holdings('claiming');
  }

  get overdue(): number {
    return this.holdings('lost');
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
