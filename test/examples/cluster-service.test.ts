/** examples/cluster-service.ts and the program of docs/cluster.md, each as three processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeMemberFile, writeSecretFile } from '../../src/cluster/init/cluster-files.ts';
import { buildBefore } from '../cli/command.ts';
import { localMembers } from '../cluster/wire/wire-cluster.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { ROOT } from '../source/source-file.ts';
import { eventually } from '../supervisor/eventually.ts';

const LIMIT_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'hustings-cluster-service-'));
const children: ChildProcess[] = [];

buildBefore();
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'hustings'), 'dir');
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
    const child = spawn(process.execPath, ['program.js'], {
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

const tokenOf = ({ printed }: Replica): bigint => BigInt(/token (\d+)/.exec(printed())?.[1] ?? 0);
const leaderOf = (replicas: readonly Replica[], after = 0n): Replica | undefined =>
  replicas.find((each) => tokenOf(each) > after);
const all = (replicas: readonly Replica[]): string => replicas.map(({ printed }) => printed()).join('');

it(
  'examples/cluster-service.ts: one of three replicas writes reports, another one after kill −9, and none after SIGTERM of that one',
  async () => {
    const replicas = await start('service', readFileSync(join(ROOT, 'examples/cluster-service.ts'), 'utf8'));
    const first = await eventually('a report', () => leaderOf(replicas), LIMIT_MS);
    const others = replicas.filter((each) => each !== first);
    expect(all(others)).toBe('');

    first.child.kill('SIGKILL');
    const second = await eventually('another report', () => leaderOf(others, tokenOf(first)), LIMIT_MS);
    const [last] = others.filter((each) => each !== second);
    expect(all([last])).toBe('');

    // One of three is no majority: the last one leads only if the first one is back.
    second.child.kill('SIGTERM');
    expect(await second.ended, second.printed()).toBe(0);
    last.child.kill('SIGTERM');
    expect(await last.ended, last.printed()).toBe(0);
    expect(all(replicas)).not.toMatch(/warning|error/i);
  },
  LIMIT_MS,
);

it(
  'the program of docs/cluster.md: one of three replicas leads',
  async () => {
    const page = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8');
    const [block] = parseBlocks(page).filter(({ language }) => language === 'ts');
    const replicas = await start('page', block.code);
    const leader = await eventually('a leader', () => leaderOf(replicas), LIMIT_MS);
    expect(leader.printed()).toMatch(/^replica \d leads with token \d+\n$/);
    expect(all(replicas.filter((each) => each !== leader))).toBe('');
  },
  LIMIT_MS,
);
