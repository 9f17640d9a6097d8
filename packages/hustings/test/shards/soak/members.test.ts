import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { soak } from './soak.ts';

test('real processes on SQLite that join, leave, are killed and suspended: one owner by the fence, and no work is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-members-'));
  const options = { store: `sqlite:${join(folder, 'leases.db')}`, folder, shards: 8, ttlMs: 2_000, seed: 5 };
  try {
    const { violations, end, writes } = await soak({ ...options, durationMs: 5_000 });
    expect(violations).toEqual([]);
    expect(end.shards.every(({ owner }) => owner !== null)).toBe(true);
    expect(writes).toBeGreaterThan(8);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);
