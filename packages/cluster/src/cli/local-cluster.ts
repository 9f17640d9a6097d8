/**
 * The members of a cluster as processes of this machine, with the faults that a person or a script gives them.
 *
 * Guarantees: after `close`, and after the end of this process by any means, no member process and no folder of it is left.
 */
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentError } from '@hustings/base';
import { reasonOf } from '@hustings/base/command/exit';
import { KeptProcesses, type ProcessEnd, type RunningProcess } from '@hustings/base/node';
import { writeMemberFile, writeSecretFile } from '../init/cluster-files.ts';
import type { NodeLine } from './node-line.ts';

/** What a person sees of a member. */
export interface LocalMember {
  readonly id: number;
  readonly state: 'starting' | 'up' | 'paused' | 'cut' | 'down';
  /** The last one that it printed. */
  readonly line: NodeLine | null;
  /** When the leader or the state changed last, by the wall clock. */
  readonly changedAt: number;
}

export interface LocalClusterOptions {
  readonly nodes: number;
  /** The file of the program `hustings`. */
  readonly program: string;
  /** The options of `hustings node` beside those of the member itself. */
  readonly args: readonly string[];
  onLine(line: NodeLine): void;
}

type Member = { -readonly [Field in keyof LocalMember]: LocalMember[Field] } & {
  process: RunningProcess | null;
};

/** What a person or a script can do to a member. A second pause or cut undoes the first. */
export type MemberAction = 'kill' | 'pause' | 'restart' | 'cut';

/** The states in which it can be done. */
const POSSIBLE: Readonly<Record<MemberAction, readonly LocalMember['state'][]>> = {
  kill: ['starting', 'up', 'paused', 'cut'],
  pause: ['up', 'paused', 'cut'],
  restart: ['down'],
  cut: ['starting', 'up', 'paused', 'cut'],
};
const MEMBER_ACTIONS = Object.keys(POSSIBLE) as MemberAction[];
const COMMANDS = `${MEMBER_ACTIONS.map((action) => `${action} N`).join(', ')} and quit`;

/** Why this cannot be done to a member in its state, or null. */
export function refusal(type: MemberAction, { id, state }: Pick<LocalMember, 'id' | 'state'>): string | null {
  if (POSSIBLE[type].includes(state)) return null;
  return `member ${id} is ${state}, and ${type} needs one that ${type === 'restart' ? 'has ended' : 'runs'}`;
}

export class LocalCluster {
  private readonly list: Member[];
  private readonly cutOff = new Set<number>();
  private agreement = '';
  private isClosing = false;

  private constructor(
    private readonly options: LocalClusterOptions,
    private readonly processes: KeptProcesses,
  ) {
    this.list = Array.from({ length: options.nodes }, (_, place) => ({
      id: place + 1,
      state: 'down',
      line: null,
      changedAt: Date.now(),
      process: null,
    }));
  }

