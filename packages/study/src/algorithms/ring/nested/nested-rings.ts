/**
 * Nested rings: ring i joins the nodes whose place is a multiple of u^(i−1). Ring 1 is the ring itself, and each
 * further ring, u times shorter, runs inside it. On each of its rings a node has links to the nodes behind and ahead
 * of it: to the nearest, and to further ones in case the nearest have crashed. With the maximum number of links the
 * last one leads to the node itself, which is then its own successor on a ring without other live nodes.
 *
 * Ports are ordered by ring, the outermost first, then by distance; at each distance the previous node precedes the
 * next one. A label names the destination of a link: 'ring2.next 8' is the link to place 8, ahead on ring 2.
 */
import { InputError, integer, type PortLink, type Remedy, Topology } from '../../../kernel/index.ts';

/** Limits the default number of links, for time and memory. */
const MAX_LINKS = 1 << 16;

export const ringParams = {
  u: integer('factor by which each further ring is shorter', {
    min: 2,
    max: 1 << 20,
    byDefault: smallestDivisor,
  }),
  depth: integer('number of rings inside the first', {
    min: 0,
    max: 20,
    byDefault: (n) => Math.min(1, n - 1),
  }),
  successors: integer('number of nodes ahead that a node has links to, on each ring', {
    min: 1,
    max: 1 << 20,
    byDefault: (n) => Math.max(1, Math.min(n, Math.floor(MAX_LINKS / n))),
  }),
  timeout: integer('units after which a node that has not answered is considered crashed', {
    min: 1,
    max: 1_000_000,
    byDefault: 2,
  }),
};

interface Sizes {
  readonly u: number;
  readonly successors: number;
}

interface Place {
  readonly n: number;
  readonly degree: number;
  readonly params: Sizes;
  label(port: number): string;
}

function smallestDivisor(n: number): number {
  for (let u = 2; u * u <= n; u++) if (n % u === 0) return u;
  return Math.max(2, n);
}

/** Throws unless u^depth divides n. */
export function checkDivision(owner: string, n: number, u: number, depth: number): void {
  if (n % u ** depth === 0) return;
  throw new InputError(
    `${owner}: u^depth = ${u}^${depth} = ${u ** depth} must divide the number of nodes, not ${n}; choose other u or depth`,
  );
}

/** The number of rings through a place, of `rings` in all. */
export function ringsAt(place: number, u: number, rings: number): number {
  let ring = 1;
  while (ring < rings && place % u ** ring === 0) ring++;
  return ring;
}

/** L_i, the length of ring i. */
export function ringLength(n: number, u: number, ring: number): number {
  return n / u ** (ring - 1);
}

/** The links of every place. An algorithm may add others. */
export function nestedLinks(n: number, { u, successors }: Sizes, rings: number): PortLink[][] {
  return Array.from({ length: n }, (_, place) => {
    const ports: PortLink[] = [];
    for (let ring = 1; ring <= ringsAt(place, u, rings); ring++) {
      const step = u ** (ring - 1);
      const reach = Math.min(successors, ringLength(n, u, ring));
      for (let ahead = 1; ahead <= reach; ahead++) {
        const next = (place + ahead * step) % n;
        const previous = (place + n - ((ahead * step) % n)) % n;
        const port = ports.length;
        ports.push({ to: previous, label: `ring${ring}.previous ${previous}`, back: port + 1 });
        ports.push({ to: next, label: `ring${ring}.next ${next}`, back: port });
      }
    }
    return ports;
  });
}

/**
 * On each of `rings` rings a live node must have a live node among those ahead that it has links to: otherwise it cannot
 * forward a message. Null, or the node that has none, and the number of links that it needs.
 */
export function crashedAhead(
  owner: string,
  n: number,
  { u, successors }: Sizes,
  rings: number,
  dead: ReadonlySet<number>,
): { readonly text: string; readonly remedy: Remedy } | null {
  for (let place = 0; dead.size > 0 && place < n; place++) {
    for (let ring = 1; !dead.has(place) && ring <= ringsAt(place, u, rings); ring++) {
      let ahead = 1;
      while (dead.has((place + ahead * u ** (ring - 1)) % n)) ahead++;
      if (ahead <= successors) continue;
      return {
        text: `${owner} assumes that one of the nodes ahead to which a node has links is alive: node ${place} has none of ${successors}`,
        remedy: { option: 'set', value: `successors=${ahead}` },
      };
    }
  }
  return null;
}

export function nestedRings(n: number, sizes: Sizes, rings: number): Topology {
  return Topology.fromPorts(
    rings === 1 ? 'one ring' : `ring with ${rings - 1} inside`,
    nestedLinks(n, sizes, rings),
  );
}

/** The number of ports of a node on a ring: two for each distance. */
function portsOn(ring: number, { n, params: { u, successors } }: Place): number {
  return 2 * Math.min(successors, ringLength(n, u, ring));
}

/** The innermost ring of this node. */
export function innermost(place: Place): number {
  let ring = 0;
  for (let port = 0; port < place.degree; ring++) port += portsOn(ring + 1, place);
  return ring;
}

export function ringOf(port: number, place: Place): number {
  let ring = 1;
  for (let end = portsOn(1, place); end <= port; ring++) end += portsOn(ring + 1, place);
  return ring;
}

/** The port to the next node of a ring that was not found crashed; if all were, to the first, to try it again. */
export function successor(ring: number, dead: { has(port: number): boolean }, place: Place): number {
  let port = 1;
  for (let inner = 1; inner < ring; inner++) port += portsOn(inner, place);
  const first = port;
  for (const end = port + portsOn(ring, place); port < end; port += 2) if (!dead.has(port)) return port;
  return first;
}

/** A node's number on the ring, 0 to n−1. */
export function placeOf(place: Place): number {
  const previous = Number(place.label(0).split(' ')[1]);
  return (previous + 1) % place.n;
}

/** True if this id belongs to one of the successors found crashed. */
export function isFoundDead(
  id: number,
  dead: Iterable<number>,
  map: { neighbour(port: number): number },
): boolean {
  for (const port of dead) if (map.neighbour(port) === id) return true;
  return false;
}
