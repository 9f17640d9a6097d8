/** Real processes record a run with kill −9 and a restart, and the recording replays. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHustings, temporaryFolder } from '../../../../test-kit/command.ts';
import { registry } from '../../../study/src/algorithms/registry.ts';
import { mergeRecording } from '../../src/record/merge.ts';
import { replayRecording } from '../../src/record/replay-recording.ts';
import { nodeProcesses } from '../node-processes.ts';
import { localMembers } from '../wire/wire-cluster.ts';
import { violationsOf } from './recorded-run.ts';

const folder = temporaryFolder();
const { end, running } = nodeProcesses();

/** The leader that a process named last. */
function leaderOf(id: number): unknown {
  const line = running.get(id)?.lines().at(-1);
  return line === undefined ? null : (JSON.parse(line) as { leader: number | null }).leader;
}

/** The leader that all processes name; null if there is none yet. */
function commonLeader(): unknown {
  const [first, ...rest] = [...running.keys()].map(leaderOf);
  return rest.every((leader) => leader === first) ? first : null;
}

test.each(['raft', 'peterson'])(
  '%s: three processes, one of which is killed and starts again',
  async (name) => {
    const members = join(folder.path, `${name}.json`);
    const recordings = join(folder.path, `${name}-recordings`);
    writeFileSync(members, JSON.stringify(await localMembers(3)));
    const start = (id: number): void => {
      const options = `--algorithm ${name} --dir ${name}-${id} --record ${recordings} --events`;
      const args = ['node', '--members', members, '--id', String(id), ...options.split(' ')];
      running.set(id, startHustings(args, folder.path));
    };
    const agreed = { timeout: 40_000, interval: 50 };
    for (const id of [1, 2, 3]) start(id);
    await expect.poll(commonLeader, agreed).not.toBeNull();
    const leader = Number(commonLeader());
    await end(leader);
    await expect.poll(() => [null, leader].includes(commonLeader() as number), agreed).toBe(false);
    start(leader);
    await expect.poll(() => running.size === 3 && commonLeader(), agreed).not.toBeNull();
    for (const id of [1, 2, 3]) await end(id);

    const texts = readdirSync(recordings).map((file) => ({
      file,
      text: readFileSync(join(recordings, file), 'utf8'),
    }));
    const algorithm = registry.find((one) => one.name === name);
    if (algorithm === undefined) throw new Error(`no algorithm ${name}`);
    const report = replayRecording(algorithm, mergeRecording(texts));
    expect(violationsOf(report)).toEqual([]);
    expect(report.incarnations).toBe(4);
    expect(report.runs.length > 1).toBe(name === 'peterson');
  },
  150_000,
);