  /** Rejects with the line of the first member that cannot start. */
  static async start(options: LocalClusterOptions): Promise<LocalCluster> {
    const processes = await KeptProcesses.open('hustings-cluster-').catch(refuseFolder);
    const cluster = new LocalCluster(options, processes);
    try {
      const members = [];
      for (const { id } of cluster.list) {
        members.push({
          id,
          address: `127.0.0.1:${await freePort()}`,
          http: `127.0.0.1:${await freePort()}`,
        });
      }
      try {
        await writeMemberFile(cluster.memberFile, { cluster: 'local', version: 1, members });
        await writeSecretFile(cluster.secretFile);
      } catch (error) {
        refuseFolder(error);
      }
      await Promise.all(cluster.list.map((member) => cluster.spawn(member)));
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  get members(): readonly LocalMember[] {
    return this.list;
  }

  get memberFile(): string {
    return join(this.processes.folder, 'members.json');
  }

  private get secretFile(): string {
    return join(this.processes.folder, 'secret');
  }

  /** Does this to a member. Why it cannot be done now, or null. */
  act(type: MemberAction, id: number): string | null {
    const member = this.member(id);
    if (member === undefined) return `there is no member ${id}, only 1 to ${this.list.length}`;
    const why = refusal(type, member);
    if (why !== null) return why;
    if (type === 'kill') void member.process?.kill();
    else if (type === 'pause') this.togglePause(member);
    else if (type === 'cut') this.toggleCut(member);
    else this.spawn(member).catch((error: Error) => this.noteError(member, error.message));
    return null;
  }

  /** Carries out a command of a script, such as `kill 3`. One that cannot be carried out is a line of type error. */
  execute(command: string): void {
    const [, word, id] = /^(\w+)\s+(\d+)$/.exec(command) ?? [];
    const type = MEMBER_ACTIONS.find((action) => action === word);
    const why = type === undefined ? `'${command}' is not a command` : this.act(type, Number(id));
    const member = this.member(Number(id));
    const hint =
      type === 'restart' && member !== undefined ? ' (kill it, and wait for its line of type exit)' : '';
    if (why !== null) this.noteError(member, `${why}${hint}; the commands are ${COMMANDS}`);
  }

  /** Stops the process with SIGSTOP, or continues it. */
  private togglePause(member: Member): void {
    const isPaused = member.state === 'paused';
    if (isPaused) member.process?.resume();
    else void member.process?.pause();
    this.setState(member, isPaused ? (this.cutOff.has(member.id) ? 'cut' : 'up') : 'paused');
    this.options.onLine(this.lineOf(member, isPaused ? 'resume' : 'pause'));
    this.noteAgreement();
  }

  /** Cuts a member off from all others, or heals the cut. */
  private toggleCut(member: Member): void {
    const isCut = this.cutOff.delete(member.id);
    if (!isCut) this.cutOff.add(member.id);
    if (member.state === 'up' || member.state === 'cut') this.setState(member, isCut ? 'up' : 'cut');
    this.options.onLine(this.lineOf(member, isCut ? 'heal' : 'cut'));
    for (const each of this.list) this.tellCuts(each);
    this.noteAgreement();
  }

  /** Asks each member for a line of type `status`. */
  askStatus(): void {
    for (const { process, state } of this.list) if (state !== 'paused') process?.send({ type: 'status' });
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.processes.close();
  }

  private member(id: number): Member | undefined {
    return this.list.find((member) => member.id === id);
  }

  /** Resolves when it is up. */
  private async spawn(member: Member): Promise<void> {
    const { id } = member;
    const own = ['--members', this.memberFile, '--id', `${id}`, '--secret-file', this.secretFile];
    const started = this.processes.start(
      [this.options.program, 'node', ...own, '--events', ...this.options.args],
      'lines',
      { ...process.env, HUSTINGS_WITH_PARENT: '1' },
    );
    member.process = started;
    member.line = null;
    this.setState(member, 'starting');
    const up = new Promise<void>((resolve) => {
      started.onMessage((line: NodeLine) => {
        this.receive(member, line);
        resolve();
      });
    });
    const exit = started.end.then((end) => this.noteExit(member, started.pid, end));
    await Promise.race([up, exit]);
    const errorText = started.lastError.replace(/^hustings: /, '');
    if (!started.isRunning && !this.isClosing && member.line === null && errorText !== '') {
      throw new EnvironmentError(`member ${id} cannot start: ${errorText}`);
    }
  }

  private receive(member: Member, line: NodeLine): void {
    const before = member.line;
    // Only lines of type status have the counts.
    member.line = { sent: before?.sent, received: before?.received, ...line };
    if (member.state === 'starting') {
      this.setState(member, this.cutOff.has(member.id) ? 'cut' : 'up');
      this.tellCuts(member);
    }
    if (before === null || before.leader !== line.leader || before.leads !== line.leads) {
      member.changedAt = line.at;
    }
    this.options.onLine(line);
    this.noteAgreement();
  }

  private noteExit(member: Member, pid: number, { code, signal }: ProcessEnd): void {
    member.process = null;
    if (this.isClosing) return;
    this.setState(member, 'down');
    this.options.onLine({ ...this.lineOf(member, 'exit'), leader: null, code, signal, pid });
    this.noteAgreement();
  }

  /** Without a member, `node` is 0. */
  private noteError(member: Member | undefined, text: string): void {
    this.options.onLine({ ...this.lineOf(member ?? { id: 0, process: null, line: null }, 'error'), text });
  }

  private lineOf({ process, id, line }: Pick<Member, 'process' | 'id' | 'line'>, type: string): NodeLine {
    const { epoch = 0, leader = null } = line ?? {};
    return { type, at: Date.now(), node: id, pid: process?.pid ?? 0, leader, epoch };
  }

  private setState(member: Member, state: LocalMember['state']): void {
    member.state = state;
    member.changedAt = Date.now();
  }

  private tellCuts(member: Member): void {
    const others = this.list.map(({ id }) => id).filter((id) => id !== member.id);
    const peers = this.cutOff.has(member.id) ? others : others.filter((id) => this.cutOff.has(id));
    member.process?.send({ type: 'cut', peers });
  }

  /**
   * Reports when all members that are up name the same one of them as the leader, and it leads. Anonymous members name none: the others
   * know that they are not the leader of this epoch.
   */
  private noteAgreement(): void {
    const up = this.list.filter(({ state }) => state === 'up');
    const leader = up.find(({ id, line }) => line?.leads === true && line.leader === id);
    const isAgreed =
      leader !== undefined &&
      up.every(({ line }) =>
        line?.leader === null
          ? line.ready === true && line.epoch === leader.line?.epoch
          : line?.leader === leader.id,
      ) &&
      up.filter(({ line }) => line?.leads === true).length === 1 &&
      this.list.every(({ state }) => state !== 'starting');
    const agreement = isAgreed
      ? `${leader.id} ${String(leader.line?.token)} ${up.map(({ id }) => id).join(',')}`
      : '';
    if (agreement === this.agreement) return;
    this.agreement = agreement;
    if (isAgreed) this.options.onLine({ ...this.lineOf(leader, 'agreed'), members: up.map(({ id }) => id) });
  }
}

function refuseFolder(error: unknown): never {
  const why = `the members need a folder in ${tmpdir()}, which cannot be used: ${reasonOf(error)}`;
  throw new EnvironmentError(`${why}; set TMPDIR to another one`, error);
}

/** Below the ports that systems give to outgoing connections, so that none of them takes it before the member listens. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_000];
const given = new Set<number>();

async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (!given.has(port) && (await isFree(port))) {
      given.add(port);
      return port;
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
