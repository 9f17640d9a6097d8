/** The lock of a folder with a long path, between processes that have nothing else in common. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { lockFolder } from '../../src/host/folder-lock.ts';

const machine = vi.hoisted(() => ({ hasProc: true }));
vi.mock(import('node:fs'), async (original) => {
  const actual = await original();
  const exists: typeof actual.existsSync = (path) =>
    actual.existsSync(path) && (machine.hasProc || !`${path}`.startsWith('/proc'));
  return { ...actual, existsSync: exists };
});

const kills = new Set<() => Promise<void>>();
let base = '';
let folder = '';
let temporary = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hustings-lock-'));
  folder = join(base, 'x'.repeat(150));
  temporary = join(base, 'tmp');
  for (const each of [folder, temporary]) mkdirSync(each);
});
afterEach(async () => {
  for (const kill of kills) await kill();
  kills.clear();
  machine.hasProc = true;
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

/** The descriptors of this process that are open for the folder. */
const descriptors = (): string[] =>
  readdirSync('/proc/self/fd').filter((fd) => {
    const path = `/proc/self/fd/${fd}`;
    return existsSync(path) && readlinkSync(path) === folder;
  });

/** Runs in another process, with its own descriptor of the folder. Resolves with what it prints first. It ends with the test. */
async function elsewhere(program: string): Promise<{ says: string; kill(): Promise<void> }> {
  const text = `const net = require('net'); const path = '/proc/self/fd/' + require('fs').openSync(process.argv[1], 'r') + '/lock'; ${program}`;
  const child = startProcess(process.execPath, ['-e', text, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  kills.add(kill);
  const says = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data) => resolve(`${data}`)),
  );
  return { says: says.trim(), kill };
}

describe.runIf(process.platform === 'linux')('a folder whose path is too long for a socket', () => {
  it('is locked for a process that has another place for temporary files', async () => {
    const unlock = await lockFolder(folder, 1);
    vi.stubEnv('TMPDIR', temporary);
    await expect(lockFolder(folder, 1)).rejects.toMatchObject({ code: 'HUSTINGS_MEMBER_RUNS' });
    unlock();
    await expect.poll(() => readdirSync(folder)).toEqual([]);
    (await lockFolder(folder, 1))();
  });

  it('leaves no file and no descriptor behind, also if it is refused or freed twice', async () => {
    const unlock = await lockFolder(folder, 1);
    expect(readdirSync(folder)).toEqual(['lock']);
    await expect(lockFolder(folder, 1)).rejects.toThrow(`uses the folder ${folder} already`);
    expect(descriptors()).toHaveLength(1);
    unlock();
    unlock();
    await expect.poll(() => [...readdirSync(folder), ...descriptors()]).toEqual([]);
  });

  it('has a lock that other processes reach by their own descriptors', async () => {
    const unlock = await lockFolder(folder, 1);
    const { says } = await elsewhere(
      `net.connect(path).on('connect', () => console.log('reached')).on('error', (error) => console.log(error.code))`,
    );
    expect(says).toBe('reached');
    unlock();
  });

  it('is refused while another process has it, and free when that one was killed', async () => {
    const { kill, says } = await elsewhere(`net.createServer().listen(path, () => console.log('listens'))`);
    expect(says).toBe('listens');
    await expect(lockFolder(folder, 1)).rejects.toMatchObject({ code: 'HUSTINGS_MEMBER_RUNS' });
    await kill();
    expect(readdirSync(folder)).toEqual(['lock']);
    (await lockFolder(folder, 1))();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is named in errors, and not the descriptor', async () => {
    writeFileSync(join(folder, 'lock'), 'a file');
    await expect(lockFolder(folder, 1)).rejects.toThrow(
      `${folder}/lock exists and is not a socket; remove it, or use another path`,
    );
    expect(descriptors()).toEqual([]);
  });

  it('is refused where a descriptor has no path', async () => {
    machine.hasProc = false;
    await expect(lockFolder(folder, 1)).rejects.toThrow(
      /^the folder of a member must have a path of at most 91 bytes, and \/.*x has \d+; use another folder$/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});
