/** Both sides of the threads of check(): the one that starts them, and a thread, which builds the same system. */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { resolveSetup, withIds } from '../../kernel/setup.ts';
import { type CheckOptions, DEFAULT_CHECK_NODES } from '../check-options.ts';
import { type Instance, systemFor } from '../network/instances.ts';
import type { StateStore } from '../search/state-store.ts';
import type { System } from '../search/system.ts';
import * as control from './control.ts';
import { InternLog } from './intern-log.ts';
import { SearchWorker, type StoreMemory } from './search-worker.ts';
import type { ThreadTask } from './thread-task.ts';
import { type ThreadStart, WorkerPool } from './worker-pool.ts';

/** Null for one thread, if threads cannot share memory, and for a topology that is an object, which cannot be cloned. */
export function workerPoolFor(
  options: CheckOptions,
  instance: Instance,
  system: System,
  seen: StateStore,
  reduce: boolean,
): WorkerPool | null {
  const { checkpointFacts, isInterrupted, onProgress, onStopped, resume, threads, ...plain } = options;
  if (threads === undefined || threads.cores < 2 || typeof SharedArrayBuffer === 'undefined') return null;
  if (typeof plain.topology === 'object') return null;
  const { dead, ids, initiators, reductionLimits, setup } = instance;
  const task = {
    algorithm: setup.algorithm.name,
    options: plain,
    ids,
    initiators,
    dead,
    reduce,
    isTooLarge: reductionLimits.isTooLarge,
  };
  return new WorkerPool(system, seen, {
    workers: threads.cores,
    start: (start) => threads.start({ ...task, start }),
    pace: threads.pace,
  });
}

/** Takes part in a search; never returns. `received` returns the memory that was sent since the last call, or null. */
export function serveTask(
  algorithm: AnyAlgorithm,
  { algorithm: name, dead, ids, initiators, isTooLarge, options, reduce, start }: ThreadTask,
  received: () => StoreMemory | null,
): never {
  if (algorithm.name !== name) throw new Error(`the search is of ${name}, not ${algorithm.name}`);
  const setup = withIds(resolveSetup(algorithm, options, DEFAULT_CHECK_NODES), Int32Array.from(ids));
  const instance = { setup, ids, initiators, dead, reductionLimits: { isTooLarge } };
  return serveSearch(systemFor(instance, options as CheckOptions, reduce), start, received);
}

/** Runs the phases that the first thread announces, until this thread is ended. */
function serveSearch(system: System, start: ThreadStart, received: () => StoreMemory | null): never {
  const { log, worker: index, values, work } = start;
  const { words } = work;
  const { numbers } = system;
  if (numbers === undefined) throw new Error('the system has no interned values');
  numbers.importAll(values);
  const sharing = new InternLog(numbers, log);
  numbers.share(sharing);
  const worker = new SearchWorker(index, system, work, sharing);
  let generation = Atomics.load(words, control.GENERATION);
  Atomics.add(words, control.READY, 1);
  Atomics.notify(words, control.READY);
  for (;;) {
    Atomics.wait(words, control.GENERATION, generation);
    if (Atomics.load(words, control.GENERATION) === generation) continue;
    generation++;
    for (let memory = received(); memory !== null; memory = received()) worker.attach(memory);
    worker.run(words[control.PHASE]);
    Atomics.add(words, control.DONE, 1);
    Atomics.notify(words, control.DONE);
  }
}
