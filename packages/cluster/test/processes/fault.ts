/** The faults of a run: what each of them does to a cluster that is whole. `ProcessCluster.heal` undoes it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../study/src/kernel/random.ts';
import type { ProcessCluster } from './process-cluster.ts';
import { type ClusterTiming, leadLimitMs, longestTimeoutMs, recoveryBound } from './recovery-bound.ts';

export const FAULT_KINDS = [
  'kill -9 of the leader',
  'kill -9 of a follower',
  'kill -9 of two',
  'power loss of the leader',
  'stopped leader',
  'stopped follower',
  'restart of one',
  'restart of all',
  'full cut',
  'majority and minority',
  'one-way cut',
  'non-transitive cut',
  'non-transitive cut, voters restart',
  'slow links',
  'full disk',
  'clock jump',
  'half list',
] as const;

/** Where a majority is counted: without one, a member that has lost its folder breaks no promise. */
export const MAJORITY_FAULT_KINDS = [...FAULT_KINDS, 'lost folder'] as const;

export type FaultKind = (typeof MAJORITY_FAULT_KINDS)[number];

export interface Inflicted {
  readonly text: string;
  /** Whether the sides of the network must agree before the heal. */
  readonly mustAgree: boolean;
  /** How long the fault lasts at least. */
  readonly lastsMs: number;
}

/** Inflicts a fault. `wrongs` takes what a member does wrong in it. */
export async function inflict(
  cluster: ProcessCluster,
  kind: FaultKind,
  random: Random,
  timing: ClusterTiming,
  wrongs: string[],
): Promise<Inflicted> {
  const { ids, network } = cluster;
  const leader = cluster.leader ?? ids[random.below(ids.length)];
  const followers = shuffled(
    ids.filter((id) => id !== leader),
    random,
  );
  const [first, second] = followers;
  const target = random.chance(0.5) ? leader : first;
  const others = ids.filter((id) => id !== target);
  const fault = (text: string, mustAgree = true, lastsMs = 0): Inflicted => ({ text, mustAgree, lastsMs });
  const { detect } = recoveryBound(timing);
  /** Long enough to be noticed, and sometimes not. */
  const someMs = detect / 2 + random.below(detect);
  switch (kind) {
    case 'kill -9 of the leader':
      await cluster.kill(leader);
      return fault(`kill -9 of ${leader}`);
    case 'kill -9 of a follower':
      await cluster.kill(first);
      return fault(`kill -9 of ${first}`);
    case 'kill -9 of two':
      await cluster.kill(leader, first);
      return fault(`kill -9 of ${leader} and ${first}`);
    case 'power loss of the leader':
      // The others do not learn that its sockets are closed.
      for (const id of followers) network.cut(leader, id);
      await cluster.kill(leader);
      return fault(`power loss of ${leader}`);
    case 'stopped leader':
    case 'stopped follower': {
      const id = kind === 'stopped leader' ? leader : first;
      await cluster.member(id).pause();
      return fault(`SIGSTOP of ${id}`, true, longestTimeoutMs(timing));
    }
    case 'restart of one':
      await cluster.kill(target);
      await cluster.start(target);
      return fault(`restart of ${target}`);
    case 'restart of all':
      await cluster.kill(...ids);
      await cluster.startAll();
      return fault(kind);
    case 'full cut':
      for (const id of others) network.cut(target, id);
      return fault(`full cut of ${target}`, true, leadLimitMs(timing) ?? 0);
    case 'majority and minority': {
      const minority = random.chance(0.5) ? [leader, first] : [first, second];
      for (const a of minority) for (const b of ids) if (!minority.includes(b)) network.cut(a, b);
      return fault(`cut of ${minority.join(' and ')}`, true, leadLimitMs(timing) ?? 0);
    }
    case 'one-way cut': {
      const isSilent = random.chance(0.5);
      for (const id of others) network.hold(isSilent ? target : id, isSilent ? id : target);
      return fault(`one-way cut: ${target} ${isSilent ? 'is not heard' : 'hears nobody'}`, false, someMs);
    }
    case 'non-transitive cut':
      network.cut(leader, first);
      return fault(`cut between ${leader} and ${first} alone`, false, someMs);
    case 'non-transitive cut, voters restart': {
      network.cut(leader, first);
      const voters = followers.slice(1, 3);
      await sleep(random.below(detect));
      await cluster.kill(...voters);
      await cluster.startAll();
      return fault(
        `cut between ${leader} and ${first} alone, restart of ${voters.join(' and ')}`,
        false,
        someMs,
      );
    }
    case 'slow links': {
      const delayMs = timing.heartbeatMs * (1 + random.below(4));
      for (const a of ids)
        for (const b of ids) if (a !== b && random.chance(0.5)) network.slow(a, b, delayMs, delayMs);
      return fault(`slow links, ${delayMs} to ${2 * delayMs} ms`, false, someMs);
    }
    case 'full disk':
      return fault(await fullDisk(cluster, first, leader, timing, wrongs));
    case 'lost folder': {
      const lost = random.chance(0.5) ? [target] : [leader, first];
      await cluster.loseFolders(lost);
      return fault(`lost folder of ${lost.join(' and ')}`, true, someMs + (leadLimitMs(timing) ?? 0));
    }
    case 'clock jump': {
      const byMs = (random.chance(0.5) ? 1 : -1) * 3_600_000;
      cluster.member(target).jumpClock(byMs);
      return fault(`the clock of ${target} jumps by ${byMs} ms`);
    }
    case 'half list': {
      const text = await halfList(cluster, shuffled(ids, random), wrongs);
      // Those that did not refuse the list get the time to elect.
      return fault(text, true, cluster.hasAstray ? recoveryBound(timing).total : 0);
    }
  }
}

