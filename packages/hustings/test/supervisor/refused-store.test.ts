import type { ChildProcess } from 'node:child_process';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAIN } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { describeWith, startRedis, type TestServer } from '../../../../test-kit/servers/index.ts';
import { until } from '../../../../test-kit/until.ts';

/** A supervisor whose command runs until it is stopped. */
class Supervised {
  stderr = '';
  code: number | null = null;
  readonly child: ChildProcess;

  constructor(url: string, args: readonly string[]) {
    const command = ['--', 'bash', '--norc', '-c', "trap 'exit 0' TERM; while :; do sleep 0.05; done"];
    this.child = startProcess(process.execPath, [MAIN, ...args, ...command], {
      env: { ...process.env, HUSTINGS_STORE: url },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr!.on('data', (data) => {
      this.stderr += data;
    });
    this.child.on('close', (code) => {
      this.code = code ?? -1;
    });
  }

  count(text: RegExp): number {
    return this.stderr.match(new RegExp(text, 'g'))?.length ?? 0;
  }

  /** Fails at once if the process has exited. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    return until(() => {
      if (this.code !== null) throw new Error(`exit code ${this.code}:\n${this.stderr}`);
      return isSo();
    });
  }

  async ended(): Promise<number> {
    await eventually('it exits', () => this.code !== null);
    return this.code!;
  }
}

const REFUSED = /refuses a command or a key/;
const LEADING = /leading with token \d+\n/;

await describeWith('redis-server', 'a store that refuses a supervisor', () => {
  let server: TestServer;
  let admin: Redis;
  const started: Supervised[] = [];
  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.port);
  });
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    admin?.disconnect();
    await server?.stop();
  });

  const allow = (user: string) =>
    admin.call('ACL', 'SETUSER', user, 'on', '>secret', 'allkeys', 'allchannels', '+@all');
  const refuse = (user: string) => admin.call('ACL', 'SETUSER', user, '-@all');

  function start(user: string, args: readonly string[]): Supervised {
    const supervised = new Supervised(`redis://${user}:secret@127.0.0.1:${server.port}`, args);
    started.push(supervised);
    return supervised;
  }

  it.concurrent.each([
    ['lead', ['lead', 'led', '--ttl', '3s']],
    ['cron', ['cron', 'scheduled', '--cron', '* * * * * *', '--ttl', '3s']],
  ])('%s leads again once the store accepts its leader again', async (user, args) => {
    await allow(user);
    const run = start(user, args);
    await run.until(() => run.count(LEADING) > 0);
    await refuse(user);
    await run.until(() => run.count(/term \d+ ended: /) === run.count(LEADING));
    const before = await refusals(user);
    await run.until(async () => (await refusals(user)) >= before + 3);
    const terms = run.count(LEADING);
    expect(run.count(REFUSED)).toBe(1);
    await allow(user);
    await run.until(() => run.count(LEADING) > terms);
    run.child.kill('SIGTERM');
    await run.ended();
  });

  it.concurrent.each([
    ['stranger', ['lead', 'strange']],
    ['passer-by', ['cron', 'strange-job', '--cron', '* * * * *']],
  ])('that never accepted it ends %s with 69, in one line', async (user, args) => {
    await allow(user);
    await refuse(user);
    const run = start(user, args);
    expect(await run.ended()).toBe(69);
    expect(run.count(REFUSED)).toBe(1);
    expect(run.stderr).toMatch(/^hustings: redis:\/\/127\.0\.0\.1:\d+ refuses a command or a key.*\n$/m);
  });

  /** How often the server has refused a script of the user. */
  async function refusals(user: string): Promise<number> {
    const log = (await admin.call('ACL', 'LOG', '128')) as (string | number)[][];
    const entries = log.map((entry) => ({
      user: entry[entry.indexOf('username') + 1],
      count: Number(entry[entry.indexOf('count') + 1]),
    }));
    return entries.filter((entry) => entry.user === user).reduce((sum, { count }) => sum + count, 0);
  }
});
