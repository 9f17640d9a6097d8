import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/kernel/errors.ts';
import { Topology } from '../../../src/kernel/network/topology.ts';
import {
  buildTopology,
  diameter,
  edgeListGraph,
  grid,
  hypercube,
  isConnected,
  isTree,
  line,
  nodesOf,
  parseTopologyName,
  randomGraph,
  randomTree,
  ringGraph,
  star,
  torus,
  tree,
} from '../../../src/kernel/network/topology-names.ts';
import { Random } from '../../../src/kernel/random.ts';
import { chiSquare } from '../chi-square.ts';

const sizes = Array.from({ length: 40 }, (_, i) => i + 1);
const degrees = (network: Topology) => Array.from({ length: network.n }, (_, i) => network.degree(i));
const edgesOf = (network: Topology) =>
  degrees(network).flatMap((degree, i) =>
    Array.from({ length: degree }, (_, p) => network.neighbour(i, p)).flatMap((j) =>
      i < j ? [`${i}-${j}`] : [],
    ),
  );
const positions = (n: number) => Int32Array.from({ length: n }, (_, i) => i);

describe('deterministic graphs', () => {
  test('stars, lines and trees are trees at every size, with the documented centre, ends and parents', () => {
    for (const n of sizes) {
      for (const network of [star(n), line(n), tree(n)])
        expect(isTree(network), `${network.name} of ${n}`).toBe(true);
    }
    expect(degrees(star(5))).toEqual([4, 1, 1, 1, 1]);
    expect(degrees(line(5))).toEqual([1, 2, 2, 2, 1]);
    expect(edgesOf(tree(7))).toEqual(['0-1', '0-2', '1-3', '1-4', '2-5', '2-6']);
  });

  test('the ring as a graph is simple: no edge for one node, one for two, n from three on', () => {
    expect([1, 2, 3, 4, 40].map((n) => ringGraph(n).edges)).toEqual([0, 1, 3, 4, 40]);
    expect(ringGraph(5).kind).toBe('graph');
    // Ports are in the order of positions, not of directions: at position 0 and n−1 next precedes previous.
    expect([ringGraph(5).neighbour(0, 0), ringGraph(5).neighbour(4, 0)]).toEqual([1, 0]);
  });

  test('a grid has R(C − 1) + C(R − 1) edges, between horizontal and vertical neighbours', () => {
    for (let rows = 1; rows <= 7; rows++) {
      for (let columns = 1; columns <= 7; columns++) {
        const network = grid(rows, columns);
        expect([network.n, network.edges]).toEqual([
          rows * columns,
          rows * (columns - 1) + columns * (rows - 1),
        ]);
        expect(isConnected(network)).toBe(true);
        expect(diameter(network)).toBe(rows + columns - 2);
      }
    }
    expect(edgesOf(grid(2, 3))).toEqual(['0-1', '0-3', '1-2', '1-4', '2-5', '3-4', '4-5']);
    expect(grid(2, 3).name).toBe('grid:2x3');
  });

  test('a torus gives each node two links per dimension, one if the side is 2, none if it is 1', () => {
    const along = (side: number) => Math.min(side - 1, 2);
    for (let rows = 1; rows <= 7; rows++) {
      for (let columns = 1; columns <= 7; columns++) {
        const network = torus(rows, columns);
        expect(new Set(degrees(network)), network.name).toEqual(new Set([along(rows) + along(columns)]));
        expect(isConnected(network)).toBe(true);
        expect(diameter(network)).toBe(Math.floor(rows / 2) + Math.floor(columns / 2));
      }
    }
  });

  test('a hypercube of 2^k nodes has degree k and diameter k, and links nodes that differ in one bit', () => {
    for (let k = 0; k <= 7; k++) {
      const network = hypercube(2 ** k);
      expect(new Set(degrees(network))).toEqual(new Set([k]));
      expect(diameter(network)).toBe(k);
    }
    expect(edgesOf(hypercube(4))).toEqual(['0-1', '0-2', '1-3', '2-3']);
  });

  test('a hypercube of another size is refused with the nearest powers of two', () => {
    expect(() => hypercube(12)).toThrow('not 12: use 8 or 16');
    expect(() => hypercube(1000)).toThrow('512 or 1024');
  });

  test('a million nodes can be built', () => {
    const networks = [star(1e6), line(1e6), tree(1e6), grid(1000, 1000)];
    expect(networks.map((network) => network.edges)).toEqual([999_999, 999_999, 999_999, 1_998_000]);
  });
});

