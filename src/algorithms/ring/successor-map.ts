/**
 * The map that every process of a ring has: who comes after it, and after that one, once round to itself. Port p leads
 * p places on. What finds a successor dead is sent to the next one; how many successors in a row were found dead is
 * remembered, until one of them is heard of.
 *
 * The memory may be out of date: a process that has recovered is skipped until it is heard of. Only what may skip it
 * without harm goes by the memory.
 */
import { counter, Topology } from '../../kernel/index.ts';

/** How many successors in a row were found dead. */
export const skipped = counter(({ n }) => n);

interface StepCache {
  skipped: number;
}

interface Map {
  readonly n: number;
  neighbour(port: number): number;
}

export function successorMap(n: number): Topology {
  return Topology.ringMap(n);
}

/** The port to the first successor that is not known to be dead: at the latest the process itself. */
export function successor(memory: StepCache): number {
  return memory.skipped + 1;
}

/** A message to this port found nobody. */
export function foundDead(port: number, memory: StepCache, { n }: Map): void {
  if (port === successor(memory) && port < n) memory.skipped = port;
}

/** A process lives, or lived until just now. */
export function heardOf(id: number, memory: StepCache, map: Map): void {
  for (let port = 1; port <= memory.skipped; port++) {
    if (map.neighbour(port) === id) memory.skipped = port - 1;
  }
}
