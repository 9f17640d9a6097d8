/** All of a group, read from its store. */
import { withTokenText } from '../lease/core/token-text.ts';
import { parseMark } from './core/shard-mark.ts';
import { electionOf } from './core/shard-name.ts';
import type { GroupReader, ShardRecords } from './group-reader.ts';
import type { ShardGroupState, ShardState } from './shard-group.ts';

/** The shards before any split, from the elections of a store. */
export function knownRoots(elections: readonly string[], name: string): string[] {
  const prefix = electionOf(name, '');
  const shards = elections.flatMap((each) => (each.startsWith(prefix) ? [each.slice(prefix.length)] : []));
  return shards.filter((shard) => !shard.includes('/')).sort();
}

export async function readGroup(
  reader: GroupReader,
  name: string,
  roots: readonly string[],
  onRead: (records: ShardRecords) => void = () => {},
): Promise<ShardGroupState> {
  const { members } = await reader.members();
  const read = await reader.shards(roots);
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
