/**
 * The symmetric run: why nodes without ids cannot elect unless they draw lots (Dana Angluin, Local and global properties
 * in networks of processors, 12th ACM Symposium on Theory of Computing, 1980).
 *
 * On a ring every node sees the same as every other. If all start together and every message takes one unit, nodes that
 * were alike before a moment get the same messages on the same ports, and do the same: they are alike after it. So at
 * every moment all lead or nobody does, and never exactly one.
 *
 * Guarantees: this runs any algorithm for anonymous nodes that way, and compares all nodes, their states, decisions and
 * what they send, at every moment of the run; to its end, or until a moment comes back, from where all repeats itself.
 * It says what broke the symmetry where there is none: ids, lots, another network, a single node.
 * Does not speak of other runs: in some of them the algorithm may elect, by luck of the schedule.
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
  /** 8 unless it says otherwise; at least 2. */
  readonly nodes?: number | undefined;
  readonly set?: Readonly<Record<string, Setting>> | undefined;
}

/** What every node is and does at a moment. */
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
  /** At each of them all nodes are alike. */
  readonly moments: readonly SymmetricMoment[];
  /** What becomes of all; 'open' if the run was left while it went on. */
  readonly end: 'all lead' | 'all follow' | 'nobody decides' | 'for ever' | 'open';
  /** For ever: the last moment is that of this time again. */
  readonly recurs: number | null;
  /** How many nodes lead, at one moment or another; never 1. */
  readonly leaders: readonly number[];
}

/** Thrown where there is no symmetric run; `by` is what tells the nodes apart. */
export class AsymmetryError extends InputError {
  readonly by: 'ids' | 'draws' | 'network' | 'size' | 'handler';

  constructor(message: string, by: AsymmetryError['by']) {
    super(message, { code: 'HUSTINGS_ASYMMETRY' });
    this.by = by;
  }
}

/** Moments after which a run is left. */
const MOST_MOMENTS = 10_000;

/** Runs an anonymous deterministic algorithm in lockstep and compares all nodes at every moment. */
export function symmetricRun(algorithm: AnyAlgorithm, options: SymmetricOptions = {}): SymmetricRun {
  const n = options.nodes ?? DEFAULT_NODES;
  const topology = symmetricNetwork(algorithm, n);
  const moments: SymmetricMoment[] = [];
  const seenAt = new Map<string, number>();
  const nodes = Array.from({ length: n }, blank);
  // Where timers run or the time is known, a moment that looks the same need not go on in the same way.
  const { timers = [], assumes } = algorithm;
  const mayRecur = timers.length === 0 && !assumes.knows?.includes('time');
  let now = 0;
  let recurs: number | null = null;
  const close = (): void => {
    const text = nodes.map((node) => JSON.stringify(node));
    const other = text.findIndex((each) => each !== text[0]);
    if (other > 0) {
      throw new AsymmetryError(
        `nodes 0 and ${other} of ${algorithm.name} were alike and differ at time ${now}: a handler must depend on its ` +
          'state and message alone',
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
    const text = `${algorithm.name} draws lots, which break the symmetry: it has no symmetric run`;
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
    end: recurs !== null ? 'for ever' : isOpen ? 'open' : ENDS[moments[moments.length - 1].decision],
    recurs,
    leaders: [...new Set(moments.map(({ decision }) => (decision === 'leader' ? n : 0)))],
  };
}

const ENDS = { leader: 'all lead', follower: 'all follow', undecided: 'nobody decides' } as const;

type Alike = { -readonly [K in keyof Omit<SymmetricMoment, 'time'>]: SymmetricMoment[K] };

function blank(): Alike {
  return { state: {}, decision: 'undecided', sends: [] };
}

function note(node: Alike, event: TraceEvent): void {
  if (event.type === 'state') node.state = event.state;
  else if (event.type === 'decide') node.decision = event.role;
  else if (event.type === 'send') {
    node.sends = [...node.sends, { port: event.port, message: formatMessage(event.message) }];
  }
}

/** A ring on which all nodes call the next one by the same port. */
function symmetricNetwork({ assumes, name }: AnyAlgorithm, n: number): Topology {
  if (assumes.ids !== 'anonymous') {
    throw new AsymmetryError(`${name} has ids, which break the symmetry: it has no symmetric run`, 'ids');
  }
  if (assumes.network === 'tree' || assumes.network === 'complete') {
    const text = `${name} assumes a ${assumes.network} network: symmetric runs are on rings`;
    throw new AsymmetryError(text, 'network');
  }
  if (!Number.isInteger(n) || n < 2 || n > 1000) {
    throw new AsymmetryError(`a symmetric run has 2 to 1000 nodes, not ${n}`, 'size');
  }
  return Topology.ring(n, { oneWay: assumes.network === 'one-way ring' });
}
