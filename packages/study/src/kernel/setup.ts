/**
 * Resolves the network, the ids and the parameters of a run or a search from its options.
 *
 * Guarantees: every default is filled in, and every invalid option is refused, before anything runs. Does not check the
 * assumptions of the algorithm about the network; see network-fit.ts.
 */
import type { AnyAlgorithm } from './algorithm.ts';
import { checkDefinition } from './definition.ts';
import { InputError } from './errors.ts';
import { MAX_WORD } from './field.ts';
import { checkUnderlay } from './network/network-fit.ts';
import { checkNodes, Topology } from './network/topology.ts';
import {
  buildTopology,
  checkConnected,
  diameter,
  nodesOf,
  parseTopologyName,
} from './network/topology-names.ts';
import { resolveParams, type Setting } from './params.ts';
import { checkSeed, Random } from './random.ts';

/** The columns of a run of this size take a few gigabytes. */
export const MAX_NODES = 1 << 25;

/** The number of nodes if neither ids nor the network determine it. */
export const DEFAULT_NODES = 8;
/** The seed if none is given. */
export const DEFAULT_SEED = 1;

/** The order of the ids by position. */
export type Order = 'ascending' | 'descending' | 'random';

/** The network, ids and parameters of a run, as given by the user. */
export interface SetupOptions {
  /** The number of nodes. The default is the number of ids, the size of the network, or 8. */
  readonly nodes?: number | undefined;
  /** The ids by position, instead of `nodes` and `order`; or 'anonymous' for nodes without ids. */
  readonly ids?: readonly number[] | Int32Array | 'anonymous' | undefined;
  /** The order of the ids 1 to n by position, clockwise on a ring; random by default. */
  readonly order?: Order | undefined;
  /** The name of a network such as 'grid:3x4', or a network; by default the one that the algorithm assumes. */
  readonly topology?: string | Topology | undefined;
  /** The text of the file for a topology 'edges:FILE'. */
  readonly edgeText?: string | undefined;
  readonly seed?: number | undefined;
  /** The parameters of the algorithm. */
  readonly set?: Readonly<Record<string, Setting>> | undefined;
}

/** The network, ids and parameters of a run, complete and checked. */
export interface Setup {
  readonly algorithm: AnyAlgorithm;
  readonly params: Readonly<Record<string, Setting>>;
  readonly topology: Topology;
  /** The network without the overlay. As the option `topology` it gives the same setup. */
  readonly underlay: Topology;
  /** The n of the algorithm. An overlay may have more positions. */
  readonly nodes: number;
  /** 0 unless the algorithm assumes to know the diameter. */
  readonly diameter: number;
  /** The ids of the nodes, by position, without auxiliary processes. */
  readonly ids: Int32Array;
  readonly anonymous: boolean;
  readonly seed: number;
}

/** Fills in all defaults. `defaultNodes` applies if neither the nodes, the ids nor the network determine the size. */
export function resolveSetup(
  algorithm: AnyAlgorithm,
  options: SetupOptions,
  defaultNodes = DEFAULT_NODES,
): Setup {
  checkDefinition(algorithm);
  const seed = options.seed ?? DEFAULT_SEED;
  checkSeed(seed);
  const given = options.ids === undefined || options.ids === 'anonymous' ? null : checkIds(options.ids);
  if (given !== null && options.nodes !== undefined && options.nodes !== given.length) {
    throw new InputError(
      `nodes must be the number of ids, ${given.length}, not ${options.nodes}: give one of them`,
    );
  }
  const wanted = given?.length ?? options.nodes ?? null;
  if (wanted !== null) checkNodes(wanted, MAX_NODES);
  const underlay = chooseNetwork(algorithm, options, wanted, given, seed, defaultNodes);
  const nodes = underlay.n;
  const params = resolveParams(algorithm.name, algorithm.params, nodes, options.set ?? {});
  const topology = algorithm.overlay === undefined ? underlay : overlayOn(algorithm, underlay, params);
  const ids = given ?? orderedIds(nodes, checkOrder(options.order), seed);
  const setup = {
    algorithm,
    params,
    topology,
    underlay,
    nodes,
    diameter: algorithm.assumes.knows?.includes('diameter') ? diameter(topology) : 0,
    ids,
    anonymous: options.ids === 'anonymous' || algorithm.assumes.ids === 'anonymous',
    seed,
  };
  return withIds(setup, ids);
}

