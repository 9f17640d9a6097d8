/**
 * Rings inside a ring, and an informer in the middle. The ports of such a network are labelled 'ring2.next 8': ahead on
 * ring 2, to place 8. Every node stands on the outer circle. A ring inside it is a smaller circle, which a line joins with
 * each node of that ring. Positions without a ring port are helper processes, such as an informer: they stand in the middle.
 */
import type { Topology } from '../../../kernel/network/topology.ts';
import type { Point } from '../../svg.ts';
import { arc, onCircle, type Polyline } from '../geometry.ts';
import type { LayoutLink, NetworkLayout } from './network-layout.ts';

interface RingPort {
  readonly ring: number;
  /** Places ahead; negative for the previous node. */
  readonly steps: number;
}

export interface NestedRings {
  /** The number of nodes on the outer ring. */
  readonly n: number;
  readonly rings: number;
  /** By position and port; null for a port that is on no ring. */
  readonly ports: readonly (readonly (RingPort | null)[])[];
}

const LABEL = /^ring(\d+)\.(next|previous) (\d+)$/;

/** Null for a network without labels of rings. */
export function nestedRingsOf(topology: Topology): NestedRings | null {
  if (topology.kind !== 'graph') return null;
  const parsed = Array.from({ length: topology.n }, (_, at) =>
    Array.from({ length: topology.degree(at) }, (_unused, port) => LABEL.exec(topology.label(at, port))),
  );
  const n = parsed.filter((ports) => ports.some((port) => port !== null)).length;
  if (n === 0) return null;
  let rings = 1;
  const ports = parsed.map((row, at) =>
    row.map((found): RingPort | null => {
      if (found === null) return null;
      const ring = Number(found[1]);
      rings = Math.max(rings, ring);
      const steps = (Number(found[3]) - at + n) % n || n;
      return { ring, steps: found[2] === 'next' ? steps : steps - n || -n };
    }),
  );
  return { n, rings, ports };
}

const CENTRE = { x: 0, y: 0 };

export function nestedLayout(topology: Topology, { n, rings, ports }: NestedRings): NetworkLayout {
  const hasHelper = topology.n > n;
  // The innermost ring leaves room for the helper.
  const inner = hasHelper ? 0.5 : 0.36;
  const radiusOf = (ring: number) => (rings === 1 ? 1 : 1 - ((ring - 1) * (1 - inner)) / (rings - 1 + 0.25));
  const angleOf = (at: number) => (2 * Math.PI * at) / n;
  const points = Array.from({ length: topology.n }, (_, at): Point => {
    if (at < n) return onCircle(CENTRE, 1, angleOf(at));
    const helpers = topology.n - n;
    return helpers === 1 ? CENTRE : onCircle(CENTRE, 0.18, (2 * Math.PI * (at - n)) / helpers);
  });
  const way = (from: number, ring: number, steps: number): Polyline => {
    const curve = arc(CENTRE, radiusOf(ring), angleOf(from), angleOf(from + steps));
    return ring === 1 ? curve : [points[from], ...curve, points[(((from + steps) % n) + n) % n]];
  };
  const links: LayoutLink[] = [];
  const junctions: Point[] = [];
  for (let at = 0; at < topology.n; at++) {
    for (let ring = 1; ring <= rings; ring++) {
      const ahead = ports[at].flatMap((port) => (port?.ring === ring && port.steps > 0 ? [port.steps] : []));
      if (ahead.length === 0) continue;
      const steps = Math.min(...ahead);
      links.push({ a: at, b: (at + steps) % n, line: way(at, ring, steps) });
      if (ring > 1) junctions.push(onCircle(CENTRE, radiusOf(ring), angleOf(at)));
    }
    ports[at].forEach((port, k) => {
      const b = topology.neighbour(at, k);
      if (port === null && at > b) links.push({ a: at, b, line: [points[at], points[b]] });
    });
  }
  return {
    points,
    links,
    stretch: 1,
    junctions,
    route(from, port) {
      const on = ports[from][port];
      if (on === null) return [points[from], points[topology.neighbour(from, port)]];
      return way(from, on.ring, on.steps);
    },
  };
}
