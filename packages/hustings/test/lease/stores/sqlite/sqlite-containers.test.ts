import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../../../../test/source/source-file.ts';
import { MAIN, temporaryFolder } from '../../../../../../test-kit/command.ts';
import { eventually } from '../../../../../../test-kit/eventually.ts';
import { outputOf, runProcess, startProcess } from '../../../../../../test-kit/limits/child-process.ts';
import { openStore } from '../../../../src/lease/open-store.ts';
import { claimOf } from '../../contract/single-call.ts';

const folder = temporaryFolder();
const REPLICA = join(ROOT, 'packages/hustings/test/lease/host/replica.mjs');
const TTL_MS = 1_500;

function newBootId(): string {
  const path = join(folder.path, randomUUID());
  writeFileSync(path, `${randomUUID()}\n`);
  return path;
}

/** Runs a command with a boot id of its own, as LXC, Incus and systemd-nspawn give one to each container. */
function inContainer(command: readonly string[], bootId = newBootId()): string[] {
  const bind = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"';
  return ['unshare', '--mount', 'sh', '-c', bind, bootId, ...command];
}

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

function startReplica(url: string) {
  const [command, ...args] = inContainer([process.execPath, '--no-warnings', REPLICA, url, String(TTL_MS)]);
  const child = startProcess(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  const output = outputOf(child);
  const said = (type: string): number => output.stdout.split(`"${type}"`).length - 1;
  return { child, said };
}

describe('containers of one host that share the file of leases, each with a boot id of its own', () => {
  it('have one leader, and succeed it when its lease has expired', async ({ skip }) => {
    const [command, ...args] = inContainer(['true']);
    skip(runProcess(command, args).status !== 0, 'mounts over /proc are not permitted here');
    const url = `sqlite:${join(folder.path, 'leases.db')}`;
    const first = startReplica(url);
    await eventually('the first leads', () => first.said('elected') === 1);
    const second = startReplica(url);
    await eventually('the second stands', () => second.said('waiting') + second.said('elected') > 0);
    // The time that the second observes the lease before it could take it.
    await sleep(1.5 * TTL_MS);
    expect([first.said('elected'), second.said('elected')]).toEqual([1, 0]);
    first.child.kill('SIGKILL');
    await eventually('the second leads', () => second.said('elected') === 1);
    const store = await openStore(url);
    expect((await store.history('x')).map(({ cause }) => cause)).toEqual([null, 'expired']);
    await store.close();
  });

  it('run a job that does not wait again, after its container was replaced', async ({ skip }) => {
    const [command, ...args] = inContainer(['true']);
    skip(runProcess(command, args).status !== 0, 'mounts over /proc are not permitted here');
    const url = `sqlite:${join(folder.path, 'job.db')}`;
    const runIn = (bootId: string): number | null => {
      const lead = ['lead', 'job', '--store', url, '--ttl', '500ms', '--hold-at-least', '1s'];
      const job = [process.execPath, MAIN, ...lead, '--wait', '0s', '--quiet', '--', 'true'];
      const [program, ...rest] = inContainer(job, bootId);
      return runProcess(program, rest).status;
    };
    // The host had the lease and ended without a release.
    const store = await openStore(url);
    const held = await store.acquire([claimOf('job', 'host', { ttlMs: 500, holdAtLeastMs: 1_000 })]);
    expect(held[0].type).toBe('ok');
    await store.close();
    const [second, third] = [newBootId(), newBootId()];
    expect(runIn(second)).toBe(75);
    await eventually('the job runs', () => runIn(third) === 0 || runIn(second) === 0);
    await eventually('the job runs again', () => runIn(second) === 0);
  });
});
