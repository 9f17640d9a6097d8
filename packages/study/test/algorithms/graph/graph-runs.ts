/**
 * Elections on graphs and trees: all small ones, every named kind of network, and random ones for adversaries.
 */
import fc from 'fast-check';
import { effort, randomRuns } from '../../../../../test-kit/limits/effort.ts';
import type { AnyAlgorithm } from '../../../src/kernel/algorithm.ts';
import { Topology } from '../../../src/kernel/network/topology.ts';
import type { SimulateOptions } from '../../../src/simulator/plan/options.ts';
import { type Outcome, Run } from '../../../src/simulator/simulate.ts';
import { run } from '../laws.ts';
import { seeded, shuffled, somePositions } from '../orders.ts';
import type { Outcome as Expected } from '../reference-outcome.ts';
import type { Play } from '../ring/ring-runs.ts';
import { eccentricity, type Neighbours } from './graph.ts';

/** A plain implementation on adjacency lists, or its closed form. */
export type GraphReference = (
  neighbours: Neighbours,
  ids: readonly number[],
  initiators: readonly number[],
) => Expected;

export function neighboursIn(topology: Topology): number[][] {
  return Array.from({ length: topology.n }, (_, position) =>
    Array.from({ length: topology.degree(position) }, (_, port) => topology.neighbour(position, port)),
  );
}

/** In lockstep everything is determined: the leader, the counts by type, and all times. */
export function expectAsReference(
  algorithm: AnyAlgorithm,
  reference: GraphReference,
  options: SimulateOptions,
): Outcome {
  const { plan } = new Run(algorithm, options);
  const wanted = reference(neighboursIn(plan.topology), [...plan.ids], Array.from(plan.initiators));
  const outcome = run(algorithm, options);
  const { leader, messages, time } = outcome;
  const seen = [leader?.position, { ...messages.byType }, time.electedAt, time.agreedAt];
  const expected = [wanted.leader, wanted.byType, wanted.electedAt, wanted.agreedAt];
  if (JSON.stringify(seen) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(seen)}, not ${JSON.stringify(expected)}; replay: ${plan.replay}`);
  }
  return outcome;
}

function graphOf(n: number, edges: readonly (readonly [number, number])[]): Topology {
  const name = `edges:${edges.map((edge) => edge.join('-')).join(',')}`;
  return Topology.fromEdges(name, n, Int32Array.from(edges.flat()));
}

/** Every connected graph of n labelled nodes. */
export function* connectedGraphs(n: number): Generator<Topology> {
  const pairs: [number, number][] = [];
  for (let a = 0; a < n; a++) for (let b = a + 1; b < n; b++) pairs.push([a, b]);
  for (let chosen = 0; chosen < 2 ** pairs.length; chosen++) {
    const graph = graphOf(
      n,
      pairs.filter((_, index) => Math.floor(chosen / 2 ** index) % 2 === 1),
    );
    if (eccentricity(neighboursIn(graph), 0) < Number.POSITIVE_INFINITY) yield graph;
  }
}

/** Every tree of n labelled nodes: n^(n−2) of them, for n from 2. */
export function* labelledTrees(n: number): Generator<Topology> {
  for (const graph of connectedGraphs(n)) if (graph.edges === n - 1) yield graph;
}

const TREES = ['star', 'line', 'tree', 'random-tree'];

/** The names of all kinds of trees. */
export function treeKinds(): readonly string[] {
  return TREES;
}

/** The largest network of each kind, of every size from 1, that is compared with a reference. */
export const MAX_NODES = effort({ quick: 24, full: 64 });
/** Further sizes, for kinds with few links. */
export const LARGE_SIZES = effort({ quick: [1000], full: [1000, 4096] });

/** The names of all kinds of networks with n nodes. */
export function kindsOf(n: number): string[] {
  const most = (n * (n - 1)) / 2;
  const kinds = ['ring', ...TREES, `random:${Math.min(2 * n, most)}`];
  if (n <= 64) kinds.push('complete');
  if (Number.isInteger(Math.log2(n))) kinds.push('hypercube');
  for (let rows = 2; rows * rows <= n; rows++) {
    if (n % rows === 0) kinds.push(`grid:${rows}x${n / rows}`, `torus:${rows}x${n / rows}`);
  }
  return kinds;
}

/** References number ports by position; in a complete network they are in the order of the ids. */
export function idsOn(kind: string, n: number, seed: number): number[] {
  return kind === 'complete' ? Array.from({ length: n }, (_, i) => i + 1) : shuffled(n, seed);
}

/**
 * From the seeds 1..seeds in a full run: networks of the given kinds with up to `most` nodes, some of which initiate; every third
 * time they start late.
 */
export function* seededElections(
  seeds: number,
  most: number,
  kinds: (n: number) => readonly string[],
): Generator<{
  nodes: number;
  topology: string;
  seed: number;
  initiators: { position: number; time: number }[];
}> {
  for (let seed = 1; seed <= randomRuns(seeds); seed++) {
    const below = seeded(seed);
    const nodes = 1 + below(most);
    const possible = kinds(nodes);
    const initiators = somePositions(nodes, 1 + below(nodes), seed).map((position) => ({
      position,
      time: seed % 3 === 0 ? below(nodes) : 0,
    }));
    yield { nodes, topology: possible[below(possible.length)], seed, initiators };
  }
}

/**
 * Any tree of up to `most` nodes, in which each node is attached to an earlier one, with some additional edges.
 */
function anyTreeWith(
  most: number,
  besides: (n: number) => fc.Arbitrary<readonly [number, number][]>,
): fc.Arbitrary<Topology> {
  return fc.integer({ min: 1, max: most }).chain((n) =>
    fc
      .record({ tree: fc.tuple(...Array.from({ length: n - 1 }, (_, k) => fc.nat(k))), more: besides(n) })
      .map(({ tree, more }) => {
        const edges = new Set(tree.map((parent, k) => `${parent}-${k + 1}`));
        for (const [a, b] of more) if (a !== b) edges.add(`${Math.min(a, b)}-${Math.max(a, b)}`);
        return graphOf(
          n,
          [...edges].map((edge) => edge.split('-').map(Number) as [number, number]),
        );
      }),
  );
}

export const anyTree: fc.Arbitrary<Topology> = anyTreeWith(12, () => fc.constant([]));

export const anyGraph: fc.Arbitrary<Topology> = anyTreeWith(9, (n) =>
  fc.array(fc.tuple(fc.nat(n - 1), fc.nat(n - 1)), { maxLength: 2 * n }),
);

export const anyPlay: fc.Arbitrary<Play> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ picks: fc.array(fc.nat(60), { minLength: 1, maxLength: 100 }) }) },
  { weight: 1, arbitrary: fc.record({ starve: fc.nat(8) }) },
);
