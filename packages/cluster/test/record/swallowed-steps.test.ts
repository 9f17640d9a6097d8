/** Crashes between the disk and the recording, in runs whose wall clocks are right, or wrong by an hour. */
import { expect, test } from 'vitest';
import { effort } from '../../../../test-kit/limits/effort.ts';
import { bully, bullyGrant, bullyIds } from '../../../study/src/algorithms/index.ts';
import { Random } from '../../../study/src/kernel/random.ts';
import type { TraceText } from '../../src/record/parse-trace.ts';
import type { TraceLine } from '../../src/record/trace-line.ts';
import { ALL_FAULTS, BOUND_MS, faultRun } from '../runtime/fault-run.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';
import { replayTexts, textsOf, violationsOf } from './recorded-run.ts';

const HOUR_MS = 3_600_000;
const SEEDS = effort({ quick: 4, full: 60 });

type Lines = readonly TraceLine[];

const linesOf = ({ text }: TraceText): TraceLine[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Takes away up to two deliveries before each start, if nobody has got what they sent. */
function swallow(files: readonly Lines[]): TraceLine[][] {
  const steps = files.flat().filter((line) => line.type === 'step');
  const used = new Set(steps.flatMap(({ of = [] }) => of));
  return files.map((lines) => {
    const kept: TraceLine[] = [];
    for (const line of lines) {
      const after: string[] = [];
      for (let k = 0; line.type === 'begin' && k < 2; k++) {
        const last = kept.at(-1);
        const isUnused = last?.type === 'step' && !last.sent.some(({ key }) => used.has(key));
        if (!isUnused || !last.step.startsWith('deliver ')) break;
        after.unshift(last.of ?? '');
        kept.pop();
      }
      kept.push(line.type === 'begin' ? { ...line, after } : line);
    }
    return kept;
  });
}

/** The clock of one process jumps. */
function jump(files: readonly Lines[], random: Random, byMs: number): Lines[] {
  const jumping = random.below(files.length);
  const from = random.below(files[jumping].length);
  const end = files[jumping].findIndex(({ type }, at) => at > from && type === 'begin');
  return files.map((lines, k) =>
    k !== jumping
      ? lines
      : lines.map((line, at) =>
          line.type === 'step' && at >= from && (at < end || end < 0)
            ? { ...line, at: line.at + byMs }
            : line,
        ),
  );
}

test.each([bully, bullyIds, bullyGrant])(
  '$name: every recovery is explained, whatever the clocks say',
  async (algorithm) => {
    let unrecorded = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const kinds = [...ALL_FAULTS, 'restart of all', 'restart at once'] as const;
      const { cluster } = await faultRun({ algorithm, ids: [3, 8, 12, 20, 41], seed }, kinds, 10);
      const originals = textsOf(cluster);
      const files = swallow(originals.map(linesOf));
      const random = new Random(seed, 'a clock that jumps');
      for (const byMs of [0, HOUR_MS, -HOUR_MS, HOUR_MS, -HOUR_MS]) {
        const texts = jump(files, random, byMs).map((lines, k) => ({
          ...originals[k],
          text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
        }));
        const report = replayTexts(cluster, texts);
        unrecorded += report.runs.reduce((sum, run) => sum + run.unrecorded, 0);
        expect({ seed, byMs, violations: violationsOf(report) }).toEqual({ seed, byMs, violations: [] });
      }
    }
    expect(unrecorded, 'without swallowed steps this shows nothing').toBeGreaterThan(5);
  },
  600_000,
);

test('a start names the messages on which the last save depended', async () => {
  const cluster = new SimulatedCluster({ algorithm: bully, ids: [3, 8, 12], seed: 2 });
  cluster.startAll();
  await cluster.agree(BOUND_MS);
  const unrecorded = cluster.disks.get(3)?.record?.unrecorded ?? [];
  const causes = (cluster.traces.get(3) ?? []).flatMap((line) =>
    line.type === 'step' ? (line.of ?? []) : [],
  );
  expect(unrecorded).not.toEqual([]);
  expect(causes).toEqual(expect.arrayContaining([...unrecorded]));
  cluster.crash(3);
  cluster.start(3);
  await cluster.agree(BOUND_MS);
  expect(cluster.traces.get(3)?.findLast(({ type }) => type === 'begin')).toMatchObject({
    after: unrecorded,
  });
  expect(violationsOf(replayTexts(cluster, textsOf(cluster)))).toEqual([]);
});
