import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { commandProcess, temporaryFolder } from '../../../../../test-kit/command.ts';
import { leLann } from '../../../../study/src/algorithms/ring/lelann.ts';
import { textsOf } from '../../record/recorded-run.ts';
import { SimulatedCluster } from '../../simulated-cluster.ts';

const folder = temporaryFolder();
const run = commandProcess();
const replay = (...args: string[]) => run(['replay', ...args], folder.path);
const at = (...names: string[]): string => join(folder.path, ...names);

beforeAll(async () => {
  const cluster = new SimulatedCluster({ algorithm: leLann, ids: [3, 8, 12], seed: 4 });
  cluster.startAll();
  await cluster.agree(10_000);
  for (const name of ['clean', 'edited', 'gap', 'garbage', 'none']) mkdirSync(at(name));
  for (const { file, text } of textsOf(cluster)) {
    writeFileSync(at('clean', file), text);
    writeFileSync(at('edited', file), file === '8.trace' ? text.replace('"leader":12', '"leader":3') : text);
    writeFileSync(at('garbage', file), file === '8.trace' ? `garbage\n${text}` : text);
    const lines = text.split('\n');
    writeFileSync(at('gap', file), file === '8.trace' ? lines.toSpliced(3, 1).join('\n') : text);
  }
});

it('a clean recording: a row for each epoch, with the laws, and exit code 0', async () => {
  const { status, stderr, stdout } = await replay('clean', '--shiviz', 'run.log');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(
    /^lelann in cluster simulated: members 3, 8, 12\n3 processes, \d+ steps, \d+ messages\n/,
  );
  expect(stdout).toMatch(/\nepoch \d+ of 3 +\d+ +12 +12 +ended +k·n = 9 ✓, n = 3 ✓\n/);
  expect(stdout).toContain('every step is one that lelann may take, and its properties hold\n');
  expect(stdout).toContain('log for ShiViz: run.log\n');
  expect(readFileSync(at('run.log'), 'utf8')).toMatch(/^member-\d+ \{"member-\d+":1\}\nstarts\n/);
});

it('the same as JSON', async () => {
  const { status, stdout } = await replay('clean', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    clean: true,
    algorithm: 'lelann',
    members: [3, 8, 12],
    incarnations: 3,
  });
});

it('an edited recording: the line, and exit code 1', async () => {
  const { status, stdout } = await replay('edited');
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /\n {2}8\.trace, line \d+: '.*' decides follower of 12 .*; member 8 decided follower of 3 /,
  );
  expect(stdout).toContain('\nnot a run of lelann: 1 violation\n');
});

it.each([
  [
    'a recording without one of its lines',
    ['gap'],
    /8\.trace, line 4: it is step 3 of its incarnation, but step 2 is missing/,
  ],
  ['a recording that begins with garbage', ['garbage'], /8\.trace, line 1: it is not JSON/],
  [
    'a folder without recordings',
    ['none'],
    /FILE must be a folder with recordings, files such as 3\.trace; 'none' has none/,
  ],
  ['another algorithm', ['clean', '--algorithm', 'raft'], /the recording is of algorithm lelann, not raft/],
  ['a flag for counterexamples', ['clean', '--states'], /--states needs a counterexample/],
  [
    'a flag for recordings',
    ['clean/3.trace', '--shiviz', 'x.log'],
    /--shiviz needs a folder with recordings/,
  ],
])('%s is bad input', async (_, args, says) => {
  const { status, stderr, stdout } = await replay(...args);
  expect(stderr).toMatch(says);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
});

it.each([
  ['gap', 'hustings: 8.trace, line 4: it is step 3 of its incarnation, but step 2 is missing'],
  ['garbage', 'hustings: 8.trace, line 1: it is not JSON'],
])('the lab refuses the recording %s as well', async (name, text) => {
  const { status, stderr } = await run(['lab', '--recording', name], folder.path);
  expect(stderr).toContain(text);
  expect(status).toBe(2);
});
