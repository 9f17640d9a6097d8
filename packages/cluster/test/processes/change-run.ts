/**
 * Real processes of raft whose member list is changed by `hustings cluster add` and `remove`, one member at a time, while faults
 * happen by seed. After each change the faults are healed, the members must agree on the list and a leader, and a member that was
 * removed must end. At the end the answers and the recordings of the whole run are judged.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ended, startHustings } from '../../../../test-kit/command.ts';
import { Random } from '../../../study/src/kernel/random.ts';
import { ledAtOnce, sharedTokens } from './evidence.ts';
import { FAULT_KINDS, type FaultKind, faultPlan, inflict } from './fault.ts';
import { ProcessCluster } from './process-cluster.ts';
import { algorithmNamed } from './recovery-bound.ts';
import { judgeReplay } from './replayed.ts';

export interface ChangeRunPlan {
  readonly seed: number;
  readonly changes: number;
  /** Runs `hustings replay`. */
  replay(args: readonly string[]): Promise<Ended>;
}

export interface ChangeRun {
  /** One text for each change, with its fault. */
  readonly changes: readonly string[];
  readonly wrongs: readonly string[];
  /** Commands that were asked, and those that failed because of the fault and were repeated. */
  readonly asked: number;
  readonly repeated: number;
  /** Pairs of a member and a term. */
  readonly leaders: number;
  readonly steps: number;
  /** The median and the longest time from the heal to agreement. */
  readonly medianMs: number;
  readonly slowestMs: number;
}

const MIN_MEMBERS = 3;
const MAX_MEMBERS = 7;
/** Long enough for a busy machine: a change needs a leader that lasts while the command starts. */
const HEARTBEAT_MS = 250;
/** Far beyond every timeout, also on a busy machine. */
const WITHIN_MS = 120_000;
const POLL_MS = 20;

/** What happens during a change. A full disk ends a process for good. */
const FAULTS = FAULT_KINDS.filter((kind) => kind !== 'full disk');

interface ListChange {
  readonly type: 'add' | 'remove';
  readonly id: number;
}

export async function runChanges(plan: ChangeRunPlan): Promise<ChangeRun> {
  const { changes, seed } = plan;
  const later = Array.from({ length: changes }, (_, place) => 50 + place);
  const cluster = await ProcessCluster.start({
    args: ['--algorithm', 'raft', '--heartbeat', `${HEARTBEAT_MS}ms`, '--unit', `${HEARTBEAT_MS / 5}ms`],
    random: new Random(seed, 'network'),
    later,
  });
  try {
    const run = new Run(cluster, new Random(seed, 'changes'));
    await run.agree(performance.now(), 'the start');
    for (const kind of faultPlan(seed, changes, 0, FAULTS)) {
      await run.change(later, kind);
      // What follows would be about another list than the run expects.
      if (run.wrongs.length > 0) break;
    }
    await cluster.end();
    run.wrongs.push(...sharedTokens(cluster.leads), ...ledAtOnce(cluster.leads));
    const { steps, wrongs } = await judgeReplay(cluster.recordings, plan.replay);
    run.wrongs.push(...wrongs);
    return { ...run.report(), steps };
  } finally {
    await cluster.close();
  }
}

class Run {
  readonly wrongs: string[] = [];
  private readonly texts: string[] = [];
  private readonly times: number[] = [];
  private added = 0;
  private asked = 0;
  private repeated = 0;

  constructor(
    private readonly cluster: ProcessCluster,
    private readonly random: Random,
  ) {}

  async change(later: readonly number[], kind: FaultKind): Promise<void> {
    const { cluster, random } = this;
    const change = await this.begin(later);
    const { ids } = cluster;
    const asked = this.ask(change);
    await sleep(random.below(8 * HEARTBEAT_MS));
    const text = await this.fault(kind, change);
    const about = `${change.type} ${change.id} of ${ids.length}, ${text}`;
    this.texts.push(about);
    await sleep(random.below(20 * HEARTBEAT_MS));
    await this.heal(change);
    const healedMs = performance.now();
    // A majority has stored what a command has acknowledged: it is never lost, and need not be asked for again.
    const isKept = await asked;
    const expected = cluster.ids.filter((id) => change.type === 'add' || id !== change.id);
    await this.agree(healedMs, about, expected, isKept ? null : change);
    if (change.type === 'remove') await this.awaitEnd(change.id, about);
    process.stdout.write(`${about}: ${Math.round(performance.now() - healedMs)} ms\n`);
  }

