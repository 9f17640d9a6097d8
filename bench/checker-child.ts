/**
 * One search by hustings in a process of its own, so that it is timed as a user's first: nothing is compiled or
 * remembered from an earlier one. Takes the number of nodes as its argument and prints a JSON result.
 */
import { dolevKlaweRodeh } from '../src/algorithms/index.ts';
import { AsynchronousSystem } from '../src/checker/network/asynchronous-system.ts';
import { search } from '../src/checker/search/search.ts';
import { StateStore } from '../src/checker/search/state-store.ts';
import { resolveSetup } from '../src/kernel/setup.ts';

export interface Count {
  readonly states: number;
  readonly transitions: number;
  /** Nothing was found to be wrong. */
  readonly sound: boolean;
  readonly seconds: number;
  /** What keeping the states took. */
  readonly bytes: number;
}

/** The ids by which checkers are compared. */
function exampleIds(n: number): number[] {
  return Array.from({ length: n }, (_, p) => ((n + 2 - p) % n) + 1);
}

/** From the algorithm's file to the last state, all that is set up included. */
function count(n: number): Count {
  const begin = performance.now();
  const setup = resolveSetup(dolevKlaweRodeh, { ids: exampleIds(n) });
  const system = new AsynchronousSystem(setup, {
    initiators: Array.from({ length: n }, (_, at) => at),
    starts: 'first',
    dead: [],
    crashes: 0,
    recoveries: 0,
    losses: 0,
    fifo: true,
    bounds: {},
    invariants: 'none',
    reduce: false,
    commuting: false,
    reductionLimits: { isTooLarge: false },
  });
  const seen = new StateStore(system.width);
  const limits = { states: 100_000_000, bytes: Number.POSITIVE_INFINITY };
  const { transitions, finding, searched, mayCycle } = search(system, seen, limits);
  const seconds = (performance.now() - begin) / 1000;
  const sound = finding === null && searched === seen.count && !mayCycle;
  return { states: seen.count, transitions, sound, seconds, bytes: seen.bytes };
}

console.log(JSON.stringify(count(Number(process.argv[2]))));