/** The same setup with other ids at its positions. */
export function withIds(setup: Setup, ids: Int32Array): Setup {
  const { algorithm, topology } = setup;
  const isById = algorithm.overlay === undefined && portsById(algorithm, topology);
  return { ...setup, ids, topology: isById ? Topology.complete(ids) : topology };
}

/** Builds the overlay. Positions from n on are auxiliary processes. */
function overlayOn(algorithm: AnyAlgorithm, underlay: Topology, params: Setup['params']): Topology {
  checkUnderlay(algorithm, underlay);
  const topology = algorithm.overlay?.(underlay.n, params as never) ?? underlay;
  if (topology.n < underlay.n) {
    throw new InputError(
      `algorithm ${algorithm.name}: its overlay must have at least ${underlay.n} positions, not ${topology.n}`,
    );
  }
  checkConnected(topology);
  return topology;
}

/**
 * The ports of a complete network are ordered by id, and the ids are known only after the network is built. An algorithm
 * that assumes a complete network gets this order even if the network has another name.
 */
function portsById({ assumes }: AnyAlgorithm, { edges, kind, n }: Topology): boolean {
  return kind === 'complete' || (assumes.network === 'complete' && edges === (n * (n - 1)) / 2);
}

function checkIds(ids: readonly number[] | Int32Array): Int32Array {
  if (ids.length === 0) throw new InputError('ids must not be empty: give at least one, as in 5,3,8,1');
  const seen = new Set<number>();
  for (const id of ids) {
    if (!Number.isInteger(id) || id < 0 || id > MAX_WORD) {
      throw new InputError(`an id must be a whole number from 0 to ${MAX_WORD}, not ${id}`);
    }
    if (seen.has(id)) throw new InputError(`ids must differ, and ${id} is given twice`);
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

/** The network of the options, or the default of the algorithm: a ring, a complete network, a random tree or graph. */
function chooseNetwork(
  algorithm: AnyAlgorithm,
  options: SetupOptions,
  wanted: number | null,
  given: Int32Array | null,
  seed: number,
  defaultNodes: number,
): Topology {
  const { network } = algorithm.assumes;
  if (options.topology instanceof Topology) {
    const n = options.topology.n;
    checkConnected(options.topology);
    if (wanted !== null && wanted !== n)
      throw new InputError(`nodes must be ${n}, the size of the network, not ${wanted}`);
    return options.topology;
  }
  const n = wanted ?? defaultNodes;
  const named = options.topology ?? defaultTopologyName(network, n);
  const spec = parseTopologyName(named);
  const fixed = spec.shape === 'edges' ? wanted : (wanted ?? nodesOf(spec) ?? n);
  if (fixed !== null) checkNodes(fixed, MAX_NODES);
  const onRing = network === 'ring' || network === 'one-way ring';
  return buildTopology(spec, fixed, new Random(seed, 'topology'), {
    ids: given ?? undefined,
    edgeText: options.edgeText,
    asGraph: !onRing,
    oneWay: network === 'one-way ring' && spec.shape === 'ring',
  });
}

const DEFAULT_NETWORK: Readonly<Record<string, (n: number) => string>> = {
  'one-way ring': () => 'ring',
  ring: () => 'ring',
  tree: () => 'random-tree',
  connected: (n) => `random:${Math.min(2 * n, (n * (n - 1)) / 2)}`,
  complete: () => 'complete',
};

/** The name of the network that an algorithm gets if none is given. */
export function defaultTopologyName(network: string, n: number): string {
  return DEFAULT_NETWORK[network](n);
}

/** The positions that are crashed at the start: the largest id, if the trigger is a dead coordinator. */
export function deadAtFirst({ trigger }: AnyAlgorithm, ids: Int32Array): number[] {
  if (trigger !== 'coordinator dead' || ids.length < 2) return [];
  return [ids.indexOf(ids.reduce((most, id) => Math.max(most, id)))];
}
