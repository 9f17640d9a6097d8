import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { describeWith, startRedis, type TestServer } from '../../../../../test-kit/servers/index.ts';
import { type LeaseStore, openStore } from '../../../src/lease/index.ts';
import { redisHooks } from '../../lease/stores/redis/redis-hooks.ts';
import { lead } from './lease-claim.ts';

const folder = temporaryFolder();
const HOUR_MS = 3_600_000;

describe('hustings ticks --reset', () => {
  const run = (...args: string[]) =>
    hustings(['ticks', ...args, '--reset'], folder.path, { HUSTINGS_STORE: 'sqlite:leases.db' });

  it('says that there is nothing to reset, and exits with 1', async () => {
    const store = await openStore(`sqlite:${join(folder.path, 'leases.db')}`);
    const { token } = await lead(store, 'nightly', 'a');
    const unknown = run('nihgtly');
    expect(unknown).toMatchObject({ status: 1, stderr: '' });
    expect(unknown.stdout).toBe(
      'nothing to reset in nihgtly: it has no recorded ticks\n  did you mean nightly?\n',
    );
    const [{ holder }] = await store.read(['nightly']);
    const tickMs = (await store.time()) - 5_000;
    const request = { name: 'nightly', nonce: holder!.nonce, token, tickMs, missedMs: [], retry: false };
    expect((await store.startTick(request)).type).toBe('started');
    expect(run('nightly')).toMatchObject({
      status: 1,
      stdout: 'nothing to reset in nightly: no recorded tick lies in the future\n',
    });
    const { status, stdout } = run('nightly', '--json');
    expect([status, JSON.parse(stdout)]).toEqual([1, { name: 'nightly', removed: [] }]);
    expect(await store.ticks('nightly')).toHaveLength(1);
    await store.close();
  });

  it('refuses a limit, and has an example in its help', () => {
    const { status, stderr } = run('nightly', '--limit', '3');
    expect([status, stderr]).toEqual([2, 'hustings: --limit has no effect with --reset; leave it out\n']);
    expect(hustings(['ticks', '--help']).stdout).toMatch(/\n {2}hustings ticks nightly --reset\n/);
  });
});

await describeWith('redis-server', 'hustings ticks --reset, on a server', () => {
  let server: TestServer | undefined;
  let admin: Redis | undefined;
  let store: LeaseStore | undefined;
  afterAll(async () => {
    await store?.close();
    admin?.disconnect();
    await server?.stop();
  });

  it('removes the ticks of the future, unless its clock and that of this machine differ', async () => {
    server = await startRedis();
    admin = new Redis(server.url);
    store = await openStore(server.url);
    const { putOffTick } = redisHooks(() => admin!);
    const run = (...args: string[]) => hustings(['ticks', 'job', '--reset', '--store', server!.url, ...args]);
    const { token } = await lead(store, 'job', 'a');
    const [{ holder }] = await store.read(['job']);
    const nowMs = await store.time();
    const start = (tickMs: number) =>
      store!.startTick({ name: 'job', nonce: holder!.nonce, token, tickMs, missedMs: [], retry: false });
    await start(nowMs - 2_000);
    await start(nowMs - 1_000);
    await putOffTick('job', nowMs - 1_000, nowMs + HOUR_MS);

    const clock = join(folder.path, 'clock.mjs');
    writeFileSync(clock, `const now = Date.now; Date.now = () => now() + ${HOUR_MS};`);
    const wrong = hustings(['ticks', 'job', '--reset', '--store', server.url], folder.path, {
      NODE_OPTIONS: `--import ${clock}`,
    });
    expect([wrong.status, wrong.stdout]).toEqual([3, '']);
    expect(wrong.stderr).toMatch(
      /^hustings: the clock of redis:.* is 1 h behind the clock of this machine, .*; set the wrong clock right first\n$/,
    );
    expect(await store.ticks('job')).toHaveLength(2);

    const tick = new Date(nowMs + HOUR_MS).toISOString();
    const { status, stdout } = run('--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'job',
      removed: [{ tick, state: 'running', holder: 'a' }],
    });
    expect((await store.ticks('job')).map(({ tickMs }) => tickMs)).toEqual([nowMs - 2_000]);

    await start(nowMs - 1_500);
    await putOffTick('job', nowMs - 1_500, nowMs + HOUR_MS);
    const shown = run();
    expect(shown.stdout).toMatch(
      /^removed 1 tick of job from the future; the schedule goes on\n\ntick +state/,
    );
    expect(run().status).toBe(1);
  });
});
