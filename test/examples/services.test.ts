import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../packages/hustings/src/lease/open-store.ts';
import { eventually } from '../../test-kit/eventually.ts';
import { runProcess, startProcess } from '../../test-kit/limits/child-process.ts';
import { createSandbox, withTypeScript } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';

const EXAMPLES = 'examples/services';
const PAGE = readFileSync(join(ROOT, 'docs/deploying.md'), 'utf8');
/** The packages of the page, which a reader installs. */
const PACKAGES = [...PAGE.matchAll(/^npm install (.+)$/gm)].flatMap(([, names]) => names.split(' '));
/** For `hustings run`, which runs the services where Node runs no TypeScript, and in place of tsx. */
PACKAGES.push('esbuild');
/** The commands of the page that start a service. */
const COMMANDS = [...PAGE.matchAll(/^(?:node|npx tsx --tsconfig \S+) examples\/services\/(\w+)\.ts$/gm)].map(
  ([command, service]) => ({ command, service }),
);
const place = createSandbox(ROOT);
const { folder } = place;
const children: ChildProcess[] = [];

beforeAll(() => {
  for (const name of PACKAGES) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link, 'dir');
  }
  cpSync(join(ROOT, EXAMPLES), join(folder, EXAMPLES), { recursive: true });
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  place.remove();
});

it('the page has the command of every service', () => {
  const services = readdirSync(join(ROOT, EXAMPLES)).filter(
    (file) => file.endsWith('.ts') && file !== 'reports.ts',
  );
  expect(COMMANDS.map(({ service }) => `${service}.ts`).sort()).toEqual(services.sort());
});

/** One replica, as a process of its own. */
async function start({ command, service }: (typeof COMMANDS)[0], replica: string) {
  const child = startProcess('bash', ['-c', withTypeScript(command)], {
    cwd: folder,
    env: { ...place.env, REPLICA: replica, HUSTINGS_STORE: `sqlite:${join(folder, `${service}.db`)}` },
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

describe.each(COMMANDS)('the service $service, started by the command of the page', (one) => {
  const { service } = one;

  it('runs the job on one replica, serves probes and metrics on both, and hands over after SIGTERM', async () => {
    const replicas = await Promise.all([start(one, 'a'), start(one, 'b')]);
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
