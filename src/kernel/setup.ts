/**
 * The network, the ids and the parameters that an algorithm runs on, whoever runs it. Fills in every default, and
 * refuses what cannot be.
 */
import type { AnyAlgorithm } from './algorithm.ts';
import { checkDefinition } from './definition.ts';
import { AssumptionError, InputError } from './errors.ts';
import { MAX_WORD } from './field.ts';
import { networkProblem, shapeNeeded } from './network/network-fit.ts';
import { Topology } from './network/topology.ts';
import {
  buildTopology,
  checkConnected,
  diameter,
  nodesOf,
  parseTopologyName,
} from './network/topology-names.ts';
import { resolveParams, type Setting } from './params.ts';
import { Random } from './random.ts';

/** Room for the columns of a run within a few gigabytes. */
export const MOST_NODES = 1 << 25;

/** The number of nodes if neither ids nor the network determine it. */
export const DEFAULT_NODES = 8;
/** The seed if none is given. */
export const DEFAULT_SEED = 1;

/** The order of the ids by position. */
export type Order = 'ascending' | 'descending' | 'random';

/** The network, ids and parameters of a run, as given by the user. */
export interface SetupOptions {
  /** 8 unless ids or the network say otherwise. */
  readonly nodes?: number | undefined;
  /** By position; instead of nodes and order. 'anonymous' gives nobody an id. */
  readonly ids?: readonly number[] | Int32Array | 'anonymous' | undefined;
  /** Of the ids 1..n by position, clockwise on a ring; random by default. */
  readonly order?: Order | undefined;
  /** A name as the command line takes it, or a network; by default the algorithm's own. */
  readonly topology?: string | Topology | undefined;
  /** The text of the file, for topology 'edges:FILE'. */
  readonly edgeText?: string | undefined;
  readonly seed?: number | undefined;
  /** Parameters of the algorithm. */
  readonly set?: Readonly<Record<string, Setting>> | undefined;
}

/** The network, ids and parameters of a run, complete and checked. */
export interface Setup {
  readonly algorithm: AnyAlgorithm;
  readonly params: Readonly<Record<string, Setting>>;
  readonly topology: Topology;
  /** The network that was asked for: what an overlay is laid on. Given as `topology` it makes the same stage again. */
  readonly underlay: Topology;
  /** What the algorithm calls n; an overlay may have positions beyond it. */
  readonly nodes: number;
  /** 0 unless the algorithm assumes to know it. */
  readonly diameter: number;
  /** By position, of the nodes alone. */
  readonly ids: Int32Array;
  readonly anonymous: boolean;
  readonly seed: number;
}

/** Fills in all defaults and refuses impossible combinations. */
export function resolveSetup(algorithm: AnyAlgorithm, options: SetupOptions): Setup {
  checkDefinition(algorithm);
  const seed = options.seed ?? DEFAULT_SEED;
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new InputError(`seed must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}, not ${seed}`);
  }
  const given = options.ids === undefined || options.ids === 'anonymous' ? null : checkIds(options.ids);
  if (given !== null && options.nodes !== undefined && options.nodes !== given.length) {
    throw new InputError(`${given.length} ids for ${options.nodes} nodes: give --nodes or --ids, not both`);
  }
  const wanted = given?.length ?? options.nodes ?? null;
  if (wanted !== null) checkNodes(wanted);
  const underlay = chooseNetwork(algorithm, options, wanted, given, seed);
  const nodes = underlay.n;
  const params = resolveParams(algorithm.name, algorithm.params, nodes, options.set ?? {});
  const topology = algorithm.overlay === undefined ? underlay : overlayOn(algorithm, underlay, params);
  const ids = given ?? orderedIds(nodes, checkOrder(options.order), seed);
  return {
    algorithm,
    params,
    topology:
      algorithm.overlay === undefined && portsById(algorithm, topology) ? Topology.complete(ids) : topology,
    underlay,
    nodes,
    diameter: algorithm.assumes.knows?.includes('diameter') ? diameter(topology) : 0,
    ids,
    anonymous: options.ids === 'anonymous' || algorithm.assumes.ids === 'anonymous',
    seed,
  };
}