describe('seeded random graphs', () => {
  test('the 16 labelled trees on four nodes are equally likely', () => {
    const random = new Random(5, 'topology');
    const counts = new Map<string, number>();
    for (let i = 0; i < 16_000; i++) {
      const edges = edgesOf(randomTree(4, random)).join();
      counts.set(edges, (counts.get(edges) ?? 0) + 1);
    }
    expect(counts.size).toBe(16);
    expect(chiSquare([...counts.values()])).toBeLessThan(4);
  });

  test('a random tree is a tree', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.maxSafeNat(), (n, seed) => {
        expect(isTree(randomTree(n, new Random(seed)))).toBe(true);
      }),
    );
  });

  const request = fc
    .integer({ min: 1, max: 40 })
    .chain((n) =>
      fc.tuple(fc.constant(n), fc.integer({ min: n - 1, max: (n * (n - 1)) / 2 }), fc.maxSafeNat()),
    );

  test('a random graph is connected, has exactly the edges asked for, and is the same for the same seed', () => {
    fc.assert(
      fc.property(request, ([n, edges, seed]) => {
        const network = randomGraph(n, edges, new Random(seed));
        expect([network.name, network.n, network.edges]).toEqual([`random:${edges}`, n, edges]);
        expect(isConnected(network)).toBe(true);
        expect(edgesOf(network)).toEqual(edgesOf(randomGraph(n, edges, new Random(seed))));
      }),
    );
  });

  test.each([5, 6, 8, 9])(
    'every pair is an edge equally often, sparse or dense: %d edges on 5 nodes',
    (edges) => {
      const random = new Random(edges, 'topology');
      const runs = 4000;
      const counts = new Map<string, number>();
      for (let i = 0; i < runs; i++) {
        for (const edge of edgesOf(randomGraph(5, edges, random)))
          counts.set(edge, (counts.get(edge) ?? 0) + 1);
      }
      expect(counts.size).toBe(10);
      const share = edges / 10;
      const deviation = Math.sqrt(runs * share * (1 - share));
      for (const count of counts.values()) expect(Math.abs(count - runs * share)).toBeLessThan(4 * deviation);
    },
  );

  test('different seeds give different graphs', () => {
    const drawn = Array.from({ length: 20 }, (_, seed) =>
      edgesOf(randomGraph(20, 40, new Random(seed))).join(),
    );
    expect(new Set(drawn).size).toBe(20);
  });

  test('a number of edges out of range is refused with the range', () => {
    const message = 'from 9 to 45 edges, not';
    expect(() => randomGraph(10, 8, new Random(1))).toThrow(`${message} 8`);
    expect(() => randomGraph(10, 46, new Random(1))).toThrow(`${message} 46`);
  });
});

