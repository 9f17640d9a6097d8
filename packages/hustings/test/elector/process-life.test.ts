/** An elector keeps its process alive while it campaigns or leads, and no longer. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { runProcess } from '../../../../test-kit/limits/child-process.ts';
import { describeWith, startPostgres, startRedis } from '../../../../test-kit/servers/index.ts';

const LIMIT_MS = 30_000;
const folder = temporaryFolder();

/** Runs a program that has an `elector`, and returns its output. A program that hangs is killed, and the test fails. */
function program(url: string, body: string): string {
  const text = `
    import { createElector } from '${join(ROOT, 'packages/hustings/dist/index.js')}';
    const elector = createElector({ store: process.env.STORE, name: 'life', ttlMs: 3000 });
    ${body}`;
  const { status, stdout, stderr } = runProcess(
    process.execPath,
    ['--expose-gc', '--input-type=module', '-e', text],
    {
      limitMs: LIMIT_MS,
      env: { ...process.env, STORE: url },
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** The store is never closed here: an open store must not keep the process alive. */
function claims(url: () => string): void {
  test(
    'that only reads the leader exits by itself',
    () => {
      expect(program(url(), `console.log((await elector.leader()).type);`)).toBe('vacant\n');
    },
    LIMIT_MS,
  );

  test(
    'exits by itself after its lease is released',
    () => {
      const body = `const lead = await elector.acquire(); await lead.release(); console.log('done');`;
      expect(program(url(), body)).toBe('done\n');
    },
    LIMIT_MS,
  );

  test(
    'stays alive while it waits for leadership',
    () => {
      const body = `
      const lead = await elector.acquire();
      const waiting = elector.acquire({ timeoutMs: 500 }).catch((error) => error.code);
      console.log(await waiting);
      await lead.release();`;
      expect(program(url(), body)).toBe('HUSTINGS_ACQUIRE_TIMEOUT\n');
    },
    LIMIT_MS,
  );
}

describe('a process with an elector in memory', () => claims(() => 'memory:'));
describe('a process with an elector on SQLite', () =>
  claims(() => `sqlite:${join(folder.path, 'leases.db')}`));

test(
  'a watch that has ended leaves less than 500 bytes behind, also on a signal that never aborts',
  () => {
    const body = `
      const stop = new AbortController();
      const watchAll = async (times) => {
        for (let i = 0; i < times; i++) {
          const views = elector.watch({ signal: stop.signal });
          await views.next();
          await views.return();
        }
        gc();
        return process.memoryUsage().heapUsed;
      };
      const before = await watchAll(500);
      console.log(((await watchAll(3_000)) - before) / 3_000);`;
    expect(Number(program('memory:', body))).toBeLessThan(500);
  },
  LIMIT_MS,
);

for (const [needed, title, start] of [
  ['redis-server', 'Redis', startRedis],
  ['postgres', 'PostgreSQL', startPostgres],
] as const) {
  await describeWith(needed, `a process with an elector on ${title}`, () => {
    test(
      'stays alive until its lease is released, then exits',
      async () => {
        const server = await start();
        try {
          const body = `await (await elector.acquire()).release(); console.log('done');`;
          expect(program(server.url, body)).toBe('done\n');
        } finally {
          await server.stop();
        }
      },
      LIMIT_MS,
    );
  });
}
