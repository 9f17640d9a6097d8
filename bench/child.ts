/**
 * One measurement in its own process, without compiled code or memory of another.
 * Takes a JSON job as its argument and prints a JSON result.
 */
import { changRoberts, registry } from '../src/algorithms/index.ts';
import type { AnyAlgorithm } from '../src/kernel/index.ts';
import { type Plan, Run, type SimulateOptions, simulate } from '../src/simulator/index.ts';
import { Simulation } from '../src/simulator/simulation.ts';
import { type Count, fusedRounds } from './fused-rounds.ts';
import { heapDelays } from './heap-delays.ts';

export type Job =
  | { readonly kind: 'rounds' | 'delays'; readonly nodes: number; readonly runs: number }
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
  readonly agree: boolean;
  readonly peakMb: number;
}

const SEED = 1;
const EVENTS = 1 << 18;

function timed<T>(work: () => T): { value: T; ms: number } {
  const begin = performance.now();
  const value = work();
  return { value, ms: performance.now() - begin };
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

function compare(job: Job & { kind: 'rounds' | 'delays' }): Result {
  const options = {
    nodes: job.nodes,
    seed: SEED,
    schedule: job.kind === 'rounds' ? ('lockstep' as const) : ('random' as const),
  };
  const ratios: number[] = [];
  const { plan } = new Run(changRoberts, options);
  const outcome = simulate(changRoberts, options);
  const messages = outcome.messages.total;
  let [engine, byHand] = [0, 0];
  let agree = true;
  for (let k = 0; k < job.runs; k++) {
    const hand = timed(
      (): Count => (job.kind === 'rounds' ? fusedRounds(plan.ids) : heapDelays(plan.ids, SEED)),
    );
    const run = runEngine(plan);
    agree &&=
      run.messages === messages &&
      outcome.messages.election === hand.value.tokens &&
      outcome.messages.announcement === hand.value.announcements &&
      outcome.leader?.position === hand.value.leader &&
      outcome.time.announcementReturnedAt === hand.value.time;
    engine = Math.max(engine, messages / run.ms / 1000);
    byHand = Math.max(byHand, messages / hand.ms / 1000);
    ratios.push(run.ms / hand.ms);
  }
  const ratio = ratios.sort((a, b) => a - b)[ratios.length >> 1];
  return { messages, engine, byHand, ratio, agree, peakMb: peakMb() };
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
  return { messages, engine, byHand: null, ratio: null, agree: true, peakMb: peakMb() };
}

function peakMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

const job = JSON.parse(process.argv[2]) as Job;
console.log(JSON.stringify(job.kind === 'algorithm' ? measure(job) : compare(job)));
