/** Which nodes an outline encloses: connected ones with the same fragment. */
import type { NetworkFrame } from './frames.ts';
import type { NetworkLayout } from './layout/network-layout.ts';

export interface FragmentGroup {
  readonly name: string;
  /** Positions. */
  readonly members: readonly number[];
}

export function fragmentGroups({ nodes }: NetworkFrame, { links }: NetworkLayout): FragmentGroup[] {
  const done = new Set<number>();
  return nodes.flatMap(({ fragment: name }, first) => {
    if (name === null || done.has(first)) return [];
    const members = [first];
    done.add(first);
    for (const at of members) {
      for (const { a, b } of links) {
        const other = a === at ? b : b === at ? a : at;
        if (nodes[other].fragment !== name || done.has(other)) continue;
        done.add(other);
        members.push(other);
      }
    }
    return [{ name, members }];
  });
}
