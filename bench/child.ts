/**
 * One measurement in its own process, without compiled code or memory of another.
 * Takes a JSON job as its argument and prints a JSON result.
 */
import { deepStrictEqual as deepEqual } from 'node:assert';
import { registry } from '@hustings/study/algorithms';
import { Simulation } from '@hustings/study/internal/simulator/simulation';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import { type Plan, Run, type SimulateOptions, simulate } from '@hustings/study/simulator';
import { type HandCase, handCases } from './hand-cases.ts';
import { median } from './median.ts';

export type Job =
  | { readonly kind: 'by hand'; readonly name: string; readonly quick: boolean; readonly runs: number }
  | {
      readonly kind: 'algorithm';
      readonly algorithm: string;
      readonly options: SimulateOptions;
      readonly runs: number;
    };

/** Rates are million messages per second, the best of all runs; memory is the peak of the process in megabytes. */
export interface Result {
  readonly messages: number;
  readonly engine: number;
  readonly byHand: number | null;
  /** The engine's time relative to the hand-written loop: the median over pairs of consecutive runs. */
  readonly ratio: number | null;
  readonly peakMb: number;
}

const SEED = 1;
const EVENTS = 1 << 18;
/** Pairs of runs before the measured ones, for the compiler. */
const WARM_UP = 3;

/** Processor time, which other processes affect less than the time of day. */
function timed<T>(work: () => T): { value: T; ms: number } {
  const begin = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(begin);
  return { value, ms: (user + system) / 1000 };
}

/** Times the engine; drawing the ids and building the network are not included. */
function runEngine(plan: Plan): { messages: number; ms: number } {
  const { value, ms } = timed(() => {
    const simulation = new Simulation(plan);
    while (!simulation.advance(EVENTS));
    return simulation;
  });
  return { messages: value.tally.byType.reduce((sum, count) => sum + count, 0), ms };
}

function compare(job: Job & { kind: 'by hand' }): Result {
  const { algorithm, prepare, ...one } = handCases.find(({ name }) => name === job.name) as HandCase;
  const options = { seed: SEED, invariants: 'none', ...(job.quick ? one.quick : one.options) } as const;
  const { plan } = new Run(algorithm, options);
  const loop = prepare(plan);
  const outcome = simulate(algorithm, options);
  const messages = outcome.messages.total;
  const ratios: number[] = [];
  let [engine, byHand] = [0, 0];
  for (let k = -WARM_UP; k < job.runs; k++) {
    const hand = timed(loop);
    const run = runEngine(plan);
    deepEqual(
      { ...hand.value, messages: run.messages },
      {
        byType: outcome.messages.byType,
        leader: outcome.leader?.position,
        agreedAt: outcome.time.agreedAt,
        messages,
      },
    );
    if (k < 0) continue;
    engine = Math.max(engine, messages / run.ms / 1000);
    byHand = Math.max(byHand, messages / hand.ms / 1000);
    ratios.push(run.ms / hand.ms);
  }
  return { messages, engine, byHand, ratio: median(ratios), peakMb: peakMb() };
}

function measure(job: Job & { kind: 'algorithm' }): Result {
  const algorithm = registry.find(({ name }) => name === job.algorithm) as AnyAlgorithm;
  const { plan } = new Run(algorithm, job.options);
  let [engine, messages] = [0, 0];
  for (let k = 0; k < job.runs; k++) {
    const run = runEngine(plan);
    messages = run.messages;
    engine = Math.max(engine, messages / run.ms / 1000);
  }
  return { messages, engine, byHand: null, ratio: null, peakMb: peakMb() };
}

function peakMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

const job = JSON.parse(process.argv[2]) as Job;
console.log(JSON.stringify(job.kind === 'algorithm' ? measure(job) : compare(job)));
