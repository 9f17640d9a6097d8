import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { soak } from './soak.ts';

/** 30 minutes by default. */
const MINUTES = Number(process.env.HUSTINGS_SOAK_MINUTES ?? 30);

test(`${MINUTES} minutes of joins, leaves, kills and suspensions: no shard has two owners by the fence, and no work is lost`, {
  timeout: (MINUTES + 10) * 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-soak-'));
  const seed = Number(process.env.HUSTINGS_SEED ?? Date.now() % 2 ** 31);
  try {
    const result = await soak({
      ...{ store: `sqlite:${join(folder, 'leases.db')}`, folder, shards: 24, ttlMs: 5_000, seed },
      durationMs: MINUTES * 60_000,
    });
    const { end, ...figures } = result;
    process.stdout.write(`soak, HUSTINGS_SEED=${seed}: ${JSON.stringify(figures)}\n`);
    expect(result.violations).toEqual([]);
    expect(result.kills + result.leaves + result.suspensions).toBeGreaterThan(MINUTES);
    expect(result.writes).toBeGreaterThan(24 * MINUTES);
    expect(end.shards).toHaveLength(24);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
