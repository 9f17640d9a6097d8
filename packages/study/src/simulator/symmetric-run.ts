/**
 * The symmetric run: why anonymous nodes cannot elect a leader without random draws (Dana Angluin, Local and global
 * properties in networks of processors, 12th ACM Symposium on Theory of Computing, 1980).
 *
 * On a ring all nodes have the same view. If all start together in lockstep, nodes with equal states receive equal messages
 * on equal ports, and so have equal states after each round. So at every time all nodes lead or none does, and never
 * exactly one.
 *
 * Guarantees: runs an anonymous algorithm in this way, and compares the states, decisions and sent messages of all nodes at
 * every time, until the run ends or a configuration recurs. If there is no symmetric run, the error names the reason: ids,
 * random draws, another network, a single node.
 * Does not cover other runs: with other schedules the algorithm may elect a leader.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { InputError } from '../kernel/errors.ts';
import { Topology } from '../kernel/network/topology.ts';
import type { Setting } from '../kernel/params.ts';
import { DEFAULT_NODES, resolveSetup } from '../kernel/setup.ts';
import { formatMessage, type TraceEvent } from '../kernel/trace.ts';
import type { Step } from '../kernel/world/step.ts';
import { refuseFailure, World } from '../kernel/world/world.ts';
import { replayCommand } from './plan/replay-line.ts';

/** The size and limits of a symmetric run. */
export interface SymmetricOptions {
  /** The number of nodes, at least 2; 8 by default. */
  readonly nodes?: number | undefined;
  readonly set?: Readonly<Record<string, Setting>> | undefined;
}

/** The state of every node at one time, and what it sends. */
export interface SymmetricMoment {
  /** In units. */
  readonly time: number;
  readonly state: Readonly<Record<string, unknown>>;
  readonly decision: 'undecided' | 'leader' | 'follower';
  readonly sends: readonly { readonly port: number; readonly message: string }[];
}

/** A run in which all nodes are in the same state at every moment. */
export interface SymmetricRun {
  readonly version: 1;
  readonly algorithm: string;
  readonly params: Readonly<Record<string, Setting>>;
  readonly n: number;
  /** At each of these times all nodes have equal states. */
  readonly moments: readonly SymmetricMoment[];
  /** The outcome for all nodes; 'open' if the run was stopped at its limit. */
  readonly end: 'all lead' | 'all follow' | 'nobody decides' | 'never ends' | 'open';
  /** If the run never ends: the time of the configuration that recurs. */
  readonly recurs: number | null;
  /** The numbers of nodes that lead at some time; never 1. */
  readonly leaders: readonly number[];
}

/** Thrown if there is no symmetric run; `by` is what breaks the symmetry. */
export class AsymmetryError extends InputError {
  readonly by: 'ids' | 'draws' | 'network' | 'size' | 'handler';

  constructor(message: string, by: AsymmetryError['by']) {
    super(message, { code: 'HUSTINGS_ASYMMETRY' });
    this.by = by;
  }
}

/** The time at which the run is stopped. */
const MAX_MOMENTS = 10_000;

/** Runs an anonymous deterministic algorithm in lockstep and compares all nodes at every moment. */
export function symmetricRun(algorithm: AnyAlgorithm, options: SymmetricOptions = {}): SymmetricRun {
  const n = options.nodes ?? DEFAULT_NODES;
  const setup = resolveSetup(algorithm, { topology: symmetricNetwork(algorithm, n), set: options.set });
  const draw = (): never => {
    const text = `${algorithm.name} draws random numbers, which break the symmetry: it has no symmetric run`;
    throw new AsymmetryError(text, 'draws');
  };
  const world = new World(setup, { timing: 'synchronous', starts: 'together', draw });
  const take = (step: Step): readonly TraceEvent[] => {
    const outcome = world.apply(step);
    refuseFailure(world, outcome, replayCommand(algorithm.name, n));
    return outcome.events;
  };
  const isPending = (): boolean => world.rules.isPending(world.configuration);
  // With timers or a known time, equal states need not have equal futures.
  const { timers = [], assumes } = algorithm;
  const mayRecur = timers.length === 0 && !assumes.knows?.includes('time');
  const moments: SymmetricMoment[] = [];
  const seenAt = new Map<string, number>();
  let recurs: number | null = null;
  let events = Array.from({ length: n }, (_, node) => take({ type: 'start', node })).flat();
  while (events.length > 0 && recurs === null) {
    const time = world.configuration.clock;
    const moment = momentOf(world, events);
    const text = JSON.stringify(moment);
    recurs = (mayRecur ? seenAt.get(text) : undefined) ?? null;
    seenAt.set(text, time);
    moments.push({ time, ...moment });
    events = [];
    while (events.length === 0 && isPending() && world.configuration.clock < MAX_MOMENTS) {
      events = [...take({ type: 'round' })];
    }
  }
  return {
    version: 1,
    algorithm: algorithm.name,
    params: setup.params,
    n,
    moments,
    end: recurs !== null ? 'never ends' : isPending() ? 'open' : ENDS[moments[moments.length - 1].decision],
    recurs,
    leaders: [...new Set(moments.map(({ decision }) => (decision === 'leader' ? n : 0)))],
  };
}

const ENDS = { leader: 'all lead', follower: 'all follow', undecided: 'nobody decides' } as const;

/** What every node is now, and did in these events. */
function momentOf({ configuration, machine, setup }: World, events: readonly TraceEvent[]) {
  const sends = configuration.nodes.map((): SymmetricMoment['sends'][number][] => []);
  for (const event of events) {
    if (event.type === 'send')
      sends[event.node].push({ port: event.port, message: formatMessage(event.message) });
  }
  const nodes = sends.map((own, at) => ({
    state: machine.fieldsOf(at),
    decision: machine.decisions.read(at)?.role ?? ('undecided' as const),
    sends: own,
  }));
  const texts = nodes.map((node) => JSON.stringify(node));
  const other = texts.findIndex((text) => text !== texts[0]);
  if (other > 0) {
    throw new AsymmetryError(
      `nodes 0 and ${other} of ${setup.algorithm.name} had equal states and differ at time ` +
        `${configuration.clock}: a handler must depend only on its state and message`,
      'handler',
    );
  }
  return nodes[0];
}

/** A ring on which all nodes use the same port for the next node. */
function symmetricNetwork({ assumes, name }: AnyAlgorithm, n: number): Topology {
  if (assumes.ids !== 'anonymous') {
    throw new AsymmetryError(`${name} has ids, which break the symmetry: it has no symmetric run`, 'ids');
  }
  if (assumes.network === 'tree' || assumes.network === 'complete') {
    const text = `${name} assumes a ${assumes.network} network, and a symmetric run needs a ring`;
    throw new AsymmetryError(text, 'network');
  }
  if (!Number.isInteger(n) || n < 2 || n > 1000) {
    throw new AsymmetryError(`nodes of a symmetric run must be from 2 to 1000, not ${n}`, 'size');
  }
  return Topology.ring(n, { oneWay: assumes.network === 'one-way ring' });
}
