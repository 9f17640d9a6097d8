/** Members of a cluster in one process and in virtual time, with faults by seed. */

import type { AnyAlgorithm } from '../../study/src/kernel/algorithm.ts';
import type { Setting } from '../../study/src/kernel/params.ts';
import { Random } from '../../study/src/kernel/random.ts';
import { FolderGuard } from '../src/folder/folder-guard.ts';
import type { FolderRecord } from '../src/folder/folder-record.ts';
import { RecoveryGuard } from '../src/folder/recovery-guard.ts';
import type { TraceLine } from '../src/record/trace-line.ts';
import type { ListKeeper } from '../src/runtime/member-options.ts';
import { MemberRuntime } from '../src/runtime/member-runtime.ts';
import type { MemberEvent, MemberStatus } from '../src/runtime/member-status.ts';
import type { Frame, Transport } from '../src/transport.ts';
import type { MemberEdge } from '../src/view/overlay.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { SimulatedNetwork, type SimulatedTransport } from './simulated-network.ts';
import { VirtualTime } from './virtual-time.ts';

export interface ClusterOptions {
  readonly algorithm: AnyAlgorithm;
  readonly ids: readonly number[];
  readonly seed: number;
  readonly set?: Readonly<Record<string, Setting>> | undefined;
  readonly edges?: readonly MemberEdge[] | undefined;
  /** The rate of the clocks of a member; 1 unless given. */
  readonly rateOf?: ((id: number) => number) | undefined;
  /** One unit of the timers of a member when it starts; UNIT_MS unless given. */
  readonly unitMsOf?: ((id: number) => number) | undefined;
  /** The largest token that was used before. */
  readonly firstTerm?: number | undefined;
  /** What keeps the list of a member, if the leader can change it. */
  readonly listsOf?: ((id: number, time: VirtualTime) => ListKeeper) | undefined;
  /** Members compare their folders; with 'first starts support at once' as a mutant. */
  readonly folders?: true | 'first starts support at once' | undefined;
  /** The disks of members do not last; with 'counts old votes' as a mutant. */
  readonly ephemeral?: true | 'counts old votes' | undefined;
  /** A mutant of the transport of each member. */
  readonly mutate?: ((transport: Transport, runtime: () => MemberRuntime) => Transport) | undefined;
}

export const UNIT_MS = 50;
const HEARTBEAT_MS = 50;

interface Process {
  readonly runtime: MemberRuntime;
  readonly transport: SimulatedTransport;
  readonly clock: SimulatedClock;
}

export class SimulatedCluster {
  readonly time = new VirtualTime();
  readonly network: SimulatedNetwork;
  readonly random: Random;
  readonly disks = new Map<number, SimulatedDisk>();
  readonly processes = new Map<number, Process>();
  readonly events: { readonly id: number; readonly atMs: number; readonly event: MemberEvent }[] = [];
  readonly traces = new Map<number, TraceLine[]>();
  /** The lines of all members in the order in which they were written. */
  readonly lines: { readonly id: number; readonly line: TraceLine }[] = [];
  /** Frames of the quorum gate, which these members do not have. */
  readonly supportFrames: { readonly from: number; readonly to: number; readonly frame: Frame }[] = [];
  private incarnations = 0;
  private madeFolders = 0;

  constructor(readonly options: ClusterOptions) {
    const { ids, seed } = options;
    this.random = new Random(seed, 'cluster');
    // A round trip takes less than two units, the timeout that bounded-delay algorithms assume.
    const delays = { minDelayMs: 1, maxDelayMs: UNIT_MS / 2 };
    this.network = new SimulatedNetwork(this.time, { seed, ...delays, heartbeatMs: HEARTBEAT_MS });
    for (const id of ids) {
      this.disks.set(id, new SimulatedDisk(this.time, this.random));
      this.traces.set(id, []);
    }
  }

  /** Starts every member. */
  startAll(): void {
    for (const id of this.options.ids) this.start(id);
  }

  start(id: number): void {
    if (!this.processes.has(id)) void this.open(id);
  }

  /** Starts a member; rejects if it cannot run. */
  open(id: number): Promise<void> {
    const { algorithm, edges, ephemeral, firstTerm, folders, ids, listsOf, mutate, rateOf, set, unitMsOf } =
      this.options;
    const transport = this.network.transport(id);
    const clock = new SimulatedClock(this.time, rateOf?.(id) ?? 1);
    const guard = this.guard(id, transport);
    const recovery = this.recovery(id, transport, clock);
    const incarnation = ++this.incarnations;
    const draws = new Random(this.options.seed, `draws ${incarnation}`);
    const process: Process = {
      transport,
      clock,
      runtime: new MemberRuntime({
        cluster: 'simulated',
        self: id,
        members: ids,
        algorithm,
        set,
        edges,
        unitMs: unitMsOf?.(id) ?? UNIT_MS,
        detector: { heartbeatMs: HEARTBEAT_MS },
        transport: mutate?.(transport, () => process.runtime) ?? guard ?? recovery ?? transport,
        admits: (members) =>
          (folders !== true || (guard?.isRecorded(members) ?? true)) && (recovery?.isRecovered ?? true),
        isEphemeral: ephemeral === true,
        store: this.disks.get(id) as SimulatedDisk,
        clock,
        firstTerm,
        lists: listsOf?.(id, this.time),
        draw: (sides) => 1 + draws.below(sides),
        incarnation,
        trace: {
          write: (line) => {
            this.traces.get(id)?.push(line);
            this.lines.push({ id, line });
          },
        },
        onSupport: (from, frame) => {
          this.supportFrames.push({ from, to: id, frame });
          return null;
        },
        onEvent: (event) => this.events.push({ id, atMs: this.time.nowMs, event }),
      }),
    };
    this.processes.set(id, process);
    this.time.hasSettled = true;
    return process.runtime.open();
  }

