import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { describeWith, startRedis, type TestServer } from '../../../../../test-kit/servers/index.ts';
import { type LeaseStore, openStore } from '../../../src/lease/index.ts';
import { lead } from './lease-claim.ts';

const folder = temporaryFolder();

/** The same on every store: `at` is its URL. */
function operates(at: () => string): void {
  const run = (...args: string[]) => hustings(args, folder.path, { HUSTINGS_STORE: at() });
  let store: LeaseStore;
  beforeAll(async () => {
    expect(run('store', 'init').status).toBe(0);
    store = await openStore(at());
  });
  afterAll(() => store?.close());
  const termOf = async (name: string): Promise<bigint> => {
    const term = await lead(store, name, 'a');
    await term.release();
    return term.token;
  };

  it('store init --token-from: every later term of every election has a larger token', async () => {
    const before = await termOf('moved');
    const tokenFrom = before + 1_000_000_000_000n;
    const { status, stdout, stderr } = run('store', 'init', '--token-from', `${tokenFrom}`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`\n✓ every new term has a token above ${tokenFrom}\n`);
    expect(await termOf('moved')).toBeGreaterThan(tokenFrom);
    expect(await termOf('new')).toBeGreaterThan(tokenFrom);
    // A smaller one changes nothing.
    const again = JSON.parse(run('store', 'init', '--token-from', '7', '--json').stdout);
    expect(again).toMatchObject({ ready: true, tokenFrom: '7' });
    expect(await termOf('newer')).toBeGreaterThan(tokenFrom);
  });

  it('store prune: deletes and prints idle elections, and their tokens still rise', async () => {
    const token = await termOf('idle');
    const held = await lead(store, 'in use', 'a');
    await sleep(50);
    const kept = run('store', 'prune', '--idle', '1h');
    expect(kept).toMatchObject({ status: 0, stdout: '✓ 0 elections were idle for 1 h and deleted\n' });
    const dryRun = run('store', 'prune', '--idle', '20ms', '--dry-run');
    expect(dryRun.status).toBe(0);
    expect(dryRun.stdout).toMatch(
      /^idle\n(.+\n)*✓ \d+ elections? (was|were) idle for 20 ms, and would be deleted\n$/m,
    );
    expect(await store.names()).toContain('idle');
    const { status, stdout } = run('store', 'prune', '--idle', '20ms');
    const names = stdout.split('\n').slice(0, -2);
    expect(names).toEqual([...names].sort());
    expect(names).toContain('idle');
    expect(names).not.toContain('in use');
    expect(stdout).toMatch(/\n✓ \d+ elections were idle for 20 ms and deleted\n$/);
    expect(status).toBe(0);
    expect(await store.names()).toEqual(['in use']);
    expect(await store.history('idle')).toEqual([]);
    expect(JSON.parse(run('store', 'prune', '--idle', '20ms', '--json', '--dry-run').stdout)).toMatchObject({
      dryRun: true,
    });
    expect(JSON.parse(run('store', 'prune', '--idle', '20ms', '--json').stdout)).toMatchObject({
      dryRun: false,
      idleMs: 20,
      count: 0,
      names: [],
    });
    expect(await termOf('idle')).toBeGreaterThan(token);
    await held.release();
  });
}

describe('on SQLite', () => {
  const at = () => `sqlite:${join(folder.path, 'leases.db')}`;
  operates(at);

  it.each([
    [['store', 'init', '--token-from', '-1'], /--token-from must be a token, a whole number from 1/],
    [['store', 'init', '--token-from', '1.5'], /--token-from must be a token/],
    [['store', 'init', '--token-from', '0'], /--token-from must be a token/],
    [['store', 'init', '--token-from', `${2n ** 62n + 1n}`], /--token-from must be a token/],
    [['store', 'init', '--token-from', '7', '--print'], /--print and --token-from exclude each other/],
    [['store', 'prune'], /--idle is required/],
    [['store', 'prune', '--idle', '30'], /--idle must be a duration with a unit/],
    [['store', 'prune', '--idle', '0s'], /--idle must be longer than 0/],
    [['store', 'prune', '--idle', '99999d'], /--idle must be at most 36600 days/],
    [['store', 'prne'], /'prne' is not an action of store: it has init and prune; did you mean prune\?/],
  ])('for hustings %j there is one line, exit code 2 and nothing printed', (args, says) => {
    const { status, stdout, stderr } = hustings(args, folder.path, { HUSTINGS_STORE: at() });
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it('prune does not create a file', () => {
    const url = `sqlite:${join(folder.path, 'missing.db')}`;
    const { status, stderr } = hustings(['store', 'prune', '--idle', '30d', '--store', url]);
    expect(stderr).toContain('does not exist');
    expect(status).toBe(3);
  });
});

await describeWith('redis-server', 'on Redis', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  operates(() => server.url);
});
