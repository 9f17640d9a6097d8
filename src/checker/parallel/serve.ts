/** The thread's side of a parallel search: runs the phases that the first thread announces, until it is ended. */
import type { System } from '../search/system.ts';
import * as control from './control.ts';
import type { ThreadStart } from './crew.ts';
import { InternLog } from './intern-log.ts';
import { Member, type StoreMemory } from './member.ts';

/** `received` returns the memory that was sent since the last call, or null. Never returns. */
export function serveSearch(system: System, start: ThreadStart, received: () => StoreMemory | null): never {
  const { log, member: index, values, work } = start;
  const { words } = work;
  const { numbers } = system;
  if (numbers === undefined) throw new Error('the system has no interned values');
  numbers.importAll(values);
  const sharing = new InternLog(numbers, log);
  numbers.share(sharing);
  const member = new Member(index, system, work, sharing);
  let generation = Atomics.load(words, control.GENERATION);
  Atomics.add(words, control.READY, 1);
  Atomics.notify(words, control.READY);
  for (;;) {
    Atomics.wait(words, control.GENERATION, generation);
    if (Atomics.load(words, control.GENERATION) === generation) continue;
    generation++;
    for (let memory = received(); memory !== null; memory = received()) member.attach(memory);
    member.run(words[control.PHASE]);
    Atomics.add(words, control.DONE, 1);
    Atomics.notify(words, control.DONE);
  }
}
