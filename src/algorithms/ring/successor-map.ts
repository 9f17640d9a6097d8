/**
 * The order of the ring, which every process knows. Port p leads to the p-th successor, and port n to the process
 * itself. A message that finds a successor crashed is sent to the next one. A process remembers how many successors
 * in a row it has found crashed, until it learns that one of them is alive.
 *
 * The memory may be out of date: a process that has recovered is skipped until a message mentions it. So only
 * messages that may safely skip it use the memory.
 */
import { counter, Topology } from '../../kernel/index.ts';

/** The number of consecutive successors found crashed. */
export const skipped = counter(({ n }) => n);

interface SkippedSuccessors {
  skipped: number;
}

interface SuccessorMap {
  readonly n: number;
  neighbour(port: number): number;
}

export function successorMap(n: number): Topology {
  return Topology.ringMap(n);
}

/** The port to the first successor that was not found crashed; if all others were, to the process itself. */
export function successor(memory: SkippedSuccessors): number {
  return memory.skipped + 1;
}

/** A message to this port was not delivered. */
export function markCrashed(port: number, memory: SkippedSuccessors, { n }: SuccessorMap): void {
  if (port === successor(memory) && port < n) memory.skipped = port;
}

/** A message shows that this process is alive, or was when the message passed it. */
export function markAlive(id: number, memory: SkippedSuccessors, map: SuccessorMap): void {
  for (let port = 1; port <= memory.skipped; port++) {
    if (map.neighbour(port) === id) memory.skipped = port - 1;
  }
}
