/** Compares the closed form of the reference with its simulation and with the published formulas. */
import { describe, expect, test } from 'vitest';
import { permutations, positionSets, seeded, shuffled, somePositions } from '../../orders.ts';
import { eccentricity, edgeCount } from '../graph.ts';
import { echoElectionLockstep } from './echo-election.reference.ts';

describe('echo election with extinction (Karnapke, slide 7)', () => {
  type Graph = number[][];

  function graphOf(n: number, edges: readonly (readonly [number, number])[]): Graph {
    const neighbours: Graph = Array.from({ length: n }, () => []);
    for (const [a, b] of edges) {
      neighbours[a]?.push(b);
      neighbours[b]?.push(a);
    }
    return neighbours;
  }

  /** Every connected graph on n labelled nodes. */
  function* connectedGraphs(n: number): Generator<Graph> {
    const pairs: [number, number][] = [];
    for (let a = 0; a < n; a++) for (let b = a + 1; b < n; b++) pairs.push([a, b]);
    for (let mask = 0; mask < 2 ** pairs.length; mask++) {
      const graph = graphOf(
        n,
        pairs.filter((_, i) => Math.floor(mask / 2 ** i) % 2 === 1),
      );
      if (eccentricity(graph, 0) < Infinity) yield graph;
    }
  }

  /** A random tree on n nodes with additional edges. */
  function randomGraph(n: number, more: number, seed: number): Graph {
    const below = seeded(seed);
    const edges = new Map<string, [number, number]>();
    for (let i = 1; i < n; i++) {
      const parent = below(i);
      edges.set(`${parent} ${i}`, [parent, i]);
    }
    for (let i = 0; i < more; i++) {
      const a = below(n);
      const b = below(n);
      if (a !== b) edges.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [a, b]);
    }
    return graphOf(n, [...edges.values()]);
  }

  function* cases(): Generator<{ graph: Graph; ids: number[]; initiators: number[] }> {
    for (let n = 1; n <= 4; n++) {
      for (const graph of connectedGraphs(n)) {
        for (const ids of permutations(n)) {
          for (const initiators of positionSets(n)) yield { graph, ids, initiators };
        }
      }
    }
    for (let seed = 1; seed <= 300; seed++) {
      const n = 2 + (seed % 40);
      const graph = randomGraph(n, seed % 60, seed);
      const k = 1 + seeded(seed + 1)(n);
      yield { graph, ids: shuffled(n, seed), initiators: somePositions(n, k, seed) };
    }
    for (const k of [1, 16, 1000]) {
      const graph = randomGraph(1000, 3000, 9);
      yield { graph, ids: shuffled(1000, 3), initiators: somePositions(1000, k, k) };
    }
  }

  test('the largest initiator leads; E = 2m for k = 1, at most k * 2m for k; A = n - 1 by tree', () => {
    for (const { graph, ids, initiators } of cases()) {
      const m = edgeCount(graph);
      const run = echoElectionLockstep(graph, ids, initiators, 'tree');
      const largest = initiators.reduce((a, b) => ((ids[a] ?? 0) > (ids[b] ?? 0) ? a : b));
      const ok =
        run.leader === largest &&
        run.announcement === graph.length - 1 &&
        run.election >= 2 * m &&
        run.election <= initiators.length * 2 * m;
      if (!ok) expect({ graph, ids, initiators, ...run }).toBeNull();
    }
  });

  test('a second echo wave announces with 2m messages and changes nothing else', () => {
    for (const { graph, ids, initiators } of cases()) {
      const tree = echoElectionLockstep(graph, ids, initiators, 'tree');
      const echo = echoElectionLockstep(graph, ids, initiators, 'echo');
      const ok =
        echo.announcement === 2 * edgeCount(graph) &&
        echo.election === tree.election &&
        echo.electedAt === tree.electedAt &&
        echo.agreedAt === tree.agreedAt &&
        echo.ended === 2 * echo.electedAt;
      if (!ok) expect({ graph, ids, initiators, tree, echo }).toBeNull();
    }
  });

  test('a leader of eccentricity e decides at 2e or 2e + 1, and the last node e later', () => {
    for (const { graph, ids, initiators } of cases()) {
      const run = echoElectionLockstep(graph, ids, initiators, 'tree');
      const e = eccentricity(graph, run.leader);
      const ok =
        (run.electedAt === 2 * e || (run.electedAt === 2 * e + 1 && e > 0)) &&
        run.agreedAt === run.electedAt + e;
      if (!ok) expect({ graph, ids, initiators, e, ...run }).toBeNull();
    }
  });

  test('one initiator sends n - 1 echoes and 2m - n + 1 explorers', () => {
    for (const { graph, ids, initiators } of cases()) {
      if (initiators.length > 1) continue;
      const { byType } = echoElectionLockstep(graph, ids, initiators, 'tree');
      const n = graph.length;
      expect([byType.echo, byType.explorer]).toEqual([n - 1, 2 * edgeCount(graph) - n + 1]);
    }
  });

  test('a single node sends nothing and leads at 0', () => {
    for (const announce of ['tree', 'echo'] as const) {
      const run = echoElectionLockstep([[]], [1], undefined, announce);
      expect([run.leader, run.election, run.announcement, run.electedAt, run.agreedAt]).toEqual([
        0, 0, 0, 0, 0,
      ]);
    }
  });

  test('two waves that arrive at the same time are handled in port order: the explorers of both count', () => {
    // path 0 - 1 - 2 - 3 with ids 2 1 3 4 and a non-initiator between the initiators 0 and 2
    const path = graphOf(4, [
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    const run = echoElectionLockstep(path, [2, 1, 3, 4], [0, 2], 'tree');
    // 0: one explorer; 2: two; 1 forwards wave 2 to 2 and then wave 3 to 0; echoes of 0, 3 and 1
    expect(run.byType).toEqual({ explorer: 5, echo: 3, elected: 3 });
    expect([run.leader, run.electedAt, run.agreedAt]).toEqual([2, 4, 6]);
  });
});
