/** The door `@hustings/study/checker/threads`, as a program uses it. */
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { dolevKlaweRodeh } from '../../../dist/algorithms/index.js';
import { check, type SearchThreads, type ThreadTask } from '../../../dist/checker/index.js';
import { PULSE, workerWord } from '../../../dist/checker/parallel/control.js';
import { moduleThreads } from '../../../dist/threads/index.js';

const timeout = 600_000;
const options = { nodes: 8, starts: 'first', reduce: 'none' } as const;

/** The result, and whether the other thread has expanded states. */
function checkWith(threads: SearchThreads) {
  const pace = { fromStates: 50, waits: true, minEach: 4 };
  let pulse = (): number => 0;
  const start: SearchThreads['start'] = (task) => {
    pulse = () => task.start.work.words[workerWord(1, PULSE)];
    return threads.start(task);
  };
  const result = check(dolevKlaweRodeh, { ...options, threads: { ...threads, start, pace } });
  return { result, hasHelped: pulse() > 0 };
}

it.each([
  ['the name of a package', '@hustings/study/algorithms'],
  ['a URL', new URL('../../../dist/algorithms/index.js', import.meta.url)],
])('threads import the algorithm from %s', { timeout }, async (_what, module) => {
  const ended: Promise<unknown>[] = [];
  const note = (worker: Worker): void => {
    ended.push(new Promise((resolve) => worker.once('exit', resolve)));
  };
  process.on('worker', note);
  const { hasHelped, result } = checkWith(moduleThreads({ module, name: 'dolevKlaweRodeh', cores: 2 }));
  await new Promise(setImmediate);
  process.off('worker', note);
  expect(result).toEqual(check(dolevKlaweRodeh, options));
  expect(hasHelped).toBe(true);
  expect(await Promise.all(ended)).toHaveLength(1);
});

it.each([
  [
    'another algorithm',
    '@hustings/study/algorithms',
    'peterson',
    'the search is of dolev-klawe-rodeh, not peterson',
  ],
  [
    'no algorithm',
    '@hustings/study/algorithms',
    'registry',
    'the search is of dolev-klawe-rodeh, not undefined',
  ],
  ['no module', 'file:///missing.js', 'dolevKlaweRodeh', 'Cannot find module'],
])('a thread that finds %s takes no part', { timeout }, async (_what, module, name, text) => {
  let task: ThreadTask | null = null;
  const fake: SearchThreads['start'] = (each) => {
    task = each;
    return { send: () => {}, end: () => {} };
  };
  check(dolevKlaweRodeh, { ...options, threads: { cores: 2, start: fake, pace: { fromStates: 50 } } });
  const failed = new Promise((resolve) => {
    process.once('worker', (worker: Worker) => worker.once('error', (error) => resolve(String(error))));
  });
  const thread = moduleThreads({ module, name, cores: 2 }).start(task as unknown as ThreadTask);
  expect(await failed).toContain(text);
  thread.end();
});
