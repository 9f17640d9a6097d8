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
import { DEFAULT_NODES } from '../kernel/setup.ts';
import { formatMessage, type TraceEvent } from '../kernel/trace.ts';
import { Run } from './simulate.ts';

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
const MOST_MOMENTS = 10_000;

/** Runs an anonymous deterministic algorithm in lockstep and compares all nodes at every moment. */
export function symmetricRun(algorithm: AnyAlgorithm, options: SymmetricOptions = {}): SymmetricRun {
  const n = options.nodes ?? DEFAULT_NODES;
  const topology = symmetricNetwork(algorithm, n);
  const moments: SymmetricMoment[] = [];
  const seenAt = new Map<string, number>();
  const nodes = Array.from({ length: n }, blank);
  // With timers or a known time, equal states need not have equal futures.
  const { timers = [], assumes } = algorithm;
  const mayRecur = timers.length === 0 && !assumes.knows?.includes('time');
  let now = 0;
  let recurs: number | null = null;
  const close = (): void => {
    const text = nodes.map((node) => JSON.stringify(node));
    const other = text.findIndex((each) => each !== text[0]);
    if (other > 0) {
      throw new AsymmetryError(
        `nodes 0 and ${other} of ${algorithm.name} had equal states and differ at time ${now}: a handler must depend ` +
          'only on its state and message',
        'handler',
      );
    }
    recurs = (mayRecur ? seenAt.get(text[0]) : undefined) ?? null;
    seenAt.set(text[0], now);
    moments.push({ time: now, ...nodes[0] });
    nodes.forEach((node) => {
      node.sends = [];
    });
  };
  const observe = (event: TraceEvent): void => {
    if (recurs !== null) return;
    if (event.time > now) {
      close();
      now = event.time;
    }
    if (recurs === null) note(nodes[event.node], event);
  };
  const run = new Run(algorithm, {
    topology,
    set: options.set,
    observe,
    states: true,
    until: MOST_MOMENTS,
    despite: ['termination'],
  });
  run.simulation.machine.context.draw = () => {
    const text = `${algorithm.name} draws random numbers, which break the symmetry: it has no symmetric run`;
    throw new AsymmetryError(text, 'draws');
  };
  let isOver = false;
  while (!isOver && recurs === null) isOver = run.advance(n);
  if (recurs === null) close();
  const isOpen = recurs === null && run.simulation.cut;
  return {
    version: 1,
    algorithm: algorithm.name,
    params: run.plan.params,
    n,
    moments,
    end: recurs !== null ? 'never ends' : isOpen ? 'open' : ENDS[moments[moments.length - 1].decision],
    recurs,
    leaders: [...new Set(moments.map(({ decision }) => (decision === 'leader' ? n : 0)))],
  };
}

const ENDS = { leader: 'all lead', follower: 'all follow', undecided: 'nobody decides' } as const;

type NodeSummary = { -readonly [K in keyof Omit<SymmetricMoment, 'time'>]: SymmetricMoment[K] };

function blank(): NodeSummary {
  return { state: {}, decision: 'undecided', sends: [] };
}

function note(node: NodeSummary, event: TraceEvent): void {
  if (event.type === 'state') node.state = event.state;
  else if (event.type === 'decide') node.decision = event.role;
  else if (event.type === 'send') {
    node.sends = [...node.sends, { port: event.port, message: formatMessage(event.message) }];
  }
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
