/** Five members as real processes, with a network that can be cut, and what all of them say, sampled over the whole run. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../../test-kit/servers/index.ts';
import type { Random } from '../../../study/src/kernel/random.ts';
import type { ClusterNodeStatus } from '../../src/host/node-status.ts';
import { ClusterNetwork } from './cluster-network.ts';
import type { LeadSample } from './evidence.ts';
import { MemberProcess, type StatusSample } from './member-process.ts';

export const IDS: readonly number[] = [3, 8, 12, 20, 41];

export interface ProcessClusterOptions {
  /** The arguments that all members have in common. */
  readonly args: readonly string[];
  /** Folders do not last. Otherwise a member without its own is refused, until it has it again. */
  readonly isEphemeral?: boolean | undefined;
  readonly random: Random;
  readonly ids?: readonly number[] | undefined;
  /** Ids of members that may be added while the cluster runs. */
  readonly later?: readonly number[] | undefined;
  /** How often each member is asked. */
  readonly sampleMs?: number | undefined;
  /** The program, instead of `hustings`. */
  readonly main?: string | undefined;
  /** A leader needs a majority. */
  readonly countsMajority?: boolean | undefined;
}

const SECRET = 'not a secret, and at least 32 bytes long';
const SAMPLE_MS = 50;
/** Enough for a request to reach the socket of a process on this machine. */
const ARRIVAL_MS = 20;

export class ProcessCluster {
  /** Each answer in which a member said that it leads. */
  readonly leads: LeadSample[] = [];
  readonly network: ClusterNetwork;
  /** The members that are to run. */
  ids: readonly number[];
  /** The members that run without their folders, and must take no part. */
  readonly strangers = new Set<number>();
  private readonly arguments = new Map<number, readonly string[]>();
  private readonly members = new Map<number, MemberProcess>();
  private readonly latest = new Map<number, StatusSample>();
  private readonly loops: Promise<void>[] = [];
  /** Those that run with another member file. */
  private readonly astray = new Set<number>();
  private isClosed = false;

  private constructor(
    private readonly options: ProcessClusterOptions,
    private readonly folder: string,
    private readonly ports: ReadonlyMap<number, number>,
    network: ClusterNetwork,
  ) {
    this.ids = options.ids ?? IDS;
    this.network = network;
  }

  /** Starts all members; again on other ports if another process has taken one of them in the meantime. */
  static async start(options: ProcessClusterOptions): Promise<ProcessCluster> {
    for (let left = 2; ; left--) {
      try {
        return await ProcessCluster.open(options);
      } catch (error) {
        if (left === 0 || !/ is in use;/.test(String(error))) throw error;
      }
    }
  }