  private guard(id: number, transport: SimulatedTransport): FolderGuard | null {
    if (this.options.folders === undefined) return null;
    const disk = this.disks.get(id) as SimulatedDisk;
    if (disk.folders.id === '') {
      const digits = (++this.madeFolders).toString(16).padStart(32, '0');
      disk.folders = { ...disk.folders, id: digits };
    }
    const save = (record: FolderRecord): Promise<void> => disk.saveFolders(record);
    const guard = new FolderGuard(transport, {
      self: id,
      record: disk.folders,
      isConnected: () => true,
      save,
    });
    transport.folders = {
      id: disk.folders.id,
      refusal: (peer, folder) => guard.refusal(peer, folder),
    };
    return guard;
  }

  private recovery(id: number, transport: SimulatedTransport, clock: SimulatedClock): RecoveryGuard | null {
    if (this.options.ephemeral === undefined) return null;
    const runtime = (): MemberRuntime => (this.processes.get(id) as Process).runtime;
    return new RecoveryGuard(transport, {
      ...{ self: id, clock, pauseMs: HEARTBEAT_MS, process: this.random.below(1_000_000) },
      members: () => {
        const { members, state } = runtime().status;
        return state === 'recovering' || state === 'unrecorded' ? members : null;
      },
      leaseMs: () => runtime().lists.promiseMs,
      list: () => runtime().list,
      known: () => (runtime().status.state === 'starting' ? null : runtime().lists.known),
      sendList: (to) => runtime().lists.tell(to),
      refusal: (term) => runtime().lists.refusal(term),
      onRefused: () => undefined,
      isConnected: () => true,
      onRecovered: (known) => runtime().lists.recovered(known),
    });
  }

  /** kill −9. */
  crash(id: number): void {
    const process = this.processes.get(id);
    if (process === undefined) return;
    this.processes.delete(id);
    this.disks.get(id)?.crash();
    process.transport.crash();
    void process.runtime.close();
  }

  /** The members that are down, or do not know yet what they have forgotten. */
  get forgetful(): number[] {
    return this.options.ids.filter((id) => this.processes.get(id)?.runtime.status.state !== 'running');
  }

  /** The folder of a member that has crashed is gone. */
  loseDisk(id: number): void {
    this.disks.set(id, new SimulatedDisk(this.time, this.random));
  }

  /** SIGSTOP. */
  pause(id: number): void {
    const process = this.processes.get(id);
    if (process === undefined || process.clock.isStopped) return;
    process.clock.stop();
    process.transport.isPaused = true;
  }

  /** The machine of a member sleeps: its monotonic clock stands still. */
  sleep(id: number): void {
    this.pause(id);
    this.processes.get(id)?.clock.sleep();
  }

  /** SIGCONT: late timers run in order, then the sockets are read. */
  resume(id: number): void {
    const process = this.processes.get(id);
    if (process === undefined || !process.clock.isStopped) return;
    process.transport.isPaused = false;
    process.clock.resume();
    this.network.resume();
  }

  get living(): number[] {
    return [...this.processes.keys()].sort((a, b) => a - b);
  }

  statusOf(id: number): MemberStatus {
    const process = this.processes.get(id);
    if (process === undefined) throw new Error(`member ${id} does not run`);
    return process.runtime.status;
  }

  /** Null if all members that run agree on one of them as the leader, otherwise what each of them says. */
  disagreement(): string | null {
    const says = this.living.map((id) => this.statusOf(id));
    const leaders = says.filter(({ role }) => role === 'leader');
    const isNamed = this.options.algorithm.assumes.ids === 'unique';
    const [leader] = leaders;
    const agree =
      leaders.length === 1 &&
      says.every(
        ({ leader: named, role, term }) =>
          role !== null && term === leader.term && (!isNamed || named === leader.id),
      );
    return agree
      ? null
      : says
          .map(({ id, leader: named, role, state, term }) => `${id}: ${state} ${role} of ${named} in ${term}`)
          .join('; ');
  }

  /** Runs until all agree and go on agreeing for a while; throws if they do not within the time. */
  async agree(withinMs: number, context = ''): Promise<number> {
    const fromMs = this.time.nowMs;
    for (;;) {
      const left = fromMs + withinMs - this.time.nowMs;
      const found = await this.time.runUntil(this.time.nowMs + left, () => this.disagreement() === null);
      if (!found && this.disagreement() !== null)
        throw new Error(
          `no agreement within ${withinMs} ms, seed ${this.options.seed}${context}: ${this.disagreement()}`,
        );
      const agreedMs = this.time.nowMs;
      const broken = await this.time.runUntil(agreedMs + STEADY_MS, () => this.disagreement() !== null);
      if (!broken) return agreedMs - fromMs;
    }
  }

  /** Terms that two members led: each pair of an id and a term that a `leader` event named. */
  doublyLed(): string[] {
    const by = new Map<number, number>();
    const doubled: string[] = [];
    for (const { event, id } of this.events) {
      if (event.type !== 'leader' || event.role !== 'leader') continue;
      const other = by.get(event.term);
      if (other !== undefined && other !== id)
        doubled.push(`term ${event.term} was led by ${other} and ${id}`);
      by.set(event.term, id);
    }
    return doubled;
  }
}

/** How long agreement must last to count. */
const STEADY_MS = 2_000;
