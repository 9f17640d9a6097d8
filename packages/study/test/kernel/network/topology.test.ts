import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/kernel/errors.ts';
import { type PortLink, Topology } from '../../../src/kernel/network/topology.ts';
import {
  grid,
  hypercube,
  line,
  randomGraph,
  randomTree,
  ringGraph,
  star,
  torus,
  tree,
} from '../../../src/kernel/network/topology-names.ts';
import { Random } from '../../../src/kernel/random.ts';

/** Distinct ids in an order unrelated to the positions. */
function shuffledIds(n: number): Int32Array {
  const ids = Int32Array.from({ length: n }, (_, position) => 3 * position + 5);
  new Random(n, 'ids').shuffle(ids);
  return ids;
}

/** A cycle of n given as an overlay, next port first, with explicit back ports. */
function cyclePorts(n: number): PortLink[][] {
  return Array.from({ length: n }, (_, i) => [
    { to: (i + 1) % n, label: 'next', back: 1 },
    { to: (i + n - 1) % n, label: 'previous', back: 0 },
  ]);
}

function networksOf(n: number): Topology[] {
  const random = new Random(n, 'topology');
  const networks = [
    Topology.ring(n),
    Topology.ring(n, { oneWay: true }),
    Topology.ringMap(n),
    Topology.complete(shuffledIds(n)),
    Topology.fromPorts('cycle', cyclePorts(n)),
    ringGraph(n),
    star(n),
    line(n),
    tree(n),
    randomTree(n, random),
    randomGraph(n, n - 1 + Math.floor(((n - 1) * (n - 2)) / 6), random),
  ];
  for (let rows = 1; rows <= n; rows++) {
    if (n % rows === 0) networks.push(grid(rows, n / rows), torus(rows, n / rows));
  }
  if (Number.isInteger(Math.log2(n))) networks.push(hypercube(n));
  return networks;
}

const sizes = Array.from({ length: 40 }, (_, i) => i + 1);

describe('every topology of 1 to 40 nodes', () => {
  test('returns over the back port to the same position and port', () => {
    for (const n of sizes) {
      for (const network of networksOf(n)) {
        for (let i = 0; i < n; i++) {
          for (let p = 0; p < network.degree(i); p++) {
            const j = network.neighbour(i, p);
            const q = network.backPort(i, p);
            const seen = [
              j >= 0 && j < n,
              q >= 0 && q < network.degree(j),
              network.neighbour(j, q),
              network.backPort(j, q),
            ];
            expect(seen, `${network.name} of ${n}, port ${p} of ${i}`).toEqual([true, true, i, p]);
          }
        }
      }
    }
  });

  test('numbers its links without gaps, in order of position and port, twice as many as its edges', () => {
    for (const n of sizes) {
      for (const network of networksOf(n)) {
        let next = 0;
        for (let i = 0; i < n; i++) {
          for (let p = 0; p < network.degree(i); p++) expect(network.link(i, p)).toBe(next++);
        }
        expect(next, `${network.name} of ${n}`).toBe(network.links);
        expect(network.links).toBe(2 * network.edges);
      }
    }
  });
});

