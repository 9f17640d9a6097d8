/** examples/cluster-service.ts and the program of docs/cluster.md, each as three processes. */
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeMemberFile, writeSecretFile } from '../../packages/cluster/src/init/cluster-files.ts';
import { localMembers } from '../../packages/cluster/test/wire/wire-cluster.ts';
import { eventually } from '../../test-kit/eventually.ts';
import { startProcess } from '../../test-kit/limits/child-process.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { ROOT } from '../source/source-file.ts';

const LIMIT_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'hustings-cluster-service-'));
const children: ChildProcess[] = [];

beforeAll(() => {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Replica {
  readonly id: number;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  printed(): string;
}

/** Three processes of a program, in a folder with the files of a cluster. */
async function start(name: string, program: string, ids = [1, 2, 3]): Promise<Replica[]> {
  const place = join(folder, name);
  const { code } = transformSync(program, { loader: 'ts', format: 'esm', target: 'node20' });
  mkdirSync(join(place, 'cluster'), { recursive: true });
  writeFileSync(join(place, 'program.js'), code);
  await writeMemberFile(join(place, 'cluster', 'members.json'), await localMembers(3));
  await writeSecretFile(join(place, 'cluster', 'secret'));
  cpSync(join(place, 'cluster', 'members.json'), join(place, 'members.json'));
  return ids.map((id) => {
    const child = startProcess(process.execPath, ['program.js'], {
      cwd: place,
      env: { ...process.env, REPLICA: `${id}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let printed = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (printed += data));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { id, child, ended, printed: () => printed };
  });
}

/** The tokens with which a replica has led. A busy machine may take the lead from one at any time. */
const tokensOf = ({ printed }: Replica): number[] =>
  [...printed().matchAll(/token (\d+)/g)].map(([, token]) => Number(token));
const largest = (replicas: readonly Replica[]): number => Math.max(0, ...replicas.flatMap(tokensOf));
const leaderAfter = (replicas: readonly Replica[], token: number): Replica | undefined =>
  replicas.find((each) => largest([each]) > token);

/** No two replicas have led with one token, and nothing but the lines of the program was printed. */
function expectOrder(replicas: readonly Replica[], line: RegExp): void {
  const tokens = replicas.flatMap((each) => [...new Set(tokensOf(each))]);
  expect(new Set(tokens).size).toBe(tokens.length);
  const lines = replicas.flatMap(({ printed }) => printed().split('\n').filter(Boolean));
  expect(lines.filter((each) => !line.test(each))).toEqual([]);
}

it(
  'examples/cluster-service.ts: one of three replicas writes reports, another one after kill −9, and all stop in order',
  async () => {
    const replicas = await start('service', readFileSync(join(ROOT, 'examples/cluster-service.ts'), 'utf8'));
    const first = await eventually('a report', () => leaderAfter(replicas, 0), LIMIT_MS);
    first.child.kill('SIGKILL');
    await first.ended;
    const others = replicas.filter((each) => each !== first);
    const token = largest(replicas);
    await eventually('a report of another one', () => leaderAfter(others, token), LIMIT_MS);
    for (const { child } of others) child.kill('SIGTERM');
    for (const { ended, printed } of others) expect(await ended, printed()).toBe(0);
    expectOrder(replicas, /^report \d+ by \d, token \d+$/);
  },
  LIMIT_MS,
);

it(
  'the program of docs/cluster.md: one of three replicas leads',
  async () => {
    const page = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8');
    const [block] = parseBlocks(page).filter(({ language }) => language === 'ts');
    const replicas = await start('page', block.code);
    await eventually('a leader', () => leaderAfter(replicas, 0), LIMIT_MS);
    expectOrder(replicas, /^replica \d leads with token \d+$/);
  },
  LIMIT_MS,
);
