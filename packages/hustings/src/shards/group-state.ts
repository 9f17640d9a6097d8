/** All of a group, read from its store. */
import { withTokenText } from '../lease/core/token-text.ts';
import type { GroupDefinition } from './core/shard-layout.ts';
import { parseMark } from './core/shard-mark.ts';
import type { GroupReader, ShardRecords } from './group-reader.ts';
import type { ShardGroupState, ShardState } from './shard-group.ts';

/** `rootsOf`: the shards before any split, of a group that is defined or not. */
export async function readGroup(
  reader: GroupReader,
  name: string,
  rootsOf: (definition: GroupDefinition | null) => readonly string[] | Promise<readonly string[]>,
  onRead: (records: ShardRecords) => void = () => {},
): Promise<ShardGroupState> {
  const { members, definition } = await reader.members();
  const read = await reader.shards(await rootsOf(definition), definition?.generation ?? 0n);
  onRead(read);
  const { live, records } = read;
  const shards = [...live].map((shard): ShardState => {
    const { holder, successor, token, remainingMs, checkpoint } = records.get(shard)!;
    const mark = parseMark(checkpoint);
    return withTokenText({
      ...{ shard, owner: holder?.id ?? null, successor, token, remainingMs },
      checkpoint: mark?.type === 'open' ? mark.text : null,
    });
  });
  const ids = new Map(members.map((member) => [member.id, member.weight]));
  // An owner that has left, or has failed, still holds its leases.
  for (const { owner } of shards) if (owner !== null && !ids.has(owner)) ids.set(owner, 0);
  return {
    name,
    members: [...ids].map(([id, weight]) => ({
      id,
      weight,
      shards: shards.flatMap(({ shard, owner }) => (owner === id ? [shard] : [])),
    })),
    shards,
  };
}
