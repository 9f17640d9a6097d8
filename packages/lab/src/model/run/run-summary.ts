/** A run of a network that is too large to be drawn: its costs, the roles at its end, messages over time, hops. */

import { DEAD, FOLLOWER, LEADER } from '@hustings/study/driver';
import { TICKS } from '@hustings/study/internal/simulator/schedules/schedule';
import { type AnyAlgorithm, formatMessage } from '@hustings/study/kernel';
import { type Outcome, Run, type SimulateOptions } from '@hustings/study/simulator';

/** How far a simulation has come. */
export interface RunProgress {
  /** In units. */
  readonly time: number;
  readonly messages: number;
}

/** A run in figures. */
export interface RunSummary {
  readonly outcome: Outcome;
  readonly roles: Readonly<Record<'leader' | 'follower' | 'undecided' | 'crashed', number>>;
  /** Messages sent until each time, at most a few hundred points. */
  readonly overTime: readonly RunProgress[];
  /** How many messages were sent how often, unchanged: the hops of a token. Null above MAX_TRACED messages. */
  readonly hops: readonly { readonly hops: number; readonly count: number }[] | null;
}

/** Events between two reports. */
const STRIDE = 1 << 16;
/** Every other point is dropped above this number. */
const MAX_POINTS = 400;
/** A run with more messages is not traced for its hops. */
const MAX_TRACED = 300_000;

/** Simulates a run and summarises it. A violation is thrown. */
export function summarise(
  algorithm: AnyAlgorithm,
  options: SimulateOptions,
  report: (progress: RunProgress) => void = () => {},
): RunSummary {
  const run = new Run(algorithm, { ...options, invariants: 'none' });
  let points: RunProgress[] = [];
  let isOver = false;
  let stride = Math.max(64, Math.min(STRIDE, run.plan.nodes >> 3));
  while (!isOver) {
    isOver = run.advance(stride);
    const point = {
      time: Math.max(0, run.simulation.now) / TICKS,
      messages: sum(run.simulation.sentByType()),
    };
    points.push(point);
    report(point);
    if (points.length > MAX_POINTS) {
      points = points.filter((_, k) => k % 2 === 1);
      stride *= 2;
    }
  }
  const outcome = run.outcome();
  const isSmall = outcome.messages.total <= MAX_TRACED;
  return {
    outcome,
    roles: rolesOf(run),
    overTime: points,
    hops: isSmall ? hopsOf(algorithm, options) : null,
  };
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0);
}

function rolesOf({ plan, simulation }: Run): RunSummary['roles'] {
  const roles = { leader: 0, follower: 0, undecided: 0, crashed: 0 };
  const { decisions, status } = simulation.machine;
  for (let at = 0; at < plan.nodes; at++) {
    if ((status[at] & DEAD) !== 0) roles.crashed++;
    else if (decisions.roles[at] === LEADER) roles.leader++;
    else if (decisions.roles[at] === FOLLOWER) roles.follower++;
    else roles.undecided++;
  }
  return roles;
}

function hopsOf(algorithm: AnyAlgorithm, options: SimulateOptions): NonNullable<RunSummary['hops']> {
  const sent = new Map<string, number>();
  const run = new Run(algorithm, {
    ...options,
    invariants: 'none',
    observe: (event) => {
      if (event.type !== 'send') return;
      const text = formatMessage(event.message);
      sent.set(text, (sent.get(text) ?? 0) + 1);
    },
  });
  while (!run.advance());
  const counts = new Map<number, number>();
  for (const hops of sent.values()) counts.set(hops, (counts.get(hops) ?? 0) + 1);
  return [...counts].map(([hops, count]) => ({ hops, count })).sort((a, b) => a.hops - b.hops);
}