describe('an edge list', () => {
  test('is read with comments, blank lines, any white space and either line ending', () => {
    const network = edgeListGraph('# a triangle\r\n0 1\r\n\r\n 1\t2 # the far side\n2   0');
    expect([network.name, network.n, edgesOf(network)]).toEqual(['edges', 3, ['0-1', '0-2', '1-2']]);
  });

  test('without edges is one node, if one node is asked for', () => {
    expect(edgeListGraph('# nobody else', 1).n).toBe(1);
    expect(() => edgeListGraph('# nobody')).toThrow('must not be empty');
  });

  test.each([
    ['0 1\n1 2 3', null, /line 2 of the edge list .* not '1 2 3'/],
    ['0 1\n\n-1 2', null, /line 3 of the edge list .* not '-1 2'/],
    ['0,1', null, "not '0,1'"],
    ['0 1\n1 1', null, /line 2 of the edge list .* different .* not '1 1'/],
    ['0 1\n1 0', null, '0 1 is listed twice'],
    ['0 1\n1 7', 3, /line 2 of the edge list .* from 0 to 2, not '1 7'/],
    ['0 99999999999', null, 'positions from 0 to'],
    ['0 1\n3 4\n1 3', null, 'position 2 cannot be reached'],
    ['0 1\n2 3', null, 'position 2 cannot be reached'],
    ['0 1', 3, 'position 2 cannot be reached'],
  ])('refuses %j for %s nodes', (text, n, message) => {
    expect(() => edgeListGraph(text, n)).toThrow(message);
    expect(() => edgeListGraph(text, n)).toThrow(InputError);
  });
});

describe('measures of a network', () => {
  test('the diameter of a ring is n/2 rounded down, and n − 1 if it is one-way', () => {
    expect([1, 2, 3, 4, 5].map((n) => diameter(Topology.ring(n)))).toEqual([0, 1, 1, 2, 2]);
    expect([1, 2, 5].map((n) => diameter(Topology.ring(n, { oneWay: true })))).toEqual([0, 1, 4]);
    for (const n of sizes) expect(diameter(ringGraph(n))).toBe(diameter(Topology.ring(n)));
  });

  test('diameters of complete networks, stars and lines', () => {
    expect([1, 2, 9].map((n) => diameter(Topology.complete(positions(n))))).toEqual([0, 1, 1]);
    expect([1, 2, 3, 9].map((n) => diameter(star(n)))).toEqual([0, 1, 2, 2]);
    expect([1, 2, 9, 100_000].map((n) => diameter(line(n)))).toEqual([0, 1, 8, 99_999]);
  });

  test('the diameter agrees with Floyd and Warshall', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 14 }),
        fc.integer({ min: 0, max: 6 }),
        fc.maxSafeNat(),
        (n, more, seed) => {
          const edges = Math.min(n - 1 + more, (n * (n - 1)) / 2);
          const network = randomGraph(n, edges, new Random(seed));
          const far = Array.from({ length: n }, (_, i) =>
            Array.from({ length: n }, (_, j) => (i === j ? 0 : n)),
          );
          for (const edge of edgesOf(network)) {
            const [i, j] = edge.split('-').map(Number);
            far[i][j] = far[j][i] = 1;
          }
          for (let k = 0; k < n; k++)
            for (let i = 0; i < n; i++)
              for (let j = 0; j < n; j++) far[i][j] = Math.min(far[i][j], far[i][k] + far[k][j]);
          expect(diameter(network)).toBe(Math.max(...far.flat()));
        },
      ),
    );
  });

  test('two breadth-first searches are not enough if there is a cycle: a square with a pendant has diameter 3', () => {
    const network = Topology.fromEdges('square', 5, Int32Array.of(0, 1, 0, 3, 1, 2, 1, 4, 3, 4));
    expect(diameter(network)).toBe(3);
  });

  test('a disconnected graph is not a tree even with n − 1 edges, and its diameter is infinite', () => {
    const pieces = Topology.fromEdges('pieces', 5, Int32Array.of(0, 1, 1, 2, 2, 0, 3, 4));
    expect([isConnected(pieces), isTree(pieces), diameter(pieces)]).toEqual([
      false,
      false,
      Number.POSITIVE_INFINITY,
    ]);
  });

  test('no ring is a tree, and a complete network is one only with one or two nodes', () => {
    expect([1, 2, 3].map((n) => isTree(Topology.ring(n)))).toEqual([false, false, false]);
    expect([1, 2, 3].map((n) => isTree(Topology.complete(positions(n))))).toEqual([true, true, false]);
  });
});

