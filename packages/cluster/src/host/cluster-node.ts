/**
 * One member as a process: the runtime over TCP, with real clocks, its state on disk, and a quorum gate if it is asked for.
 * Guarantees, with `quorum`: a member leads only while a majority of all configured members supports it, so that no two
 * lead at the same time if clock rates differ by less than a tenth. An algorithm that needs a majority itself guarantees the
 * same without it, if `exclusive` in the status is true. Otherwise each side of a split has a leader.
 * One process at a time runs as a member in a folder. A member that cannot save its state stops.
 */
import { randomInt } from 'node:crypto';
import { firstLine, InputError } from '@hustings/base';
import type { FolderGuard } from '../folder/folder-guard.ts';
import type { RecoveryGuard } from '../folder/recovery-guard.ts';
import type { ClusterMember, MemberList } from '../member-list/member-list.ts';
import type { MemberChange } from '../membership/list-change.ts';
import { MemberChangeError } from '../membership/membership.ts';
import { canChangeMembers, defaultHeartbeatMs } from '../runtime/member-options.ts';
import { MemberRuntime } from '../runtime/member-runtime.ts';
import type { MemberEvent } from '../runtime/member-status.ts';
import { certificateUntilMs } from '../wire/security.ts';
import { TcpTransport } from '../wire/tcp-transport.ts';
import { warnOfCertificateEnd } from './certificate-end.ts';
import { lockFolder } from './folder-lock.ts';
import type { GatedLead } from './gated-lead.ts';
import { MemberFolder } from './member-folder.ts';
import { MemberStoppedError } from './member-stopped-error.ts';
import { folderCheckOf, folderStatusOf, guardOf, warnOfFolder } from './node-folders.ts';
import { gatedLeadOf, warnOfWaiting } from './node-gate.ts';
import { NodeList } from './node-list.ts';
import type { ClusterNodeOptions } from './node-options.ts';
import { recoveryOf } from './node-recovery.ts';
import {
  checkNode,
  countsMajority,
  leaseMsOf,
  makeFolder,
  readLists,
  type StartingLists,
  settingsOf,
  unitMsOf,
} from './node-setup.ts';
import type { ClusterNodeEvent, ClusterNodeStatus } from './node-status.ts';
import { PROCESS_CLOCK } from './process-clock.ts';
import { limitRefusals } from './refusal-limit.ts';
import { warnOfSlowSaves } from './slow-saves.ts';
import { allWriters } from './step-stream.ts';
import { openTraceFile, type TraceFile } from './trace-file.ts';

export type { ClusterNodeOptions } from './node-options.ts';

