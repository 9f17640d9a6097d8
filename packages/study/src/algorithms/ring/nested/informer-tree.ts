/**
 * The links of Divided: a tree laid over the ring. Points are the nodes whose place is a multiple of n/u^depth. The
 * informer, a helper process at position n outside the ring, is linked to the u points of the first division. Each
 * point is in turn the informer of the part that begins at it, and is linked to the u−1 points that divide this part,
 * and so on: u^depth links in all. The informer is the root of the tree.
 *
 * Ports: first the link to the parent (the informer or a point), then the links to the children by place, then the
 * ports of the ring as in nested-rings.ts.
 */
import { type PortLink, Topology } from '../../../kernel/index.ts';

interface Sizes {
  readonly u: number;
  readonly depth: number;
}

/** The parent of a point: another point, or n for the informer. */
function parentOf(place: number, n: number, { u }: Sizes): number {
  let division = 1;
  while (place % (n / u ** division) !== 0) division++;
  return division === 1 ? n : place - (place % (n / u ** (division - 1)));
}

export function isPoint(place: number, n: number, { u, depth }: Sizes): boolean {
  return place % (n / u ** depth) === 0;
}

/** The number of links between a point and the informer. */
export function depthOf(place: number, n: number, sizes: Sizes): number {
  let links = 1;
  for (let at = parentOf(place, n, sizes); at !== n; at = parentOf(at, n, sizes)) links++;
  return links;
}

/** Adds the tree to the links of the ring, which are given by place. */
export function withInformerTree(ring: readonly (readonly PortLink[])[], sizes: Sizes): Topology {
  const n = ring.length;
  const children = new Map<number, number[]>();
  for (let place = 0; place < n; place += n / sizes.u ** sizes.depth) {
    const parent = parentOf(place, n, sizes);
    children.set(parent, [...(children.get(parent) ?? []), place]);
  }
  const treeLinks = Array.from({ length: n + 1 }, (_, place): PortLink[] => {
    const points = (children.get(place) ?? []).map((to) => ({ to, label: `point ${to}`, back: 0 }));
    if (place === n || !isPoint(place, n, sizes)) return points;
    const parent = parentOf(place, n, sizes);
    const back = (children.get(parent) ?? []).indexOf(place) + (parent === n ? 0 : 1);
    return [{ to: parent, label: 'informer', back }, ...points];
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
