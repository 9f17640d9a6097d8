/** Thirty processes on a server with PostgreSQL's default of a hundred connections. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProcess } from '../../../../../../test-kit/limits/child-process.ts';
import { describeWith, startPostgres, type TestServer } from '../../../../../../test-kit/servers/index.ts';

const PROCESSES = 30;

const distOf = (file: string): string => new URL(`../../../../dist/${file}`, import.meta.url).href;
const SCRIPT = `
const { createElector } = await import('${distOf('elector/create-elector.js')}');
const names = Array.from({ length: 10 }, (_, index) => process.env.CROWD + ' ' + index);
const electors = names.map((name) => createElector({ store: process.env.STORE, name, ttlMs: 3_000 }));
await Promise.all(electors.map((elector) => elector.acquire()));
console.log('leads');
`;

await describeWith('postgres', 'thirty processes that start at once on PostgreSQL', () => {
  let server: TestServer;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  }, 90_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await server?.stop();
  });

  it('all lead, and the server refuses no connection', async () => {
    const admin = new pg.Client(server.url);
    await admin.connect();
    const leading = Array.from({ length: PROCESSES }, async (_, index) => {
      const child = startProcess(process.execPath, ['--input-type=module', '-e', SCRIPT], {
        env: { ...process.env, STORE: server.url, CROWD: `crowd ${index}` },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      const [said] = await once(child.stdout, 'data');
      expect(`${said}`).toBe('leads\n');
    });
    await Promise.all(leading);
    const { rows } = await admin.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'hustings'",
    );
    expect(rows[0].n).toBeLessThanOrEqual(3 * PROCESSES);
    const log = readFileSync(join(server.folder, 'log'), 'utf8');
    expect(log.match(/too many clients|connection slots/g) ?? []).toEqual([]);
    await admin.end();
  }, 120_000);
});