/** Starts a member. Rejects with one line if its folder, its address or its state cannot be used. */
export async function startNode(options: ClusterNodeOptions): Promise<ClusterNode> {
  const { folder, id } = options;
  checkNode(options);
  makeFolder(folder);
  const unlock = await lockFolder(folder, id);
  try {
    const owner = { cluster: options.members.cluster, id };
    const files = await MemberFolder.open(folder, owner, countsMajority(options) && !options.ephemeral);
    const lists = await readLists(options, files.list);
    const node = new ClusterNode(limitRefusals(options), lists, files, unlock);
    await node.open();
    return node;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A member that runs. `startNode` makes one. */
export class ClusterNode {
  private readonly transport: TcpTransport;
  /** Null where folders are not compared. */
  private readonly guard: FolderGuard | null;
  /** Null where folders last. */
  private readonly recovery: RecoveryGuard | null;
  private readonly runtime: MemberRuntime;
  private readonly lead: GatedLead | null;
  private readonly trace: TraceFile | null;
  private readonly lists: NodeList;
  private ended: Promise<void> | null = null;
  /** No leader, as at the start. */
  private reported = 'null false null false';
  private failure: Error | null = null;

  constructor(
    private readonly options: ClusterNodeOptions,
    { record, stored }: StartingLists,
    private readonly files: MemberFolder,
    private readonly unlock: () => void,
  ) {
    const { algorithm, edges, ephemeral = false, id, join = false, members: file, security } = options;
    const canChange = canChangeMembers(algorithm);
    this.lists = new NodeList({
      ...{ file, id, record, isJoining: join },
      save: (next, isRemoved) => files.saveList(next, isRemoved),
      setup: options,
      connect: (list, former) => this.transport.useMembers(list, former),
      invite: (candidate) => this.transport.invite(candidate),
      reaches: (peer) => this.transport.reaches(peer),
      clock: PROCESS_CLOCK,
    });
    const members = this.lists.list;
    const ids = members.members.map((member) => member.id);
    const { heartbeatMs = defaultHeartbeatMs(ids.length), listen = this.lists.address } = options;
    const isFromFile = !canChange || record?.origin === 0;
    const onWire = (event: Extract<ClusterNodeEvent, { type: 'wire' }>['event']): void =>
      this.report({ type: 'wire', event });
    const settings = settingsOf(options, ids.length);
    const wire = { members, isFromFile, settings, id, security, listen, heartbeatMs };
    const folders = folderCheckOf(files, () => this.guard);
    this.transport = new TcpTransport({ ...wire, folders, onEvent: onWire });
    this.guard = guardOf(this.transport, files, id, (next) =>
      this.saved('what it knows of folders', files.saveFolders(next)),
    );
    const lead = {
      transport: this.transport,
      admits: () => this.isAdmitted(ids),
      saved: (what: string, saving: Promise<void>) => this.saved(what, saving),
      onChange: () => this.reportLeader(),
    };
    this.lead = options.quorum ? gatedLeadOf(options, stored, files, lead) : null;
    this.recovery = ephemeral
      ? recoveryOf(
          this.transport,
          { id, heartbeatMs },
          {
            runtime: () => this.runtime,
            lead: this.lead,
            leaseMs: () => (options.quorum ? leaseMsOf(options, ids.length) : this.runtime.lists.promiseMs),
            onRefused: (from, reason) =>
              this.report({ type: 'member', event: { type: 'refused', from, reason } }),
          },
        )
      : null;
    const fail = (error: Error): void => this.fail(error);
    const warn = (text: string): void => this.report({ type: 'warning', text });
    this.trace = options.recordTo === undefined ? null : openTraceFile(options.recordTo, id, fail);
    this.runtime = new MemberRuntime({
      cluster: members.cluster,
      self: id,
      members: ids,
      algorithm,
      set: options.set,
      edges,
      unitMs: unitMsOf(options, ids),
      lists: canChange ? this.lists : undefined,
      detector: { heartbeatMs },
      // With a quorum the tokens are those of the gate.
      firstTerm: options.quorum ? 0 : files.support.token,
      // With a quorum the gate waits, and the algorithm does not.
      admits: (list) => options.quorum === true || this.isAdmitted(list),
      isEphemeral: ephemeral,
      transport: this.guard ?? this.recovery ?? this.transport,
      onSupport: this.lead === null ? undefined : (from, frame) => this.lead?.receive(from, frame) ?? null,
      store: warnOfSlowSaves(files, { setup: options, members: ids, clock: PROCESS_CLOCK }, warn),
      clock: PROCESS_CLOCK,
      draw: (sides) => randomInt(1, sides + 1),
      incarnation: randomInt(2 ** 47),
      trace: allWriters(this.trace, options.steps),
      onEvent: (event) => this.onMemberEvent(event),
    });
    if (ephemeral && !this.status.exclusive)
      throw new InputError(
        `ephemeral must be left out: with these parameters ${algorithm.name} has no lease that a member could wait for`,
      );
  }

  /** Listens, and starts the algorithm. */
  async open(): Promise<void> {
    try {
      await this.runtime.open();
      if (this.failure !== null) throw this.failure;
      this.lead?.start();
    } catch (error) {
      await this.end();
      throw error;
    }
    const warn = (text: string): void => this.report({ type: 'warning', text });
    this.files.warnings.forEach(warn);
    warnOfFolder(() => this.status, warn);
    warnOfCertificateEnd(this.options.security, () => this.status, warn);
    if (this.lead !== null) warnOfWaiting(this.lead.follower, this.options.members, () => this.status, warn);
  }

  get status(): ClusterNodeStatus {
    const { members, quorum = false } = this.options;
    const { version } = this.lists.list;
    const { status } = this.runtime;
    const elected = status.role === 'leader' ? status.id : status.leader;
    const majority = this.lead?.leader ?? null;
    const leader = this.lead === null ? elected : (majority?.leader ?? null);
    return {
      ...status,
      cluster: members.cluster,
      version,
      storedVersion: this.lead === null ? version : (this.lead.follower.stored?.version ?? null),
      pid: process.pid,
      quorum,
      leader,
      elected,
      leads: leader === status.id,
      // A rolling update that went on before a member has recovered would let a majority forget.
      isReady:
        this.recovery?.isRecovered !== false &&
        (leader !== null || (this.options.algorithm.assumes.ids === 'anonymous' && status.role !== null)),
      leadsUntilMs: this.lead === null ? status.leadsUntilMs : this.lead.leadsUntilMs,
      leaseMs: this.lead?.leaseMs ?? status.leaseMs,
      exclusive: quorum || status.leaseMs !== null,
      token: leader === null ? null : (majority?.token ?? status.term),
      folder: folderStatusOf(this.guard, status.members),
      recovery: this.recovery?.progress ?? null,
      connected: this.transport.connected,
      traffic: this.transport.traffic,
      certificateUntilMs: certificateUntilMs(this.options.security),
      counts: { ...status.counts, lapses: status.counts.lapses + (this.lead?.lapses ?? 0) },
    };
  }

  /**
   * Stops leading now, if this member leads, and lets the others elect. The next lead of this member has a larger token, if
   * tokens rise at all. An algorithm that elects by id may elect the same member again.
   */
  resign(): void {
    if (!this.status.leads) return;
    if (this.lead === null) this.runtime.restart();
    else this.lead.release();
  }

  /** The member list that this process uses. */
  get list(): MemberList {
    return this.lists.list;
  }

  /**
   * Adds a member. This process must lead. Resolves with the new list when a majority of it has stored it; the members elect
   * again. The process of the new member must run, with `join`: it is refused if it does not answer within 5 s.
   */
  addMember({ address, id }: ClusterMember): Promise<MemberList> {
    return this.changeMembers({ type: 'add', member: { id, address } });
  }

  /** Removes a member, which ends by itself. Those that answer now must be a majority of the rest. Otherwise like `addMember`. */
  removeMember(id: number): Promise<MemberList> {
    return this.changeMembers({ type: 'remove', id });
  }

  /** Adds or removes a member. */
  async changeMembers(change: MemberChange): Promise<MemberList> {
    const { id, leader, leads } = this.status;
    if (!leads && canChangeMembers(this.options.algorithm)) {
      const whom = leader === null ? 'no leader is known; try again' : `ask member ${leader}, which leads`;
      throw new MemberChangeError(`member ${id} does not lead: ${whom}`);
    }
    return this.lists.change(change, () => this.runtime.changeMembers(change));
  }

  /** Cuts the connections to these members until the next call, for a demonstration of a split. */
  cut(peers: readonly number[]): void {
    this.transport.cut(peers);
  }

  /** Leaves: it leads no more, and nothing of it stays open. */
  async close(): Promise<void> {
    this.lead?.release();
    await this.end();
  }

  private end(): Promise<void> {
    this.ended ??= this.endAll();
    return this.ended;
  }

  private async endAll(): Promise<void> {
    this.lists.fail('this member has stopped');
    this.lead?.close();
    await this.runtime.close();
    this.trace?.close();
    await this.files.close();
    this.unlock();
  }

  /** A member that cannot write stops. */
  private async saved(what: string, saving: Promise<void>): Promise<void> {
    try {
      await saving;
    } catch (error) {
      const why = `${what} could not be saved: ${firstLine(error)}`;
      this.fail(new MemberStoppedError(this.options.id, why, error));
      throw error;
    }
  }

  /** Whether this member may support others of this list. */
  private isAdmitted(list: readonly number[]): boolean {
    return (this.guard?.isRecorded(list) ?? true) && (this.recovery?.isRecovered ?? true);
  }

  private onMemberEvent(event: MemberEvent): void {
    if (event.type === 'stopped') {
      const why = `${event.reason}: ${firstLine(event.error)}`;
      this.fail(new MemberStoppedError(this.options.id, why, event.error));
      return;
    }
    this.report({ type: 'member', event });
    if (event.type === 'removed') void this.leave(event.version);
    if (event.type !== 'leader') return;
    this.lead?.decided(event.role === 'leader' ? this.options.id : event.leader);
    this.reportLeader();
  }

  /** It was removed. */
  private async leave(version: number): Promise<void> {
    const { list } = this.runtime;
    try {
      if (list !== null) await this.lists.saveRemoval(list);
    } catch {
      // The next start then waits, and gets the error again.
    }
    this.report({ type: 'removed', version });
    await this.end();
  }

  private reportLeader(): void {
    if (this.runtime === undefined) return; // Nothing has changed.
    const { isReady, leader, leads, term, token } = this.status;
    const text = `${leader} ${leads} ${token} ${isReady}`;
    if (text === this.reported) return;
    this.reported = text;
    this.report({ type: 'leader', leader, leads, token, term });
  }

  private fail(error: Error): void {
    if (this.failure !== null) return;
    this.failure = error;
    this.lead?.close();
    if (this.runtime !== undefined) void this.runtime.close();
    this.report({ type: 'stopped', error });
  }

  /** A reader of events looks at the status: a change of the leader that only time has made is reported first. */
  private report(event: ClusterNodeEvent): void {
    if (event.type !== 'leader') this.reportLeader();
    this.options.onEvent?.(event);
  }
}