  /**
   * Waits until these members use this list, and agree on a leader in one term. Until then a change that no command has
   * acknowledged is asked for again: a list that no majority has stored may be replaced by the next leader.
   */
  async agree(
    fromMs: number,
    after: string,
    expected: readonly number[] = this.cluster.ids,
    change: ListChange | null = null,
  ): Promise<void> {
    const { cluster } = this;
    const list = expected.toSorted((a, b) => a - b).join();
    const says = (): string[] =>
      expected.map((id) => {
        const { leader, members, token, version } = cluster.statusOf(id, fromMs) ?? {};
        return `${leader} leads ${members} in version ${version} with ${token}`;
      });
    const isAgreed = (): boolean => {
      const [first, ...others] = says();
      const leader = expected.find((id) => cluster.statusOf(id, fromMs)?.leads);
      return others.every((text) => text === first) && first.startsWith(`${leader} leads ${list} in`);
    };
    let isKept = change === null;
    while (!isAgreed()) {
      if (performance.now() > fromMs + WITHIN_MS) {
        this.wrongs.push(`no agreement on ${list} after ${after}: ${says().join('; ')}`);
        return;
      }
      if (!isKept && change !== null && this.isMissing(change)) {
        this.repeated++;
        isKept = await this.ask(change);
      }
      await sleep(POLL_MS);
    }
    this.times.push(performance.now() - fromMs);
  }

  report(): Omit<ChangeRun, 'steps'> {
    const { asked, repeated, texts: changes, wrongs } = this;
    const times = this.times.toSorted((a, b) => a - b);
    return {
      ...{ changes, wrongs, asked, repeated },
      leaders: new Set(this.cluster.leads.map(({ id, token }) => `${id} ${token}`)).size,
      medianMs: Math.round(times[times.length >> 1] ?? 0),
      slowestMs: Math.round(times.at(-1) ?? 0),
    };
  }

  /** Chooses a change; the process of a member that is to be added is up. */
  private async begin(later: readonly number[]): Promise<ListChange> {
    const { cluster, random } = this;
    const { ids } = cluster;
    const adds = ids.length <= MIN_MEMBERS || (ids.length < MAX_MEMBERS && random.chance(0.5));
    if (!adds) {
      const isLeader = random.chance(0.3);
      const id = (isLeader ? cluster.leader : undefined) ?? ids[random.below(ids.length)];
      return { type: 'remove', id };
    }
    const id = later[this.added++];
    await cluster.join(id);
    return { type: 'add', id };
  }

  /** Asks the leader by the command; true if the command says that a majority has the new list. */
  private async ask({ id, type }: ListChange): Promise<boolean> {
    const { cluster } = this;
    const { leader } = cluster;
    if (leader === undefined) return false;
    const node = ['--node', cluster.member(leader).url ?? '', '--token-file', this.tokenFile(leader)];
    const address = type === 'add' ? [cluster.network.addressOf(id)] : [];
    this.asked++;
    const { status } = await startHustings(['cluster', type, `${id}`, ...address, ...node]).ended;
    return status === 0;
  }

  /** Whether there is a leader, and its list lacks this change. */
  private isMissing({ id, type }: ListChange): boolean {
    const { leader } = this.cluster;
    const members = leader === undefined ? undefined : this.cluster.statusOf(leader)?.members;
    return members !== undefined && members.includes(id) !== (type === 'add');
  }

  /** A fault may start the removed member again, after it has ended. */
  private async fault(kind: FaultKind, change: ListChange): Promise<string> {
    const { cluster, random, wrongs } = this;
    const algorithm = algorithmNamed('raft');
    const timing = { algorithm, members: cluster.ids, heartbeatMs: HEARTBEAT_MS, leaseMs: null };
    let text: string = kind;
    await this.startingRemoved(change, async () => {
      ({ text } = await inflict(cluster, kind, random, timing, wrongs));
    });
    return text;
  }

  /** Undoes the fault. */
  private async heal(change: ListChange): Promise<void> {
    const { cluster } = this;
    if (change.type === 'remove' && !cluster.member(change.id).isRunning) {
      const { code } = await cluster.member(change.id).end;
      if (code === 0) cluster.forget(change.id);
    }
    await this.startingRemoved(change, () => cluster.heal());
  }

  /** A member that knows that it was removed does not start. */
  private async startingRemoved(change: ListChange, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (change.type === 'add' || !/ was removed from the cluster/.test(String(error))) throw error;
      this.cluster.forget(change.id);
    }
  }

  /**
   * The process of a removed member ends by itself, with exit code 0. One that a fault has started again with `--join`, after it
   * had stored the new list, waits to be added again.
   */
  private async awaitEnd(id: number, about: string): Promise<void> {
    const { cluster } = this;
    if (!cluster.ids.includes(id)) return;
    const member = cluster.member(id);
    const untilMs = performance.now() + WITHIN_MS;
    const isDone = (): boolean => !member.isRunning || cluster.statusOf(id)?.state === 'joining';
    while (!isDone() && performance.now() < untilMs) await sleep(POLL_MS);
    cluster.forget(id);
    if (!isDone()) this.wrongs.push(`${about}: member ${id} has not ended within ${WITHIN_MS} ms`);
    if (member.isRunning) return void (await member.kill());
    const { code } = await member.end;
    if (code !== 0) this.wrongs.push(`${about}: member ${id} ended with ${code}: ${member.errors}`);
  }

  private tokenFile(id: number): string {
    return join(this.cluster.stateFolder(id), 'http-token');
  }
}
