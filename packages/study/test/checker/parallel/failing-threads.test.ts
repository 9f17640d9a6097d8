/** Handlers that fail or never return inside a thread of a search. The threads run from `dist`. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test-kit/command.ts';
import { type CheckOptions, check, planCheck } from '../../../dist/checker/index.js';
import { resolveAlgorithm } from '../../../dist/cli/flags/algorithm-name.js';
import { checkWatched } from '../../../dist/cli/user-file/check-watched.js';
import { searchThreads } from '../../../dist/cli/workers/search-threads.js';

const folder = temporaryFolder();
const timeout = 600_000;
const options = { nodes: 8, starts: 'first', reduce: 'none', invariants: 'none' } as const;
const pace = { fromStates: 50, waits: true, minEach: 4, lostMs: 500 };

/** Dolev–Klawe–Rodeh, with this statement where the second message of a phase is received: in levels that threads expand. */
function fileWith(name: string, statement: string): string {
  const path = join(folder.path, `${name}.mjs`);
  writeFileSync(
    path,
    `import { writeFileSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    import { dolevKlaweRodeh as right } from '@hustings/study/algorithms';
    const second = Object.keys(right.on)[1];
    export default {
      ...right,
      name: '${name}',
      on: {
        ...right.on,
        [second](state, port, message, ctx) {
          ${statement}
          return right.on[second](state, port, message, ctx);
        },
      },
    };`,
  );
  return path;
}

/** The threads that were started during `work`, and how many of them have ended after it. */
async function withThreads<T>(work: () => T | Promise<T>): Promise<{ value: T; started: number }> {
  const exits: Promise<void>[] = [];
  const note = (worker: Worker): void => {
    exits.push(new Promise((resolve) => worker.once('exit', () => resolve())));
  };
  process.on('worker', note);
  try {
    const value = await work();
    // Threads are announced a moment after they are started.
    await new Promise(setImmediate);
    // Never settles if a thread is left: the test then times out.
    await Promise.all(exits);
    return { value, started: exits.length };
  } finally {
    process.off('worker', note);
  }
}

const threadsFor = (path: string, cores: number): CheckOptions['threads'] =>
  cores === 1 ? undefined : { ...searchThreads(path, cores), pace };

describe('with two threads', () => {
  it('a handler that throws is the violation that one thread finds, and no thread is left', {
    timeout,
  }, async () => {
    const path = fileWith('throwing', "throw new Error('failed');");
    const algorithm = await resolveAlgorithm(path);
    const alone = check(algorithm, options);
    expect(alone.violations).toMatchObject([
      { property: 'handler', text: expect.stringContaining('failed') },
    ]);
    const { started, value } = await withThreads(() =>
      check(algorithm, { ...options, threads: threadsFor(path, 2) }),
    );
    expect(value).toEqual(alone);
    expect(started).toBe(1);
  });

  it('a handler that draws too many outcomes stops the search as with one thread, and no thread is left', {
    timeout,
  }, async () => {
    const path = fileWith('drawing', 'for (;;) ctx.random(2 ** 30);');
    const algorithm = await resolveAlgorithm(path);
    const alone = check(algorithm, options);
    expect(alone).toMatchObject({ complete: false, stopped: 'draws' });
    const { started, value } = await withThreads(() =>
      check(algorithm, { ...options, threads: threadsFor(path, 2) }),
    );
    expect(value).toEqual(alone);
    expect(started).toBe(1);
  });

  it('a handler that never returns in the other thread is left to this one', { timeout }, async () => {
    const marker = join(folder.path, 'stuck');
    const path = fileWith(
      'half-stuck',
      `if (!isMainThread) writeFileSync(${JSON.stringify(marker)}, ''); while (!isMainThread);`,
    );
    const algorithm = await resolveAlgorithm(path);
    const { started, value } = await withThreads(() =>
      check(algorithm, { ...options, threads: threadsFor(path, 2) }),
    );
    expect(value).toEqual(check(algorithm, options));
    expect(value.complete).toBe(true);
    expect(existsSync(marker)).toBe(true);
    expect(started).toBe(1);
  });

  it('a handler that never returns is the error of one thread, and no thread is left', {
    timeout,
  }, async () => {
    const path = fileWith('stuck', 'for (;;);');
    const plan = planCheck(await resolveAlgorithm(path), options);
    const errorOf = (cores: number) =>
      checkWatched(path, { ...plan, options: { ...options, threads: threadsFor(path, cores) } }, 3_000).then(
        () => 'none',
        String,
      );
    const alone = await errorOf(1);
    expect(alone).toMatch(/stuck: on\.\w+ has not returned after 3 s/);
    const { started, value } = await withThreads(() => errorOf(2));
    expect([value, started]).toEqual([alone, 1]);
  });
});