  private static async open(options: ProcessClusterOptions): Promise<ProcessCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'hustings-processes-'));
    const ports = new Map<number, number>();
    for (const id of [...(options.ids ?? IDS), ...(options.later ?? [])]) ports.set(id, await freePort());
    const network = await ClusterNetwork.open(ports, options.random);
    const cluster = new ProcessCluster(options, folder, ports, network);
    cluster.writeMembers(cluster.memberFile);
    writeFileSync(cluster.secretFile, SECRET);
    mkdirSync(cluster.recordings);
    try {
      await cluster.startAll();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    for (const id of cluster.ids) cluster.loops.push(cluster.ask(id));
    return cluster;
  }

  get memberFile(): string {
    return join(this.folder, 'members.json');
  }

  /** The folder of the recordings. */
  get recordings(): string {
    return join(this.folder, 'recordings');
  }

  get secretFile(): string {
    return join(this.folder, 'secret');
  }

  stateFolder(id: number): string {
    return join(this.folder, `member-${id}`);
  }

  /** Where a member listens, behind its proxy. */
  listenAddress(id: number): string {
    return `127.0.0.1:${this.ports.get(id)}`;
  }

  /** Starts every member that does not run. Resolves, or rejects, when all of them are up or have failed. */
  async startAll(): Promise<void> {
    const missing = this.ids.filter((id) => !this.members.get(id)?.isRunning);
    const started = await Promise.allSettled(missing.map((id) => this.start(id)));
    for (const each of started) if (each.status === 'rejected') throw each.reason;
  }

  /** Starts the process of a member that is to be added. */
  async join(id: number): Promise<void> {
    const file = join(this.folder, `members-${id}.json`);
    this.ids = [...this.ids, id];
    this.writeMembers(file);
    this.arguments.set(id, ['--join', '--members', file]);
    await this.start(id);
    this.loops.push(this.ask(id));
  }

  /** The member is to run no more. */
  forget(id: number): void {
    this.ids = this.ids.filter((other) => other !== id);
  }

  /** Resolves when it is up. `more` are arguments of this process. */
  async start(id: number, more: readonly string[] = this.arguments.get(id) ?? []): Promise<void> {
    const { args, isEphemeral, main } = this.options;
    const own = ['--members', this.memberFile, '--id', `${id}`, '--secret-file', this.secretFile];
    const place = ['--dir', this.stateFolder(id), '--listen', this.listenAddress(id)];
    const reports = ['--record', this.recordings, '--events', '--http', '0'];
    this.latest.delete(id);
    const member = await MemberProcess.start({
      id,
      args: ['node', ...own, ...place, ...reports, ...args, ...(isEphemeral ? ['--ephemeral'] : []), ...more],
      folder: this.folder,
      main,
    });
    this.members.set(id, member);
    if (this.isClosed) await member.kill();
  }

  get countsMajority(): boolean {
    return this.options.countsMajority ?? false;
  }

  get hasAstray(): boolean {
    return this.astray.size > 0;
  }

  /** Starts a member with another member file, which it must refuse in one line. Otherwise it runs until the heal. */
  async tryList(id: number, version: number, members: readonly number[]): Promise<string[]> {
    const file = join(this.folder, `members-version-${version}.json`);
    this.writeMembers(file, members, version);
    try {
      await this.start(id, ['--members', file]);
    } catch (error) {
      const isRefused = /has ended \(2\): hustings: [^\n]*version [^\n]*\n$/.test(String(error));
      return isRefused ? [] : [`${error}`];
    }
    this.astray.add(id);
    return [`member ${id} runs with version ${version} of the list, of ${members.join(', ')}`];
  }

  /** Members are killed, and start again without their folders. Those that last are kept aside. */
  async loseFolders(ids: readonly number[]): Promise<void> {
    await this.kill(...ids);
    for (const id of ids) {
      if (this.options.isEphemeral) rmSync(this.stateFolder(id), { recursive: true });
      else {
        renameSync(this.stateFolder(id), this.asideFolder(id));
        this.strangers.add(id);
      }
    }
    // What an uninvited member does belongs to no run.
    const apart = this.options.isEphemeral ? [] : ['--record', join(this.folder, 'strangers')];
    await Promise.all(ids.map((id) => this.start(id, [...(this.arguments.get(id) ?? []), ...apart])));
  }

  private asideFolder(id: number): string {
    return `${this.stateFolder(id)}-aside`;
  }

  private async findFolders(): Promise<void> {
    await this.kill(...this.strangers);
    for (const id of this.strangers) {
      rmSync(this.stateFolder(id), { recursive: true });
      renameSync(this.asideFolder(id), this.stateFolder(id));
    }
    this.strangers.clear();
  }

  member(id: number): MemberProcess {
    const member = this.members.get(id);
    if (member === undefined) throw new Error(`member ${id} was not started`);
    return member;
  }

  async kill(...ids: readonly number[]): Promise<void> {
    await Promise.all(ids.map((id) => this.member(id).kill()));
  }

  /** SIGCONT, with a request that it finds when it goes on: the answer tells what it says before anything else happens. */
  async resume(id: number): Promise<void> {
    void this.look(id);
    await sleep(ARRIVAL_MS);
    this.member(id).resume();
  }

  /** The members that run and do not stand still. */
  get living(): number[] {
    return this.ids.filter((id) => this.members.get(id)?.isRunning && !this.members.get(id)?.isPaused);
  }

  /** What a member said last, if it was asked after `sinceMs`. */
  statusOf(id: number, sinceMs = 0): ClusterNodeStatus | null {
    const sample = this.latest.get(id);
    return sample !== undefined && sample.sentMs >= sinceMs ? sample.status : null;
  }

  /** The member that leads, as far as it has said; undefined if there is none. */
  get leader(): number | undefined {
    return this.living.find((id) => this.statusOf(id)?.leads);
  }

  /**
   * The living members in groups that are connected among themselves, both ways, and with no other; null if the cuts leave a
   * member between two others that are not connected.
   */
  get sides(): number[][] | null {
    const { network } = this;
    const living = this.living.filter((id) => !this.strangers.has(id));
    const sideOf = (id: number): number[] =>
      living.filter((other) => other === id || network.connects(id, other));
    const isClean = living.every((id) =>
      sideOf(id).every((other) => sideOf(other).join() === sideOf(id).join()),
    );
    return isClean
      ? living.map(sideOf).filter(([first], at, all) => all.findIndex((one) => one[0] === first) === at)
      : null;
  }

  /** Undoes every fault; resolves when all processes are up. */
  async heal(): Promise<void> {
    this.network.heal();
    await this.kill(...[...this.astray].filter((id) => this.members.get(id)?.isRunning));
    this.astray.clear();
    await this.findFolders();
    for (const id of this.ids) if (this.members.get(id)?.isPaused) await this.resume(id);
    await this.startAll();
  }

  /** Kills all processes. The recordings stay until `close`. */
  async end(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.members.values()].map((member) => member.kill()));
    await Promise.all(this.loops);
  }

  async close(): Promise<void> {
    await this.end();
    await this.network.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private writeMembers(file: string, ids = this.ids, version = 1): void {
    const members = ids.map((id) => ({ id, address: this.network.addressOf(id) }));
    writeFileSync(file, JSON.stringify({ cluster: 'demo', version, members }));
  }

  private async ask(id: number): Promise<void> {
    while (!this.isClosed) {
      await this.look(id);
      await sleep(this.options.sampleMs ?? SAMPLE_MS);
    }
  }

  private async look(id: number): Promise<void> {
    const member = this.members.get(id);
    const sample = (await member?.sample()) ?? null;
    if (sample === null) return;
    const { receivedMs, sentMs, status } = sample;
    if (status.leads) this.leads.push({ id, token: status.token ?? -1, sentMs, receivedMs });
    const isNewer = (this.latest.get(id)?.sentMs ?? 0) <= sentMs;
    // Not of a process that was started again.
    if (isNewer && member === this.members.get(id)) this.latest.set(id, sample);
  }
}
