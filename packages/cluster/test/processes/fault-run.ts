/** Real processes through faults by seed: agreement within the bound, then what answers and recordings prove. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended } from '../../../../test-kit/command.ts';
import { Random } from '../../../study/src/kernel/random.ts';
import { defaultUnitMs } from '../../src/runtime/member-options.ts';
import { isEndless } from '../../src/view/overlay.ts';
import { ledAtOnce, ledIn, sharedTokens } from './evidence.ts';
import { type FaultKind, inflict } from './fault.ts';
import { type CountedEpochs, countEpochs } from './message-counts.ts';
import { IDS, ProcessCluster } from './process-cluster.ts';
import { ProcessorWatch } from './processor-watch.ts';
import { algorithmNamed, type ClusterTiming, leadLimitMs, recoveryBound } from './recovery-bound.ts';
import { judgeReplay } from './replayed.ts';

export interface FaultRunPlan {
  readonly algorithm: string;
  /** With a quorum gate. */
  readonly quorum: boolean;
  /** Folders do not last. */
  readonly isEphemeral?: boolean | undefined;
  readonly seed: number;
  readonly kinds: readonly FaultKind[];
  readonly heartbeatMs?: number | undefined;
  readonly leaseMs?: number | undefined;
  /** Runs `hustings replay`. */
  replay(args: readonly string[]): Promise<Ended>;
}

export interface FaultRun {
  readonly faults: readonly string[];
  readonly wrongs: readonly string[];
  readonly boundMs: number;
  /** The longest time to agreement in which no member waited for a processor, and what it followed. */
  readonly slowestMs: number;
  readonly slowest: string;
  /** The longest of all. */
  readonly slowestOfAllMs: number;
  /** The share of times in which a member waited for a processor. */
  readonly disturbed: number;
  /** The median of the times to agreement. */
  readonly medianMs: number;
  readonly leaders: number;
  readonly steps: number;
  /** Null in a run without epochs. */
  readonly epochs: CountedEpochs | null;
  readonly seconds: number;
}

/** How long agreement must last to count, in heartbeats. */
const STEADY_HEARTBEATS = 6;
const POLL_MS = 10;
/** A machine that is busy all the time shows nothing. */
const MAX_BOUNDS = 6;

export async function runFaults(plan: FaultRunPlan): Promise<FaultRun> {
  const startedMs = performance.now();
  const { heartbeatMs = 50, isEphemeral = false, leaseMs = 500, quorum, seed } = plan;
  const algorithm = algorithmNamed(plan.algorithm);
  const random = new Random(seed, `faults of ${plan.algorithm}`);
  const gateMs = quorum ? leaseMs : null;
  const timing: ClusterTiming = { algorithm, members: IDS, heartbeatMs, leaseMs: gateMs, isEphemeral };
  const gate = quorum ? ['--quorum', '--lease', `${leaseMs}ms`] : [];
  const hasLease = !quorum && leadLimitMs(timing) !== null;
  // Two heartbeats, as in the bound.
  const unit = hasLease ? ['--unit', `${defaultUnitMs({ algorithm, members: IDS }, heartbeatMs)}ms`] : [];
  const cluster = await ProcessCluster.start({
    args: ['--algorithm', plan.algorithm, '--heartbeat', `${heartbeatMs}ms`, ...unit, ...gate],
    random: new Random(seed, 'network'),
    countsMajority: leadLimitMs(timing) !== null,
    isEphemeral,
  });
  const watch = new ProcessorWatch(heartbeatMs / 2, () => cluster.living.map((id) => cluster.member(id).pid));
  try {
    const run = new Run(cluster, timing, watch);
    await run.agree('the start', performance.now());
    await run.faultsOf(plan.kinds, random);
    await cluster.end();
    run.judgeAnswers();
    const recorded = await run.judgeRecordings(plan);
    return { ...run.report(), ...recorded, seconds: (performance.now() - startedMs) / 1_000 };
  } finally {
    watch.close();
    await cluster.close();
  }
}

class Run {
  private readonly wrongs: string[] = [];
  private readonly faults: string[] = [];
  private readonly times: { readonly ms: number; readonly after: string; readonly isDisturbed: boolean }[] =
    [];
  private readonly boundMs: number;

  constructor(
    private readonly cluster: ProcessCluster,
    private readonly timing: ClusterTiming,
    private readonly watch: ProcessorWatch,
  ) {
    this.boundMs = recoveryBound(timing).total;
  }

  /** A member that does not start again ends the run; what was seen before is judged. */
  async faultsOf(kinds: readonly FaultKind[], random: Random): Promise<void> {
    try {
      for (const kind of kinds) await this.fault(kind, random);
    } catch (error) {
      this.wrongs.push(`${error}`);
    }
  }

