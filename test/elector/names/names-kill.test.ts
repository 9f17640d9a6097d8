import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openStore } from '../../../src/lease/index.ts';
import { buildBefore, temporaryFolder } from '../../cli/command.ts';
import { until } from '../until.ts';

const WORKER = fileURLToPath(new URL('./names-worker.mjs', import.meta.url));
const KILLS = 6;

buildBefore();
const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

test('of two elections a candidate holds both or none, in every term, however often it is killed', async () => {
  const url = `sqlite:${join(folder.path, 'leases.db')}`;
  const store = await openStore(url);
  const lists = { x: ['a', 'b'], y: ['b', 'c'] };
  let terms = 0;
  const start = (id: keyof typeof lists): ChildProcess => {
    const config = JSON.stringify({ store: url, names: lists[id], id });
    const child = fork(WORKER, [config], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.on('message', () => terms++);
    children.push(child);
    return child;
  };
  const running = { x: start('x'), y: start('y') };
  for (let kill = 0; kill < KILLS; kill++) {
    const before = terms;
    // In the middle of what it does, at an arbitrary time.
    await until(() => terms >= before + 3 + kill);
    const id = kill % 2 === 0 ? 'x' : 'y';
    running[id].kill('SIGKILL');
    running[id] = start(id);
  }
  const last = terms;
  await until(() => terms > last + 2);
  for (const child of children) child.kill('SIGKILL');
  const noncesOf = async (name: string, id: string): Promise<string[]> =>
    (await store.history(name)).filter(({ holder }) => holder === id).map(({ nonce }) => nonce);
  for (const [id, [first, second]] of Object.entries(lists)) {
    const nonces = await noncesOf(first, id);
    expect(nonces.length).toBeGreaterThan(2);
    expect(await noncesOf(second, id)).toEqual(nonces);
  }
  await store.close();
}, 120_000);
