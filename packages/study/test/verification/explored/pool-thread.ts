/** The thread of a pool: takes part in one search after the other. It is bundled, because a thread cannot import TypeScript. */
import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { serveTask } from '../../../src/checker/parallel/search-threads.ts';
import type { ThreadTask } from '../../../src/checker/parallel/thread-task.ts';
import { algorithmOf } from './algorithm-of.ts';
import type { Automaton } from './automaton.ts';

export interface PoolTask {
  readonly automaton: Automaton;
  readonly task: ThreadTask;
}

/** Sent when a search has ended. */
export const END = 'end of the search';

class Ended extends Error {}

function serve(tasks: Int32Array): never {
  for (let done = 0; ; done++) {
    while (Atomics.load(tasks, 0) === done) Atomics.wait(tasks, 0, done);
    const { automaton, task } = next() as PoolTask;
    try {
      serveTask(algorithmOf(automaton), task, received);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    }
  }
}

function received() {
  const message = next();
  if (message === END) throw new Ended();
  return message;
}

function next() {
  return parentPort === null ? null : (receiveMessageOnPort(parentPort)?.message ?? null);
}

if (!isMainThread && workerData instanceof Int32Array) serve(workerData);