/** Two members are cut off, and get a list in which the two are a majority. Where no majority is counted they only restart. */
async function halfList(
  cluster: ProcessCluster,
  [first, second, third, ...rest]: readonly number[],
  wrongs: string[],
): Promise<string> {
  const few = [first, second];
  for (const id of few) for (const other of [third, ...rest]) cluster.network.cut(id, other);
  await cluster.kill(...few);
  if (!cluster.countsMajority) {
    await cluster.startAll();
    return `restart of ${few.join(' and ')}, cut off`;
  }
  for (const id of few) wrongs.push(...(await cluster.tryList(id, 2, [...few, third])));
  return `${few.join(' and ')} are cut off, with a list of ${[...few, third].join(', ')}`;
}

/** A member whose disk is full must stop with one line. The crash of the leader makes it write. */
async function fullDisk(
  cluster: ProcessCluster,
  id: number,
  leader: number,
  timing: ClusterTiming,
  wrongs: string[],
): Promise<string> {
  const member = cluster.member(id);
  member.fillDisk();
  await cluster.kill(leader);
  const late = sleep(recoveryBound(timing).total, null, { ref: false });
  const exit = await Promise.race([member.end, late]);
  if (exit === null) {
    wrongs.push(`member ${id} goes on although it cannot write`);
    await member.kill();
  } else if (exit.code !== 3 || !isOneLine(member.errors))
    wrongs.push(`member ${id} with a full disk ended with ${exit.code ?? exit.signal}: ${member.errors}`);
  return `full disk of ${id}, kill -9 of ${leader}`;
}

const isOneLine = (text: string): boolean =>
  /^hustings: (the recording .* cannot be written|member \d+ has stopped: .*): EFBIG[^\n]*\n$/.test(text);

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0]);
}

/** Faults `from` to `from + count` of a deck with all kinds, which is shuffled again and again. */
export function faultPlan(
  seed: number,
  count: number,
  from = 0,
  all: readonly FaultKind[] = FAULT_KINDS,
): FaultKind[] {
  const rounds = Math.ceil((from + count) / all.length);
  const random = new Random(seed, 'deck');
  const kinds = Array.from({ length: rounds }, () => shuffled(all, random)).flat();
  return kinds.slice(from, from + count);
}
