/** Both sides of the threads of check(): the one that starts them, and a thread, which builds the same system. */
import { type Setup, withIds } from '../../kernel/setup.ts';
import type { CheckOptions } from '../check-options.ts';
import { type Instance, systemFor } from '../network/instances.ts';
import type { StateStore } from '../search/state-store.ts';
import type { System } from '../search/system.ts';
import { Crew } from './crew.ts';
import type { StoreMemory } from './member.ts';
import { serveSearch } from './serve.ts';
import type { SearchThreads, ThreadTask } from './thread-task.ts';

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
