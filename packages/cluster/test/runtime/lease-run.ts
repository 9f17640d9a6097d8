/** A run with random faults that is watched at every event: which members lead, at the same instant of true time. */
import { type ClusterOptions, SimulatedCluster } from '../simulated-cluster.ts';

export interface LeaseReport {
  readonly cluster: SimulatedCluster;
  /** The first instant at which two members led; null if there was none. */
  readonly overlap: string | null;
  /** Terms that a member led. */
  readonly terms: number;
  /** How often a member stopped leading. */
  readonly ends: number;
  readonly faults: readonly string[];
}

type Inflict = (cluster: SimulatedCluster, leader: number, other: number) => void;

/** Each lasts for a while; then the next one comes on top of it, or everything is healed. */
const FAULTS: Readonly<Record<string, Inflict>> = {
  'the leader is stopped': (cluster, leader) => cluster.pause(leader),
  // They are read when it continues.
  'the leader is stopped while answers are on their way': (cluster, leader) => {
    slowAnswers(cluster, leader, 400);
    cluster.time.after(500, () => cluster.pause(leader));
  },
  'its machine sleeps': (cluster, leader) => cluster.sleep(leader),
  'another is stopped': (cluster, _, other) => cluster.pause(other),
  'the leader starts again': restart,
  'another starts again': (cluster, _, other) => restart(cluster, other),
  'all others start again': (cluster, leader) => {
    for (const id of cluster.options.ids) if (id !== leader) restart(cluster, id);
  },
  // Both reach the rest.
  'the leader and another are cut': (cluster, leader, other) => cut(cluster, [leader], [other]),
  'the leader and another are cut, and all others start again and again': (cluster, leader, other) => {
    cut(cluster, [leader], [other]);
    for (let k = 1; k <= 8; k++)
      cluster.time.after(400 * k, () => {
        for (const id of cluster.living) if (id !== leader && id !== other) restart(cluster, id);
      });
  },
  'the leader is cut off': (cluster, leader) => cut(cluster, [leader], cluster.options.ids),
  'answers to the leader are slow': (cluster, leader) => slowAnswers(cluster, leader, 1_500),
  'one direction is cut': (cluster, leader, other) => {
    const [from, to] = cluster.random.chance(0.5) ? [leader, other] : [other, leader];
    cluster.network.cut(from, to);
  },
};

function slowAnswers(cluster: SimulatedCluster, leader: number, maxMs: number): void {
  for (const from of cluster.options.ids) cluster.network.slow(from, leader, cluster.random.below(maxMs));
}

/** A disk that does not last is lost, unless a majority would have forgotten then. */
function restart(cluster: SimulatedCluster, id: number): void {
  const { ephemeral, ids } = cluster.options;
  cluster.crash(id);
  const mayLose = 2 * cluster.forgetful.length < ids.length;
  if (ephemeral !== undefined && mayLose) cluster.loseDisk(id);
  cluster.start(id);
}

function cut(cluster: SimulatedCluster, some: readonly number[], others: readonly number[]): void {
  for (const a of some) {
    for (const b of others) {
      if (a === b) continue;
      cluster.network.cut(a, b);
      cluster.network.cut(b, a);
    }
  }
}

export async function leaseRun(options: ClusterOptions, count: number): Promise<LeaseReport> {
  const cluster = new SimulatedCluster(options);
  const { random, time } = cluster;
  const faults: string[] = [];
  let overlap: string | null = null;
  const leaders = (): number[] =>
    cluster.living.filter((id) => {
      // Nobody reads the clock of a machine that sleeps.
      const isAsleep = cluster.processes.get(id)?.clock.isAsleep;
      return !isAsleep && cluster.statusOf(id).role === 'leader';
    });
  const isViolated = (): boolean => {
    const both = leaders();
    if (both.length > 1) overlap ??= `at ${time.nowMs} ms, after ${faults.join(', ')}: ${both.join(' and ')}`;
    return overlap !== null;
  };
  cluster.startAll();
  await time.runUntil(5_000, isViolated);
  const names = Object.keys(FAULTS);
  for (let k = 0; k < count && overlap === null; k++) {
    const { ids } = options;
    const leader = leaders()[0] ?? ids[random.below(ids.length)];
    const rest = ids.filter((id) => id !== leader);
    const name = names[random.below(names.length)];
    faults.push(name);
    FAULTS[name](cluster, leader, rest[random.below(rest.length)]);
    if (await time.runUntil(time.nowMs + random.below(4_000), isViolated)) break;
    if (random.chance(0.4)) await heal(cluster, isViolated);
  }
  return {
    cluster,
    overlap,
    terms: new Set(
      cluster.events.flatMap(({ event }) =>
        event.type === 'leader' && event.role === 'leader' ? [event.term] : [],
      ),
    ).size,
    ends: endsOf(cluster),
    faults,
  };
}

async function heal(cluster: SimulatedCluster, isViolated: () => boolean): Promise<void> {
  cluster.network.heal();
  for (const id of cluster.options.ids) {
    cluster.resume(id);
    // At the first look, before anything else runs.
    isViolated();
    cluster.start(id);
  }
  await cluster.time.runUntil(cluster.time.nowMs + cluster.random.below(3_000), isViolated);
}

function endsOf({ events }: SimulatedCluster): number {
  const leads = new Set<number>();
  return events.filter(({ event, id }) => {
    if (event.type !== 'leader') return false;
    const hasLed = leads.delete(id);
    if (event.role === 'leader') leads.add(id);
    return hasLed && event.role !== 'leader';
  }).length;
}