describe('a ring', () => {
  test('has the previous position at port 0 and the next at port 1', () => {
    const ring = Topology.ring(5);
    expect([ring.name, ring.kind, ring.n, ring.edges, ring.links, ring.oneWay]).toEqual([
      'ring',
      'ring',
      5,
      5,
      10,
      false,
    ]);
    expect([ring.neighbour(0, 0), ring.neighbour(0, 1), ring.neighbour(4, 1), ring.neighbour(3, 0)]).toEqual([
      4, 1, 0, 2,
    ]);
    expect([ring.label(2, 0), ring.label(2, 1)]).toEqual(['previous', 'next']);
  });

  test('of one node is a loop: a message sent on port 1 arrives on port 0', () => {
    const ring = Topology.ring(1);
    expect([ring.edges, ring.degree(0), ring.neighbour(0, 1), ring.backPort(0, 1)]).toEqual([1, 2, 0, 0]);
  });

  test('of two nodes has two distinct links between them', () => {
    const ring = Topology.ring(2);
    expect(ring.edges).toBe(2);
    expect([ring.neighbour(0, 0), ring.neighbour(0, 1)]).toEqual([1, 1]);
    expect([ring.backPort(0, 0), ring.backPort(0, 1)]).toEqual([1, 0]);
  });

  test('that is one-way sends on port 1 only', () => {
    const oneWay = Topology.ring(3, { oneWay: true });
    expect([oneWay.oneWay, oneWay.sends(0), oneWay.sends(1)]).toEqual([true, false, true]);
    expect([Topology.ring(3).sends(0), star(3).sends(0)]).toEqual([true, true]);
  });

  test('of ten million nodes stores nothing', () => {
    const ring = Topology.ring(10_000_000);
    expect([ring.neighbour(9_999_999, 1), ring.neighbour(0, 0), ring.links]).toEqual([
      0, 9_999_999, 20_000_000,
    ]);
  });

  test.each([0, -3, 1.5, Number.NaN, 2 ** 31])('cannot have %d nodes', (n) => {
    expect(() => Topology.ring(n)).toThrow(/nodes must be a whole number from 1 to 1073741823, not/);
  });
});

describe('the successor map of a ring', () => {
  test('has the p-th successor at port p, and the node itself at port n', () => {
    const map = Topology.ringMap(5);
    expect(Array.from({ length: map.degree(3) }, (_, port) => map.neighbour(3, port))).toEqual([
      3, 4, 0, 1, 2, 3,
    ]);
    expect(map.backPort(3, 2)).toBe(3);
    expect(map.backPort(3, 5)).toBe(0);
  });

  test('of one node is the ring of one: a message sent on port 1 arrives on port 0', () => {
    const map = Topology.ringMap(1);
    expect([map.degree(0), map.neighbour(0, 1), map.backPort(0, 1)]).toEqual([2, 0, 0]);
  });

  test('of a million nodes stores nothing', () => {
    expect(Topology.ringMap(1_000_000).neighbour(999_999, 2)).toBe(1);
  });
});

describe('a complete network', () => {
  test('has its ports in ascending order of the neighbours’ ids, without the node itself', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 30 }),
        (list) => {
          const ids = Int32Array.from(list);
          const network = Topology.complete(ids);
          for (let i = 0; i < list.length; i++) {
            const reached = Array.from({ length: network.degree(i) }, (_, p) => ids[network.neighbour(i, p)]);
            expect(reached).toEqual(list.filter((id) => id !== list[i]).sort((a, b) => a - b));
            expect(network.rank(i)).toBe(list.filter((id) => id < list[i]).length);
          }
        },
      ),
    );
  });

  test('counts n(n − 1)/2 edges even if they would not fit in memory', () => {
    expect(Topology.complete(shuffledIds(100_000)).edges).toBe(4_999_950_000);
  });

  test('refuses duplicate ids, and names one', () => {
    expect(() => Topology.complete(Int32Array.of(4, 7, 9, 7))).toThrow(
      'ids must differ, and 7 is given twice',
    );
  });

  test('is the only network with ranks', () => {
    expect(() => Topology.ring(3).rank(0)).toThrow(InputError);
  });

  test('does not follow later changes of the ids it was given', () => {
    const ids = Int32Array.of(3, 1, 2);
    const network = Topology.complete(ids);
    ids.fill(0);
    expect([network.neighbour(0, 0), network.neighbour(0, 1)]).toEqual([1, 2]);
  });
});

describe('a graph from edges', () => {
  test('has its ports in the order of the neighbours’ positions, in any order of the edge list', () => {
    const graph = Topology.fromEdges('g', 5, Int32Array.of(4, 2, 2, 0, 3, 2, 1, 2, 4, 0));
    expect([graph.name, graph.kind, graph.edges]).toEqual(['g', 'graph', 5]);
    expect(Array.from({ length: graph.degree(2) }, (_, p) => graph.neighbour(2, p))).toEqual([0, 1, 3, 4]);
    expect(graph.backPort(2, 3)).toBe(1);
    expect(graph.label(2, 3)).toBe('');
  });

  test.each([
    ['a self-loop', [0, 1, 2, 2], 'two different positions, not 2 2'],
    ['an edge twice', [0, 1, 1, 2, 0, 1], '0 1 is listed twice'],
    ['an edge twice, in both directions', [2, 1, 0, 1, 1, 2], '1 2 is listed twice'],
    ['a position too large', [0, 1, 1, 3], 'positions from 0 to 2, not 1 3'],
    ['a negative position', [0, -1], 'positions from 0 to 2, not 0 -1'],
    ['half an edge', [0, 1, 2], 'an edge must have two positions'],
  ])('refuses %s, and names it', (_, pairs, message) => {
    expect(() => Topology.fromEdges('g', 3, Int32Array.from(pairs))).toThrow(message);
    expect(() => Topology.fromEdges('g', 3, Int32Array.from(pairs))).toThrow(InputError);
  });
});