  private async fault(kind: FaultKind, random: Random): Promise<void> {
    const { cluster, timing, wrongs } = this;
    const { lastsMs, mustAgree, text } = await inflict(cluster, kind, random, timing, wrongs);
    const inflictedMs = performance.now();
    this.faults.push(text);
    if (mustAgree) await this.agree(text, inflictedMs);
    await sleep(Math.max(0, inflictedMs + lastsMs - performance.now()));
    // A listener is connected for the moment until it hears that it is refused.
    for (const id of cluster.strangers) {
      const { folder, leader } = cluster.statusOf(id) ?? {};
      if (leader !== null || folder?.isRecorded !== false)
        wrongs.push(`member ${id} without its folder has the leader ${leader}, ${JSON.stringify(folder)}`);
    }
    const limitMs = leadLimitMs(timing);
    const minorities = (cluster.sides ?? []).filter((side) => 2 * side.length <= cluster.ids.length);
    const untilMs = performance.now();
    await cluster.heal();
    if (limitMs !== null)
      wrongs.push(...ledIn(minorities.flat(), inflictedMs + limitMs, untilMs, cluster.leads));
    await this.agree(`heal of ${text}`, performance.now());
  }

  /** Waits until each side agrees, and goes on agreeing for a while. */
  async agree(after: string, fromMs: number): Promise<void> {
    const { boundMs, timing, watch } = this;
    const steadyMs = STEADY_HEARTBEATS * timing.heartbeatMs;
    let agreedMs: number | null = null;
    for (;;) {
      const nowMs = performance.now();
      const disagreement = this.disagreement(fromMs);
      const sinceMs = Math.max(fromMs, Math.min(watch.lastMs, agreedMs ?? nowMs));
      if (disagreement !== null) agreedMs = null;
      else {
        agreedMs ??= nowMs;
        if (nowMs - agreedMs >= steadyMs) {
          this.times.push({ ms: agreedMs - fromMs, after, isDisturbed: sinceMs > fromMs });
          return;
        }
      }
      if (disagreement !== null && (nowMs - sinceMs > boundMs || nowMs - fromMs > MAX_BOUNDS * boundMs)) {
        const busy = sinceMs > fromMs ? `, ${Math.round(nowMs - fromMs)} ms in all on a busy machine,` : '';
        this.wrongs.push(`no agreement within ${boundMs} ms${busy} after ${after}: ${disagreement}`);
        return;
      }
      await sleep(POLL_MS);
    }
  }

  /** Null if each side agrees; otherwise what its members say. Only answers to requests after `sinceMs` count. */
  private disagreement(sinceMs: number): string | null {
    const { cluster, timing } = this;
    const needsMajority = leadLimitMs(timing) !== null;
    for (const side of cluster.sides ?? []) {
      const says = side.map((id) => ({ id, status: cluster.statusOf(id, sinceMs) }));
      const text = says
        .map(({ id, status }) =>
          status === null
            ? `${id}: no answer`
            : `${id}: ${status.state}, elected ${status.elected}, leader ${status.leader}, token ${status.token}, term ${status.term}`,
        )
        .join('; ');
      const known = says.flatMap(({ status }) => status ?? []);
      if (known.length < side.length) return text;
      const leaders = known.filter(({ leads }) => leads);
      if (needsMajority && 2 * side.length <= cluster.ids.length) {
        if (known.some(({ leader }) => leader !== null)) return text;
        continue;
      }
      const [leader] = leaders;
      const isNamed = timing.algorithm.assumes.ids === 'unique';
      const follows = ({ leader: named, role, term, token }: (typeof known)[number]): boolean =>
        isNamed ? named === leader.id && token === leader.token : role !== null && term === leader.term;
      if (leaders.length !== 1 || !known.every(follows)) return text;
      const recovering = known.find(({ recovery }) => recovery?.isRecovered === false);
      if (recovering !== undefined) return `${recovering.id} has not recovered; ${text}`;
    }
    return null;
  }

  /** Where a leader needs a majority: never two at once, and no token twice. */
  judgeAnswers(): void {
    if (leadLimitMs(this.timing) === null) return;
    this.wrongs.push(...ledAtOnce(this.cluster.leads), ...sharedTokens(this.cluster.leads));
  }

  /** Every recorded step must be one that the algorithm may take; the messages of each epoch that ended are counted. */
  async judgeRecordings({ replay }: FaultRunPlan): Promise<Pick<FaultRun, 'steps' | 'epochs'>> {
    const { steps, texts, wrongs } = await judgeReplay(
      this.cluster.recordings,
      replay,
      this.timing.isEphemeral,
    );
    this.wrongs.push(...wrongs);
    const { algorithm } = this.timing;
    if (isEndless(algorithm)) return { steps, epochs: null };
    const epochs = countEpochs(algorithm, texts);
    this.wrongs.push(...epochs.wrongs);
    return { steps, epochs };
  }

  report(): Omit<FaultRun, 'steps' | 'epochs' | 'seconds'> {
    const byTime = this.times.toSorted((a, b) => a.ms - b.ms);
    const { after = 'nothing', ms = 0 } = byTime.findLast(({ isDisturbed }) => !isDisturbed) ?? {};
    return {
      faults: this.faults,
      wrongs: this.wrongs,
      boundMs: Math.round(this.boundMs),
      slowestMs: Math.round(ms),
      slowest: after,
      slowestOfAllMs: Math.round(byTime.at(-1)?.ms ?? 0),
      disturbed: this.times.filter(({ isDisturbed }) => isDisturbed).length / this.times.length,
      medianMs: Math.round(byTime[byTime.length >> 1]?.ms ?? 0),
      leaders: new Set(this.cluster.leads.map(({ id, token }) => `${id} ${token}`)).size,
    };
  }
}
