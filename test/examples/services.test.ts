import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/lease/open-store.ts';
import { buildBefore } from '../cli/command.ts';
import { runProcess, startProcess } from '../limits/child-process.ts';
import { ROOT } from '../source/source-file.ts';
import { eventually } from '../supervisor/eventually.ts';

const SERVICES = ['express', 'fastify', 'nest'];
const PACKAGES = [
  'express',
  'fastify',
  'reflect-metadata',
  ...['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}`),
  '@photostructure/sqlite',
];
const folder = mkdtempSync(join(tmpdir(), 'hustings-services-'));
const children: ChildProcess[] = [];

buildBefore();
beforeAll(() => {
  const link = (name: string, target: string): void => {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(target, place, 'dir');
  };
  link('hustings', ROOT);
  for (const name of PACKAGES) link(name, join(ROOT, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  buildSync({
    entryPoints: SERVICES.map((name) => join(ROOT, 'examples/services', `${name}.ts`)),
    ...{
      outdir: folder,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
    },
    tsconfig: join(ROOT, 'tsconfig.services.json'),
  });
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** One replica, as a process of its own. */
async function start(service: string, replica: string) {
  const child = startProcess(process.execPath, [join(folder, `${service}.js`)], {
    cwd: folder,
    env: { ...process.env, REPLICA: replica, HUSTINGS_STORE: `sqlite:${join(folder, `${service}.db`)}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (printed += data));
  // NestJS raises the signal again after its own hooks have run.
  const isInOrder = (code: number | null, signal: string | null): boolean =>
    code === 0 || (service === 'nest' && signal === 'SIGTERM');
  const ended = new Promise<boolean>((resolve) => {
    child.once('exit', (code, signal) => resolve(isInOrder(code, signal)));
  });
  const [, port] = await eventually(
    `${service} listens: ${printed}`,
    () => /port: (\d+)/.exec(printed),
    60_000,
  );
  const get = (path: string) => fetch(`http://127.0.0.1:${port}/${path}`);
  return { replica, child, ended, get, printed: () => printed };
}

describe.each(SERVICES)('examples/services/%s.ts', (service) => {
  it('runs the job on one replica, serves probes and metrics on both, and hands over after SIGTERM', async () => {
    const replicas = await Promise.all([start(service, 'a'), start(service, 'b')]);
    const reports = (each: (typeof replicas)[0]) => /report by (\w), token (\d+)/.exec(each.printed());
    const leader = await eventually('a report', () => replicas.find(reports));
    const other = replicas.find((each) => each !== leader)!;
    for (const { get, replica } of replicas) {
      const isLeader = replica === leader.replica;
      const [health, ready, metrics] = await Promise.all(['healthz', 'readyz', 'metrics'].map(get));
      expect([health.status, ready.status, metrics.status]).toEqual([200, 200, 200]);
      expect(await health.json()).toMatchObject({ healthy: true });
      expect(await ready.json()).toEqual({ leads: isLeader });
      expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await metrics.text()).toContain(
        `hustings_is_leader{election="reports",candidate="${replica}"} ${Number(isLeader)}`,
      );
    }
    expect(reports(other)).toBeNull();

    leader.child.kill('SIGTERM');
    expect(await leader.ended, leader.printed()).toBe(true);
    expect(leader.printed()).toContain(`${leader.replica} stops`);
    const taken = await eventually('the other reports', () => reports(other));
    expect(BigInt(taken[2])).toBeGreaterThan(BigInt(reports(leader)![2]));
    other.child.kill('SIGTERM');
    expect(await other.ended, other.printed()).toBe(true);
    const store = await openStore(`sqlite:${join(folder, `${service}.db`)}`);
    const causes = (await store.history('reports')).map(({ cause }) => cause);
    await store.close();
    expect(causes).toEqual(['released', 'released']);
  });
});

it('the examples and tests that use other frameworks have correct types', () => {
  expect(existsSync(join(ROOT, 'node_modules/fastify'))).toBe(true);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = runProcess(process.execPath, [tsc, '-p', 'tsconfig.services.json'], {
    cwd: ROOT,
  });
  expect(status, stdout).toBe(0);
});
