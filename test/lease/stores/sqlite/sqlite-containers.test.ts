import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../../src/lease/open-store.ts';
import { buildBefore, temporaryFolder } from '../../../cli/command.ts';
import { ROOT } from '../../../source/source-file.ts';
import { eventually } from '../../../supervisor/eventually.ts';

buildBefore();
const folder = temporaryFolder();
const REPLICA = join(ROOT, 'test/lease/host/replica.mjs');
const TTL_MS = 1_500;

/** Runs a command with a boot id of its own, as LXC, Incus and systemd-nspawn give one to each container. */
function inContainer(command: readonly string[]): string[] {
  const bootId = join(folder.path, randomUUID());
  writeFileSync(bootId, `${randomUUID()}\n`);
  const bind = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"';
  return ['unshare', '--mount', 'sh', '-c', bind, bootId, ...command];
}

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

function startReplica(url: string) {
  const [command, ...args] = inContainer([process.execPath, '--no-warnings', REPLICA, url, String(TTL_MS)]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  const said = (type: string): number => output.split(`"${type}"`).length - 1;
  return { child, said };
}

describe('containers of one host that share the file of leases, each with a boot id of its own', () => {
  it('have one leader, and succeed it when its lease has expired', async ({ skip }) => {
    const [command, ...args] = inContainer(['true']);
    skip(spawnSync(command, args).status !== 0, 'mounts over /proc are not permitted here');
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
});
