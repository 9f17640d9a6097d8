/** Threads for the searches of check(): what the caller provides, and what each thread needs to build the same system. */
import { type Setup, withIds } from '../../kernel/setup.ts';
import type { CheckOptions } from '../check-options.ts';
import { type Instance, systemFor } from '../network/instances.ts';
import type { StateStore } from '../search/state-store.ts';
import type { System } from '../search/system.ts';
import { Crew, type CrewPace, type SearchThread, type ThreadStart } from './crew.ts';
import type { StoreMemory } from './member.ts';
import { serveSearch } from './serve.ts';

/** A part of a search for another thread. It can be cloned. */
export interface ThreadTask {
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  readonly dead: readonly number[];
  readonly reduce: boolean;
  readonly isTooLarge: boolean;
  readonly start: ThreadStart;
}

/** Threads that the caller provides for large searches. Results do not depend on them. */
export interface SearchThreads {
  /** The number of threads, including the one that calls check(). */
  readonly cores: number;
  /** Starts a thread that calls `serveTask`, with the same algorithm and options. */
  start(task: ThreadTask): SearchThread;
  readonly pace?: CrewPace | undefined;
}

/** Null for one thread, and if threads cannot share memory. */
export function crewFor(
  threads: SearchThreads | undefined,
  instance: Instance,
  system: System,
  seen: StateStore,
  reduce: boolean,
): Crew | null {
  if (threads === undefined || threads.cores < 2 || typeof SharedArrayBuffer === 'undefined') return null;
  const { dead, ids, initiators, reductionLimits } = instance;
  const task = { ids, initiators, dead, reduce, isTooLarge: reductionLimits.isTooLarge };
  return new Crew(system, seen, {
    members: threads.cores,
    start: (start) => threads.start({ ...task, start }),
    pace: threads.pace,
  });
}

/** Takes part in a search; never returns. `received` returns the memory that was sent since the last call, or null. */
export function serveTask(
  given: Setup,
  options: CheckOptions,
  { dead, ids, initiators, isTooLarge, reduce, start }: ThreadTask,
  received: () => StoreMemory | null,
): never {
  const setup = withIds(given, Int32Array.from(ids));
  const instance = { setup, ids, initiators, dead, reductionLimits: { isTooLarge } };
  return serveSearch(systemFor(instance, options, reduce), start, received);
}