describe('a network from ports', () => {
  test('keeps the order and the labels that it was given', () => {
    const network = Topology.fromPorts('overlay', [
      [{ to: 2, label: 'informer' }, { to: 1 }],
      [{ to: 0 }],
      [{ to: 0, label: 'point' }],
    ]);
    expect([network.neighbour(0, 0), network.neighbour(0, 1)]).toEqual([2, 1]);
    expect([network.label(0, 0), network.label(0, 1), network.label(2, 0)]).toEqual([
      'informer',
      '',
      'point',
    ]);
    expect([network.edges, network.backPort(1, 0), network.backPort(2, 0)]).toEqual([2, 1, 0]);
  });

  test('pairs the k-th link from a to b with the k-th from b to a', () => {
    const network = Topology.fromPorts('double', [
      [{ to: 1 }, { to: 2 }, { to: 1 }],
      [{ to: 2 }, { to: 0 }, { to: 0 }],
      [{ to: 0 }, { to: 1 }],
    ]);
    expect([network.backPort(0, 0), network.backPort(0, 2)]).toEqual([1, 2]);
    expect([network.backPort(1, 1), network.backPort(1, 2), network.backPort(1, 0)]).toEqual([0, 2, 1]);
  });

  test('pairs loops two by two, so that a ring of one is previous and next', () => {
    const network = Topology.fromPorts('loop', [[{ to: 0 }, { to: 0 }]]);
    expect([network.backPort(0, 0), network.backPort(0, 1), network.edges]).toEqual([1, 0, 1]);
  });

  test('uses a back port named at either end, and pairs the rest in order', () => {
    const network = Topology.fromPorts('ring of two', [
      [{ to: 1 }, { to: 1 }, { to: 1 }],
      [{ to: 0, back: 2 }, { to: 0 }, { to: 0 }],
    ]);
    expect([0, 1, 2].map((port) => network.backPort(0, port))).toEqual([1, 2, 0]);
  });

  const unpaired: [string, PortLink[][], string][] = [
    ['a link without an end', [[{ to: 1 }], []], 'port 0 of position 0 leads to 1, which has no port'],
    ['a single loop', [[{ to: 0 }]], 'port 0 of position 0 leads to 0'],
    [
      'a third link where two return',
      [[{ to: 1 }, { to: 1 }], [{ to: 0 }]],
      'port 1 of position 0 leads to 1',
    ],
    [
      'a position that is not there',
      [[{ to: 5 }]],
      'port 0 of position 0 must lead to a position from 0 to 0, not 5',
    ],
    [
      'a back port that is not there',
      [[{ to: 1, back: 3 }], [{ to: 0 }]],
      'port 3 of position 1 must lead back',
    ],
    [
      'a back port of a third position',
      [[{ to: 1, back: 0 }], [{ to: 2 }], [{ to: 1 }]],
      'port 0 of position 1 must lead back',
    ],
    [
      'a port that two claim',
      [
        [
          { to: 1, back: 0 },
          { to: 1, back: 0 },
        ],
        [{ to: 0 }, { to: 0 }],
      ],
      'port 0 of position 1 must lead back',
    ],
    ['a port that is its own end', [[{ to: 0, back: 0 }]], 'port 0 of position 0 must lead back'],
  ];
  test.each(unpaired)('refuses %s, and says where', (_, ports, message) => {
    expect(() => Topology.fromPorts('overlay', ports)).toThrow(message);
  });
});
