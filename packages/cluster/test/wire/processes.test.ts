import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { freePort, startTcpProxy } from '../../../../test-kit/servers/index.ts';
import { RunningProcess } from '../../../base/src/node/running-process.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'hustings-wire-'));
const program = join(folder, 'wire-process.mjs');
const children = new Set<RunningProcess>();

beforeAll(async () => {
  const entry = fileURLToPath(new URL('./wire-process.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' });
});
afterAll(() => {
  for (const child of children) void child.kill();
  rmSync(folder, { recursive: true, force: true });
});

const STOP_MS = 20_000;

type Line = { readonly type: string; readonly n?: number; readonly unacknowledged?: number };

/** A member process, and the lines that it has printed. */
async function start(members: MemberList, id: number) {
  const stdio = ['pipe', 'pipe', 'inherit'];
  const child = new RunningProcess(
    startProcess(process.execPath, [program, JSON.stringify({ members, id })], { stdio }),
  );
  children.add(child);
  const lines: Line[] = [];
  child.onMessage((line: Line) => lines.push(line));
  const count = (type: string): number => lines.filter((line) => line.type === type).length;
  await expect.poll(() => count('listening')).toBe(1);
  return {
    lines,
    count,
    numbers: () => lines.flatMap(({ type, n }) => (type === 'frame' ? [n] : [])),
    send: (to: number, from: number, until: number) => child.send({ to, from, until }),
    /** With SIGKILL it has no time for anything. */
    async stop(signal?: 'SIGKILL') {
      const { code } = await (signal === undefined ? child.endInput(STOP_MS) : child.kill());
      children.delete(child);
      return code;
    },
  };
}

it('two processes lose and repeat nothing while a proxy cuts them, and a killed one comes back as a new one', async () => {
  const port = await freePort();
  const proxy = await startTcpProxy(port);
  const at = (place: number, version: number): MemberList => ({
    cluster: 'demo',
    version,
    members: [
      { id: 1, address: `127.0.0.1:${home}` },
      { id: 2, address: `127.0.0.1:${place}` },
    ],
  });
  const home = await freePort();
  try {
    let two = await start(at(port, 2), 2);
    const one = await start(at(proxy.port, 1), 1);
    const numbers = (until: number): number[] => Array.from({ length: until }, (_, n) => n);
    for (let round = 0; round < 5; round++) {
      // At the latest the last one of these is on its way when the connection is cut.
      for (const [member, to] of [[one, 2] as const, [two, 1] as const])
        member.send(to, 100 * round, 100 * round + 100);
      await expect
        .poll(() => Math.min(one.count('connected'), two.count('connected')))
        .toBeGreaterThan(round);
      proxy.set('cut');
      await expect
        .poll(() => Math.min(one.count('disconnected'), two.count('disconnected')))
        .toBeGreaterThan(round);
      proxy.set('pass');
    }
    await expect.poll(one.numbers, { timeout: 30_000 }).toEqual(numbers(500));
    await expect.poll(two.numbers, { timeout: 30_000 }).toEqual(numbers(500));
    expect([one.count('reset'), two.count('reset')]).toEqual([0, 0]);

    await two.stop('SIGKILL');
    two = await start(at(port, 2), 2);
    await expect.poll(() => one.count('reset')).toBe(1);
    one.send(2, 500, 510);
    await expect.poll(two.numbers).toEqual(numbers(510).slice(500));
    expect([await one.stop(), await two.stop()]).toEqual([0, 0]);
  } finally {
    await proxy.close();
  }
});
