/** Two processes that want overlapping pairs of elections and are killed again and again. */
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { startProcess } from '../../../../../test-kit/limits/child-process.ts';
import { until } from '../../../../../test-kit/until.ts';
import { RunningProcess } from '../../../../base/src/node/running-process.ts';
import { openStore } from '../../../src/lease/index.ts';

const WORKER = fileURLToPath(new URL('./names-worker.mjs', import.meta.url));
const LISTS = { x: ['a', 'b'], y: ['b', 'c'] };

/** Every term of each process is in the history of both its elections. */
export async function killAgainAndAgain(url: string, kills: number): Promise<void> {
  const children: RunningProcess[] = [];
  const store = await openStore(url);
  let terms = 0;
  const start = (id: keyof typeof LISTS): RunningProcess => {
    const config = JSON.stringify({ store: url, names: LISTS[id], id });
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
    const child = new RunningProcess(startProcess(process.execPath, [WORKER, config], { stdio }));
    child.onMessage(() => terms++);
    children.push(child);
    return child;
  };
  try {
    const running = { x: start('x'), y: start('y') };
    for (let kill = 0; kill < kills; kill++) {
      const before = terms;
      // In the middle of what it does, at an arbitrary time.
      await until(() => terms >= before + 3 + kill);
      const id = kill % 2 === 0 ? 'x' : 'y';
      void running[id].kill();
      running[id] = start(id);
    }
    const last = terms;
    await until(() => terms > last + 2);
    for (const child of children) void child.kill();
    const noncesOf = async (name: string, id: string): Promise<string[]> =>
      (await store.history(name)).filter(({ holder }) => holder === id).map(({ nonce }) => nonce);
    for (const [id, [first, second]] of Object.entries(LISTS)) {
      // Polled: a request of a killed process may take effect between two reads. A term of one election alone would stay.
      await expect
        .poll(async () => {
          const [one, other] = [await noncesOf(first, id), await noncesOf(second, id)];
          // A history may keep fewer terms of the election that has more.
          const kept = Math.min(one.length, other.length);
          return kept > 2 && one.slice(0, kept).join() === other.slice(0, kept).join();
        })
        .toBe(true);
    }
  } finally {
    for (const child of children) void child.kill();
    await store.close();
  }
}
