/**
 * One search by hustings in its own process, without code or caches from an earlier one. Takes the number of nodes and of
 * threads as its arguments and prints a JSON result.
 */
import { dolevKlaweRodeh } from '@hustings/study/algorithms';
import type { CheckOptions } from '@hustings/study/checker';
import { resolveSetup } from '@hustings/study/driver';
import { instancesOf, systemFor } from '@hustings/study/internal/checker/network/instances';
import { workerPoolFor } from '@hustings/study/internal/checker/parallel/search-threads';
import { search } from '@hustings/study/internal/checker/search/search';
import { StateStore } from '@hustings/study/internal/checker/search/state-store';
import { searchThreads } from '@hustings/study/internal/cli/workers/search-threads';

export interface Count {
  readonly states: number;
  readonly transitions: number;
  /** No violation was found. */
  readonly sound: boolean;
  readonly seconds: number;
  /** The size of the state store. */
  readonly bytes: number;
  /** The peak memory of the process. */
  readonly peakBytes: number;
}

/** All runs of one search. */
export interface Measured {
  readonly name: string;
  readonly states: number;
  readonly transitions: number;
  /** All runs gave the known counts, without a violation. */
  readonly agrees: boolean;
  readonly seconds: readonly number[];
  readonly best: number;
  readonly median: number;
  readonly statesPerSecond: number;
  readonly bytesPerState: number;
  /** The largest of all runs. */
  readonly peakBytes: number;
  /** The time of hustings on one thread relative to this one: the median over pairs of consecutive runs. */
  readonly ratio: number;
}

/** The ids of the comparison. */
function exampleIds(n: number): number[] {
  return Array.from({ length: n }, (_, p) => ((n + 2 - p) % n) + 1);
}

/** Times the whole search, including the setup. */
function count(n: number, threads: number): Count {
  const begin = performance.now();
  const options: CheckOptions = { ids: exampleIds(n), starts: 'first', reduce: 'none', invariants: 'none' };
  const setup = resolveSetup(dolevKlaweRodeh, options);
  const [instance] = instancesOf(setup, options).instances(0, { isTooLarge: false });
  const system = systemFor(instance, options, false);
  const seen = new StateStore(system.width, system.order);
  const limits = { states: 100_000_000, bytes: Number.POSITIVE_INFINITY };
  const helpers = searchThreads(dolevKlaweRodeh.name, threads);
  const pool = workerPoolFor({ ...options, threads: helpers }, instance, system, seen, false);
  const { transitions, finding, searched, mayCycle } = search(system, seen, limits, { pool });
  const seconds = (performance.now() - begin) / 1000;
  const sound = finding === null && searched === seen.count && !mayCycle;
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  return { states: seen.count, transitions, sound, seconds, bytes: seen.bytes, peakBytes };
}

const [nodes, threads] = process.argv.slice(2).map(Number);
console.log(JSON.stringify(count(nodes, threads)));