describe('names', () => {
  const random = new Random(3, 'topology');

  test('of every form are parsed, and the network built from a name has that name', () => {
    const names = 'ring complete star line tree random-tree hypercube grid:2x8 torus:4x4 random:20'.split(
      ' ',
    );
    for (const name of names) {
      const network = buildTopology(parseTopologyName(name), 16, random);
      expect([network.name, network.n, isConnected(network)]).toEqual([name, 16, true]);
    }
    expect(parseTopologyName('grid:3x4')).toEqual({ shape: 'grid', rows: 3, columns: 4 });
    expect(parseTopologyName('edges:C:\\a b.txt')).toEqual({ shape: 'edges', path: 'C:\\a b.txt' });
  });

  test.each([
    ['mesh', /one of ring, complete, .*, grid:RxC.*, not 'mesh'/],
    ['', "not ''"],
    ['Ring', "not 'Ring'"],
    ['toString', "not 'toString'"],
    ['ring:5', "not 'ring:5'"],
    ['grid', /grid:RxC with at most 100000000 nodes.* not 'grid'/],
    ['grid:3', 'as in grid:3x4'],
    ['torus:0x4', 'as in torus:3x4'],
    ['grid:99999x99999', 'at most 100000000 nodes'],
    ['random', 'as in random:40'],
    ['random:-4', "not 'random:-4'"],
    ['random:1e3', "not 'random:1e3'"],
    ['edges', 'edges:FILE'],
    ['edges:', 'edges:FILE'],
  ])('such as %j are refused in one line', (name, message) => {
    expect(() => parseTopologyName(name)).toThrow(InputError);
    expect(() => parseTopologyName(name)).toThrow(message);
    expect(() => parseTopologyName(name)).not.toThrow('\n');
  });

  test('with rows and columns determine the number of nodes, the others do not', () => {
    expect(nodesOf(parseTopologyName('torus:3x5'))).toBe(15);
    expect(nodesOf(parseTopologyName('ring'))).toBe(null);
    expect(nodesOf(parseTopologyName('edges:f'))).toBe(null);
    expect(buildTopology(parseTopologyName('grid:3x5'), null, random).n).toBe(15);
    expect(() => buildTopology(parseTopologyName('grid:3x5'), 16, random)).toThrow('nodes must be 15');
    expect(() => buildTopology(parseTopologyName('star'), null, random)).toThrow('nodes must be given');
  });

  test('of rings give a ring, a one-way ring or a simple graph, depending on the algorithm', () => {
    const ring = parseTopologyName('ring');
    expect(buildTopology(ring, 2, random).edges).toBe(2);
    expect(buildTopology(ring, 2, random, { oneWay: true }).oneWay).toBe(true);
    expect(buildTopology(ring, 2, random, { asGraph: true }).edges).toBe(1);
    expect(() => buildTopology({ shape: 'star' }, 2, random, { oneWay: true })).toThrow(
      'must be a ring, not star',
    );
  });

  test('of complete networks order the ports by the ids, or by the positions if there are none', () => {
    const byId = buildTopology({ shape: 'complete' }, 3, random, { ids: Int32Array.of(9, 8, 7) });
    expect(byId.neighbour(0, 0)).toBe(2);
    expect(buildTopology({ shape: 'complete' }, 3, random).neighbour(0, 0)).toBe(1);
    expect(() => buildTopology({ shape: 'complete' }, 3, random, { ids: Int32Array.of(1) })).toThrow(
      'ids must be 3',
    );
  });

  test('of files need their text, which determines the number of nodes', () => {
    const spec = parseTopologyName('edges:graph.txt');
    expect(buildTopology(spec, null, random, { edgeText: '0 1\n1 2' }).n).toBe(3);
    expect(() => buildTopology(spec, null, random)).toThrow('the text of graph.txt');
    expect(() => buildTopology(spec, 2, random, { edgeText: '0 1\n1 2' })).toThrow("not '1 2'");
  });
});
