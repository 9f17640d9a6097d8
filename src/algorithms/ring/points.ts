/**
 * A ring with points: the places that are multiples of n/u^depth. An informer, a process at position n that is no node
 * of the ring, is linked to the u points of the first division; each point is the informer of the part that begins at
 * it, and is linked to the u−1 points at which that part is divided again, and so on: u^depth links in all. The links
 * make a tree, with the informer on top.
 *
 * Ports: the link up, to the informer or the point above; the links down, by place; then those of the ring, as in
 * nested-rings.ts.
 */
import { type PortLink, Topology } from '../../kernel/index.ts';

interface Sizes {
  readonly u: number;
  readonly depth: number;
}

/** The point above a point; n, the informer, above the first ones. */
function above(place: number, n: number, { u }: Sizes): number {
  let division = 1;
  while (place % (n / u ** division) !== 0) division++;
  return division === 1 ? n : place - (place % (n / u ** (division - 1)));
}

export function isPoint(place: number, n: number, { u, depth }: Sizes): boolean {
  return place % (n / u ** depth) === 0;
}

/** How many links a point is away from the informer. */
export function depthOf(place: number, n: number, sizes: Sizes): number {
  let links = 1;
  for (let at = above(place, n, sizes); at !== n; at = above(at, n, sizes)) links++;
  return links;
}

/** Lays the tree over the links of the ring, which are given by place. */
export function withPoints(ring: readonly (readonly PortLink[])[], sizes: Sizes): Topology {
  const n = ring.length;
  const below = new Map<number, number[]>();
  for (let place = 0; place < n; place += n / sizes.u ** sizes.depth) {
    const top = above(place, n, sizes);
    below.set(top, [...(below.get(top) ?? []), place]);
  }
  const treeLinks = Array.from({ length: n + 1 }, (_, place): PortLink[] => {
    const points = (below.get(place) ?? []).map((to) => ({ to, label: `point ${to}`, back: 0 }));
    if (place === n || !isPoint(place, n, sizes)) return points;
    const top = above(place, n, sizes);
    const back = (below.get(top) ?? []).indexOf(place) + (top === n ? 0 : 1);
    return [{ to: top, label: 'informer', back }, ...points];
  });
  const ports = treeLinks.map((links, place) => [
    ...links,
    ...(ring[place] ?? []).map((link) => ({
      ...link,
      back: treeLinks[link.to].length + (link.back ?? 0),
    })),
  ]);
  return Topology.fromPorts('ring with points', ports);
}
