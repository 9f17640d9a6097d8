// Two members share 12 shards on one store. Each shard has one owner, with a token of its own.
import { createShardGroup, type ShardLead } from 'hustings/shards';

/** Counts on from the checkpoint, until the shard moves. The text that it returns is the checkpoint of the next owner. */
async function consume(lead: ShardLead): Promise<string> {
  let position = Number(lead.checkpoint ?? 0);
  while (!lead.draining.aborted) {
    lead.assert({ needMs: 100 });
    position++; // write to a resource that checks lead.token
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return `${position}`;
}

const options = { store: 'memory:example', name: 'orders', shards: 12, ttlMs: 2_000, planEveryMs: 100 };
const first = createShardGroup({ ...options, id: 'first' });
const second = createShardGroup({ ...options, id: 'second' });
const running = [first.run(consume), second.run(consume)];

/** Waits until the members own these numbers of shards. */
async function until(...counts: number[]): Promise<void> {
  const owned = () => [first, second].map(({ metrics }) => metrics.owned);
  while (owned().join() !== counts.join()) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(`first owns ${counts[0]} shards, second owns ${counts[1]}`);
}

await until(6, 6);
await first.close(); // hands its shards over, when their work has finished
await until(0, 12);
console.log(`the key 'customer 17' belongs to shard ${second.shardOf('customer 17')}`);
await second.close();
await Promise.all(running);