/** The algorithm's own links. Positions beyond the nodes are processes that no election is about. */
function overlayOn(algorithm: AnyAlgorithm, underlay: Topology, params: Setup['params']): Topology {
  const needed = shapeNeeded(algorithm, underlay);
  if (needed !== null) throw new AssumptionError(networkProblem(algorithm, underlay, needed), 'network');
  const topology = algorithm.overlay?.(underlay.n, params as never) ?? underlay;
  if (topology.n < underlay.n) {
    throw new InputError(
      `algorithm ${algorithm.name}: its overlay has ${topology.n} positions for ${underlay.n} nodes`,
    );
  }
  checkConnected(topology);
  return topology;
}

/**
 * Ports of a complete network go by id, and the ids are known only now. An algorithm that assumes such a network gets
 * its ports in that order under whatever name the network came.
 */
function portsById({ assumes }: AnyAlgorithm, { edges, kind, n }: Topology): boolean {
  return kind === 'complete' || (assumes.network === 'complete' && edges === (n * (n - 1)) / 2);
}

function checkNodes(n: number): void {
  if (!Number.isInteger(n) || n < 1 || n > MOST_NODES) {
    throw new InputError(`nodes must be an integer from 1 to ${MOST_NODES}, not ${n}`);
  }
}

function checkIds(ids: readonly number[] | Int32Array): Int32Array {
  if (ids.length === 0) throw new InputError('ids are empty: give at least one, as in 5,3,8,1');
  const seen = new Set<number>();
  for (const id of ids) {
    if (!Number.isInteger(id) || id < 0 || id > MAX_WORD) {
      throw new InputError(`an id must be an integer from 0 to ${MAX_WORD}, not ${id}`);
    }
    if (seen.has(id)) throw new InputError(`id ${id} is given twice: ids must differ`);
    seen.add(id);
  }
  return Int32Array.from(ids);
}

const ORDERS: readonly Order[] = ['ascending', 'descending', 'random'];

function checkOrder(order: Order | undefined): Order {
  if (order === undefined) return 'random';
  if (!ORDERS.includes(order))
    throw new InputError(`order must be one of ${ORDERS.join(', ')}, not '${order}'`);
  return order;
}

function orderedIds(n: number, order: Order, seed: number): Int32Array {
  const ids = new Int32Array(n);
  for (let at = 0; at < n; at++) ids[at] = order === 'descending' ? n - at : at + 1;
  if (order === 'random') new Random(seed, 'order').shuffle(ids);
  return ids;
}

/** The network asked for, or the algorithm's own: a ring, a complete network, a random tree or graph. */
function chooseNetwork(
  algorithm: AnyAlgorithm,
  options: SetupOptions,
  wanted: number | null,
  given: Int32Array | null,
  seed: number,
): Topology {
  const { network } = algorithm.assumes;
  if (options.topology instanceof Topology) {
    const n = options.topology.n;
    checkConnected(options.topology);
    if (wanted !== null && wanted !== n) throw new InputError(`${wanted} nodes for a network of ${n}`);
    return options.topology;
  }
  const n = wanted ?? DEFAULT_NODES;
  const named = options.topology ?? OWN_NETWORK[network](n);
  const spec = parseTopologyName(named);
  const fixed = spec.shape === 'edges' ? wanted : (wanted ?? nodesOf(spec) ?? n);
  if (fixed !== null) checkNodes(fixed);
  const onRing = network === 'ring' || network === 'one-way ring';
  return buildTopology(spec, fixed, new Random(seed, 'topology'), {
    ids: given ?? undefined,
    edgeText: options.edgeText,
    asGraph: !onRing,
    oneWay: network === 'one-way ring' && spec.shape === 'ring',
  });
}

const OWN_NETWORK: Readonly<Record<string, (n: number) => string>> = {
  'one-way ring': () => 'ring',
  ring: () => 'ring',
  tree: () => 'random-tree',
  connected: (n) => `random:${Math.min(2 * n, (n * (n - 1)) / 2)}`,
  complete: () => 'complete',
};

/** Positions that are dead from the beginning: where the occasion is a dead coordinator, the one with the largest id. */
export function deadAtFirst({ trigger }: AnyAlgorithm, ids: Int32Array): number[] {
  if (trigger !== 'coordinator dead' || ids.length < 2) return [];
  return [ids.indexOf(ids.reduce((most, id) => Math.max(most, id)))];
}
