/** A mutant runtime between real processes is caught by the replay of its recordings; the right one passes the same run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Random } from '../../../study/src/kernel/random.ts';
import { ProcessCluster } from './process-cluster.ts';
import { replayQueue } from './replay-queue.ts';

const seed = Number(process.env.HUSTINGS_CLUSTER_SEED ?? Date.now() % 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'hustings-mutants-'));
const main = join(folder, 'mutant-main.mjs');

const replay = replayQueue();
beforeAll(async () => {
  const entry = fileURLToPath(new URL('./mutant-main.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile: main, bundle: true, platform: 'node', format: 'esm' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Story = (cluster: ProcessCluster, random: Random) => Promise<void>;

/** A member comes and goes while elections are under way, and some links are slow: messages arrive in later epochs. */
const restless: Story = async (cluster, random) => {
  const { ids, network } = cluster;
  for (const a of ids) for (const b of ids) if (a !== b && random.chance(0.5)) network.slow(a, b, 300, 200);
  for (let k = 0; k < 3; k++) {
    await cluster.kill(ids[2]);
    await sleep(400 + random.below(300));
    await cluster.start(ids[2]);
    await sleep(300 + random.below(300));
  }
};

/** Elections in which messages follow each other closely. */
const busy: Story = async (cluster) => {
  await cluster.kill(cluster.ids[0]);
  await sleep(1_000);
  await cluster.start(cluster.ids[0]);
  await sleep(1_000);
};

/** Voters are killed after their vote, and start again. */
const votersRestart: Story = async (cluster) => {
  await vi.waitUntil(() => cluster.leader !== undefined, { timeout: 90_000 });
  const voters = cluster.ids.filter((id) => id !== cluster.leader);
  await cluster.kill(...voters);
  await Promise.all(voters.map((id) => cluster.start(id)));
  await sleep(500);
};

/** What the replay says about a run. */
async function judged(
  algorithm: string,
  story: Story,
  heartbeat: string,
  at: number,
  mutant: string,
): Promise<string> {
  const random = new Random(at, `mutant ${mutant}`);
  const args = ['--algorithm', algorithm, '--heartbeat', heartbeat];
  if (mutant !== '') args.push('--mutant', mutant);
  const cluster = await ProcessCluster.start({ args, random, ids: [3, 8, 12], main });
  try {
    await story(cluster, random);
    await cluster.end();
    const { status, stderr, stdout } = await replay(['replay', cluster.recordings, '--json']);
    if (stdout === '') return `${status}: ${stderr}`;
    const { clean, runs } = JSON.parse(stdout) as {
      clean: boolean;
      runs: { violation: { text: string } | null }[];
    };
    return clean ? 'clean' : runs.flatMap(({ violation }) => violation?.text ?? []).join('\n');
  } finally {
    await cluster.close();
  }
}

interface Mutant {
  /** The guarantee that it lacks. */
  readonly name: string;
  readonly algorithm: string;
  readonly story: Story;
  readonly heartbeat: string;
  readonly caught: RegExp;
}

const MUTANTS: readonly Mutant[] = [
  {
    name: 'drops-epochs',
    algorithm: 'lelann',
    story: restless,
    heartbeat: '40ms',
    caught: /message \S+ is of epoch \d+ of \d+, not of epoch \d+ of \d+/,
  },
  {
    name: 'ignores-order',
    algorithm: 'dolev-klawe-rodeh',
    story: busy,
    heartbeat: '40ms',
    caught: /it overtakes message \S+, which \d+\.trace, line \d+ delivers/,
  },
  {
    name: 'votes-before-sync',
    algorithm: 'raft',
    story: votersRestart,
    // Its elections end on a busy machine too.
    heartbeat: '200ms',
    caught: /member \d+ recovered \{.*\}, but its recorded steps have saved \{/,
  },
];

/** Chance decides whether a run shows the fault. */
const MAX_RUNS = 10;

describe(`seed ${seed}`, () => {
  for (const { algorithm, caught, heartbeat, name, story } of MUTANTS) {
    test.concurrent(`${algorithm}: the right runtime passes the run that catches '${name}'`, async () => {
      expect(await judged(algorithm, story, heartbeat, seed, '')).toBe('clean');
    }, 180_000);

    test.concurrent(`${algorithm}: a mutant that ${name.replaceAll('-', ' ')} is caught`, async () => {
      let text = 'clean';
      for (let run = 0; run < MAX_RUNS && text === 'clean'; run++)
        text = await judged(algorithm, story, heartbeat, seed + run, name);
      expect(text).toMatch(caught);
    }, 180_000);
  }
});
