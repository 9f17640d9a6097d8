/** Replicas of a service as processes. The one that leads is stopped by SIGSTOP until another one leads, and goes on after that. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { localMembers, SECURITY } from '../wire/wire-cluster.ts';

const PROGRAM = fileURLToPath(new URL('./service-process.mjs', import.meta.url));
const PAUSES = 6;
const LIMIT = { timeout: 60_000, interval: 20 };

const folder = temporaryFolder();
let children: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(
    children.map(async (child) => {
      const ended = child.exitCode !== null || child.signalCode !== null;
      child.kill('SIGKILL');
      if (!ended) await once(child, 'exit');
    }),
  );
  children = [];
});

/** A step of the work, at the time of the look before it. */
interface WorkStep {
  readonly at: number;
  readonly id: number;
  readonly token: number;
}

class Service {
  readonly processes = new Map<number, ChildProcess>();
  constructor(private readonly journal: string) {}

  static async start(name: string, options: object): Promise<Service> {
    const place = join(folder.path, name);
    mkdirSync(place);
    const service = new Service(join(place, 'journal'));
    const members = await localMembers(3);
    for (const { id } of members.members) {
      const own = { members, id, folder: join(place, `member-${id}`), journal: service.journal };
      const child = startProcess(
        process.execPath,
        [PROGRAM, JSON.stringify({ security: SECURITY, ...own, ...options })],
        {
          stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        },
      );
      children.push(child);
      service.processes.set(id, child);
    }
    return service;
  }

  /** By the time of the look. */
  get steps(): WorkStep[] {
    if (!existsSync(this.journal)) return [];
    const lines = readFileSync(this.journal, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as WorkStep).sort((a, b) => a.at - b.at);
  }

  /** Waits for steps of a process with a token above this one; returns the latest step. */
  async worked(above: number): Promise<WorkStep> {
    const latest = (): WorkStep | undefined => this.steps.findLast(({ token }) => token > above);
    await vi.waitUntil(() => latest() !== undefined, LIMIT);
    return latest() as WorkStep;
  }

  /** SIGSTOP of the process that leads, until another one works, and then SIGCONT. */
  async suspendLeader(): Promise<void> {
    const { id, token } = this.steps.at(-1) as WorkStep;
    const child = this.processes.get(id) as ChildProcess;
    child.kill('SIGSTOP');
    const next = await this.worked(token);
    expect(next.id).not.toBe(id);
    child.kill('SIGCONT');
    // Long enough for late timers, answers and the steps that follow them.
    await sleep(300);
  }
}

/** Steps with a smaller token than an earlier step of another process, and tokens of two processes. */
function wrongSteps(steps: readonly WorkStep[]): string[] {
  const holders = new Map<number, number>();
  const wrong: string[] = [];
  let largest: WorkStep = { at: 0, id: 0, token: 0 };
  for (const step of steps) {
    const holder = holders.get(step.token) ?? step.id;
    holders.set(step.token, holder);
    if (holder !== step.id) wrong.push(`${holder} and ${step.id} worked with token ${step.token}`);
    if (step.token < largest.token)
      wrong.push(`${step.id} worked with token ${step.token} after ${largest.id} with ${largest.token}`);
    else largest = step;
  }
  return wrong;
}

const KINDS: readonly [string, object][] = [
  ['raft', { algorithm: 'raft', heartbeatMs: 100 }],
  ['bully with a quorum', { algorithm: 'bully', quorum: true, leaseMs: 1_000, heartbeatMs: 100 }],
];

describe.skipIf(process.platform === 'win32')('a leader that is suspended until another one leads', () => {
  it.each(KINDS)(
    '%s: does no step of its work after it; tokens are distinct and rise',
    async (name, options) => {
      const service = await Service.start(name, options);
      await service.worked(0);
      for (let pause = 0; pause < PAUSES; pause++) await service.suspendLeader();
      const { steps } = service;
      expect(wrongSteps(steps)).toEqual([]);
      const tokens = [...new Set(steps.map(({ token }) => token))];
      expect(tokens.length).toBeGreaterThan(PAUSES);
      process.stdout.write(`${name}: ${steps.length} steps with ${tokens.length} tokens: ${tokens}\n`);
    },
    180_000,
  );

  it('the same check sees a service that does not look at its signal', async () => {
    const service = await Service.start('careless', { ...KINDS[0][1], careless: true });
    await service.worked(0);
    await service.suspendLeader();
    await vi.waitUntil(() => wrongSteps(service.steps).length > 0, LIMIT);
  }, 120_000);
});
