/**
 * One search by hustings in its own process, without code or caches from an earlier one. Takes the number of nodes as its
 * argument and prints a JSON result.
 */
import { dolevKlaweRodeh } from '../src/algorithms/index.ts';
import { AsynchronousSystem } from '../src/checker/network/asynchronous-system.ts';
import { search } from '../src/checker/search/search.ts';
import { StateStore } from '../src/checker/search/state-store.ts';
import { resolveSetup } from '../src/kernel/setup.ts';

export interface Count {
  readonly states: number;
  readonly transitions: number;
  /** No violation was found. */
  readonly sound: boolean;
  readonly seconds: number;
  /** The size of the state store. */
  readonly bytes: number;
}

/** The ids of the comparison. */
function exampleIds(n: number): number[] {
  return Array.from({ length: n }, (_, p) => ((n + 2 - p) % n) + 1);
}

/** Times the whole search, including the setup. */
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
  const seen = new StateStore(system.width, system.order);
  const limits = { states: 100_000_000, bytes: Number.POSITIVE_INFINITY };
  const { transitions, finding, searched, mayCycle } = search(system, seen, limits);
  const seconds = (performance.now() - begin) / 1000;
  const sound = finding === null && searched === seen.count && !mayCycle;
  return { states: seen.count, transitions, sound, seconds, bytes: seen.bytes };
}

console.log(JSON.stringify(count(Number(process.argv[2]))));
