import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith, startMariadb, startPostgres, startRedis } from '../../test-kit/servers/index.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { checkScripts, createSandbox, runBlock, type Sandbox } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';

const page = new URL('../../docs/fencing.md', import.meta.url);
const LIMIT_MS = 60_000;

/** The output of each example. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'fenced-file': /^stale - the token of "billing-cron" must be at least 8, not 7; .*\n$/,
  'fenced-sqlite': /^stale\n$/,
  'fenced-http':
    /^200 done under 7\n200 done under 8\n412 .*HUSTINGS_FENCE_STALE.*\n403 \{ stale: 1, forged: 1,/,
  'fenced-gate': /^sent by the new leader\nstale\nforged\n$/,
  'fenced-postgres': /^rows of the old leader: 0\n$/,
  'fenced-mysql': /^stale\n$/,
  'fenced-redis': /^stale\nby the new leader\n$/,
};

const blocks = parseBlocks(readFileSync(page, 'utf8'));
let place: Sandbox;
beforeAll(() => {
  place = createSandbox(ROOT, ['pg', 'ioredis', 'mysql2', '@types', '@photostructure/sqlite']);
  checkScripts([[place, blocks]]);
});
afterAll(() => place?.remove());

async function expectRuns(name: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const block = blocks.find(({ code }) => code.startsWith(`// ${name}.ts\n`));
  expect(block, `docs/fencing.md shows ${name}.ts`).toBeDefined();
  const { status, detail } = await runBlock(block!, { ...place, env: { ...place.env, ...env } }, LIMIT_MS);
  expect(status, detail).toBe('passed');
  expect(detail).toMatch(PRINTED[name]);
}

describe('docs/fencing.md', () => {
  it('shows the examples that are run here', () => {
    const shown = blocks.map(({ code }) => /^\/\/ ([a-z-]+)\.ts\n/.exec(code)?.[1] ?? code);
    expect(shown.sort()).toEqual(Object.keys(PRINTED).sort());
  });

  it.each(['fenced-file', 'fenced-sqlite', 'fenced-http', 'fenced-gate'])(
    'has an example that works: %s',
    {
      timeout: LIMIT_MS,
    },
    (name) => expectRuns(name),
  );
});

await describeWith('postgres', 'docs/fencing.md on PostgreSQL', () => {
  it('has an example that works', async () => {
    const server = await startPostgres();
    try {
      await expectRuns('fenced-postgres', { DATABASE_URL: server.url });
    } finally {
      await server.stop();
    }
  });
});

await describeWith('mariadbd', 'docs/fencing.md on MariaDB', () => {
  it('has an example that works', { timeout: LIMIT_MS }, async () => {
    const server = await startMariadb();
    try {
      await expectRuns('fenced-mysql', { DATABASE_URL: server.url });
    } finally {
      await server.stop();
    }
  });
});

await describeWith('redis-server', 'docs/fencing.md on Redis', () => {
  it('has an example that works', async () => {
    const server = await startRedis();
    try {
      await expectRuns('fenced-redis', { REDIS_URL: server.url });
    } finally {
      await server.stop();
    }
  });
});
