/** Members as real processes on every store that processes can share, a minute each: `HUSTINGS_SOAK_SECONDS` changes that. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { missing } from '../../../../../test-kit/servers/index.ts';
import { TEST_STORES } from '../../lease/faults/stores.ts';
import { soak } from './soak.ts';

const SECONDS = Number(process.env.HUSTINGS_SOAK_SECONDS ?? 60);
const seed = Number(process.env.HUSTINGS_SEED ?? Date.now() % 2 ** 31);

describe('shards with joins, leaves, kills and suspensions', async () => {
  for (const { title, program, start, plan } of TEST_STORES) {
    const reason = program === null ? undefined : await missing(program);
    const claim = reason === undefined ? test : test.skip;
    claim(
      `on ${title}: no shard has two owners by the fence, no work is lost, and all shards have an owner in the end${reason === undefined ? '' : ` (${reason})`}`,
      { timeout: SECONDS * 1_000 + 600_000 },
      async () => {
        const folder = mkdtempSync(join(tmpdir(), 'hustings-soak-'));
        const server = await start();
        try {
          const { url } = plan(server);
          const options = { store: url(folder), folder, shards: 12, ttlMs: 5_000, seed };
          const { end, ...figures } = await soak({ ...options, durationMs: SECONDS * 1_000 });
          process.stdout.write(`shards on ${title}, HUSTINGS_SEED=${seed}: ${JSON.stringify(figures)}\n`);
          expect(figures.violations).toEqual([]);
          expect(end.shards).toHaveLength(12);
        } finally {
          await server?.stop();
          rmSync(folder, { recursive: true, force: true });
        }
      },
    );
  }
});
