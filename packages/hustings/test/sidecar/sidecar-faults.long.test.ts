import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWith } from '../../../../test-kit/programs/describe-with.ts';
import { goWorker, WORKERS } from './replicas.ts';
import { FAULTS, runFault, startPair } from './sidecar-faults.ts';

const ROUNDS = 60;

it('60 faults in a random order: no write under an old token, no lead before the lease has run out', async () => {
  const seed = Number(process.env.HUSTINGS_SEED ?? Date.now() % 2 ** 31);
  process.stderr.write(`HUSTINGS_SEED=${seed}\n`);
  let state = seed;
  const draw = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * most);
  };
  const folder = mkdtempSync(join(tmpdir(), 'hustings-sidecar-'));
  const pair = await startPair({ folder }, [WORKERS.python, WORKERS.bash]);
  const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const fault = names[draw(names.length)];
      await runFault(pair, fault);
    }
    expect(pair.resource.accepted.length).toBeGreaterThan(ROUNDS * 3);
    expect(pair.resource.refused).toBeGreaterThanOrEqual(ROUNDS);
    const { accepted, refused } = pair.resource;
    process.stderr.write(`${accepted.length} writes accepted, ${refused} refused\n`);
  } finally {
    pair.end();
    rmSync(folder, { recursive: true, force: true });
  }
});

await describeWith('go', 'the example in Go', () => {
  it('leads in turn with the one in Python, through faults of the service and of the sidecar', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hustings-sidecar-'));
    const pair = await startPair({ folder }, [goWorker(folder), WORKERS.python]);
    try {
      await runFault(pair, 'the service is killed');
      await runFault(pair, 'the service is killed');
      await runFault(pair, 'the service is stopped, its connections open');
      await runFault(pair, 'the sidecar is killed');
    } finally {
      pair.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
