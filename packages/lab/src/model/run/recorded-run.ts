/**
 * Simulates a run and records it as steps of a world, so that it can be stepped backwards and changed.
 *
 * The world has the timing that the algorithm assumes: one message at a time, units of time, or rounds. Random delays are
 * no units, so there a bounded-delay algorithm is followed in a world in which timers may fire at any step.
 */

import { History, isMessageStep, type Step, World, type WorldOptions } from '@hustings/study/driver';
import { type AnyAlgorithm, InputError, Random, type TraceEvent } from '@hustings/study/kernel';
import { ASSUMPTIONS, type Plan, Run, type SimulateOptions } from '@hustings/study/simulator';
import { RoundFollower } from './round-follower.ts';
import { watchRules } from './rule-log.ts';
import { RunFollower, type TakeStep } from './run-follower.ts';
import { type RunStep, runStepOf, StateReader } from './run-step.ts';
import { type SimulatedTrace, traceOf } from './simulated-trace.ts';

/** The largest network whose runs are recorded; larger ones are summarised. */
export const MAX_RECORDED_NODES = 200;

/** The options of a recorded run: those of a simulation, and the links of the world. */
export interface RecordOptions extends SimulateOptions {
  /** Whether a message may overtake another when the reader chooses; by default what schedule and algorithm say. */
  readonly fifo?: boolean | undefined;
}

/** A run as steps of a world. The cursor of the history is at the end of the run. */
export interface RecordedRun {
  /** The simulated run, for its plan, its laws and its outcome. */
  readonly run: Run;
  readonly history: History;
  readonly steps: readonly RunStep[];
  readonly states: StateReader;
  /** The states at the beginning, and the crashes before it, at time 0. */
  readonly initial: readonly TraceEvent[];
  /** What the simulator found violated; null if nothing. */
  readonly violation: string | null;
  /** Why the end of the run is missing; null if it is complete. */
  readonly missing: string | null;
}

/** Records a run in parts, for pages that must stay responsive. */
export class RunRecorder {
  private readonly trace: SimulatedTrace;
  private readonly choices: WorldOptions[];
  private attempt: Attempt;

  constructor(algorithm: AnyAlgorithm, options: RecordOptions = {}) {
    const { fifo, ...simulated } = options;
    this.trace = traceOf(algorithm, simulated);
    const { plan } = this.trace.run;
    if (plan.topology.n > MAX_RECORDED_NODES) {
      throw new InputError(
        `a run is recorded up to ${MAX_RECORDED_NODES} nodes, not ${plan.topology.n}: take fewer`,
      );
    }
    this.choices = worldOptions(plan, fifo);
    this.attempt = new Attempt(this.trace, this.choices.shift() as WorldOptions);
  }

  /** The number of steps so far. */
  get steps(): number {
    return this.attempt.steps.length;
  }

  /** Records about this number of events; true at the end of the run. */
  advance(causes = 1000): boolean {
    for (let k = 0; k < causes; k++) {
      if (this.attempt.next()) continue;
      const other = this.attempt.missing === null ? undefined : this.choices.shift();
      if (other === undefined) return true;
      this.attempt = new Attempt(this.trace, other);
    }
    return false;
  }

  /** The run, after its end was reached. */
  recorded(): RecordedRun {
    const { history, initial, missing, states, steps } = this.attempt;
    const { isCut, release, run, violation } = this.trace;
    // The world has taken every step: a second copy of a long run would only be work for the garbage collector.
    release();
    const cut = isCut ? `the run goes on after ${steps.length} steps` : null;
    return { run, history, steps, states, initial, violation, missing: missing ?? cut };
  }
}

/** Simulates and records a run at once. */
export function recordRun(algorithm: AnyAlgorithm, options: RecordOptions = {}): RecordedRun {
  const recorder = new RunRecorder(algorithm, options);
  while (!recorder.advance());
  return recorder.recorded();
}

/** Records given steps in a world of its own, instead of a simulated schedule. A violation of the run is no error. */
export function recordSteps(
  algorithm: AnyAlgorithm,
  options: SimulateOptions,
  world: WorldOptions,
  steps: readonly Step[],
): RecordedRun {
  const run = new Run(algorithm, { ...options, despite: [...ASSUMPTIONS] });
  const history = new History(new World(run.plan, { ...world, faults: ANY_FAULTS }));
  const states = new StateReader(history.world);
  const initial = initialEvents(history.world);
  const { rules } = history.world;
  const taken = steps.map((step, k) => {
    const { result: outcome, rules: ran } = watchRules(() => history.take(step));
    // An asynchronous world has no clock: there a step takes a unit.
    const time = rules.timing === 'asynchronous' ? k + 1 : history.world.configuration.clock;
    return runStepOf(history.world, outcome, states, { by: 'schedule', time, rules: ran });
  });
  return { run, history, steps: taken, states, initial, violation: null, missing: null };
}

/** One way to follow a run; another is tried if the world refuses a step. */
class Attempt {
  readonly steps: RunStep[] = [];
  readonly history: History;
  readonly states: StateReader;
  readonly initial: readonly TraceEvent[];
  missing: string | null = null;
  /** Null at the end: the draw of the world keeps this attempt, which must not keep all messages of the run. */
  private follower: RunFollower | RoundFollower | null;

  constructor(trace: SimulatedTrace, options: WorldOptions) {
    const { plan } = trace.run;
    const world: World = new World(plan, { ...options, draw: (sides, index) => this.draw(sides, index) });
    this.history = new History(world);
    this.states = new StateReader(world);
    this.initial = initialEvents(world);
    const take: TakeStep = (step, time, reason) => {
      const detailed = world.rules.hasDetails ? (world.matching(step)[0] ?? step) : withoutDetails(step);
      const { result: outcome, rules } = watchRules(() => this.history.take(detailed));
      this.steps.push(runStepOf(world, outcome, this.states, { by: 'schedule', time, reason, rules }));
      return outcome;
    };
    this.follower =
      options.timing === 'synchronous'
        ? new RoundFollower(world, trace, take)
        : new RunFollower(world, trace, take);
  }

  /** False at the end, or where the world refuses the simulated step. */
  next(): boolean {
    try {
      if (this.follower?.next()) return true;
    } catch (error) {
      this.missing = `the rest of the simulated run cannot be stepped: ${(error as Error).message}`;
    }
    this.follower = null;
    return false;
  }

  /** While a run is recorded, the draws are those of the simulation; afterwards they depend on seed and step only. */
  private draw(sides: number, index: number): number {
    const drawn = this.follower instanceof RoundFollower ? this.follower.draw() : undefined;
    if (drawn !== undefined) return drawn;
    const { configuration, setup } = this.history.world;
    const stream = `lab ${configuration.started} ${configuration.steps} ${index}`;
    return 1 + new Random(setup.seed, stream).below(sides);
  }
}

/** The text of a step that means one message only has neither port nor age. */
function withoutDetails(step: Step): Step {
  if (!isMessageStep(step) || step.port === undefined) return step;
  const { age: _age, port: _port, ...bare } = step;
  return bare;
}

/** The states at the beginning, and the nodes that are dead there, at time 0. */
export function initialEvents({ machine, rules, setup }: World): TraceEvent[] {
  const nodes = Array.from({ length: setup.topology.n }, (_, node) => node);
  return [
    ...nodes.map((node) => ({ type: 'state', time: 0, node, state: machine.fieldsOf(node) }) as const),
    ...rules.dead.map((node) => ({ type: 'crash', time: 0, node }) as const),
  ];
}

const ANY = Number.POSITIVE_INFINITY;
const ANY_FAULTS = { crashes: ANY, recoveries: ANY, losses: ANY, duplications: ANY };

/** The worlds in which a run may be followed, the closest first. */
export function worldOptions(plan: Plan, fifo: boolean | undefined): WorldOptions[] {
  const { algorithm, faults, initiators, schedule } = plan;
  const { assumes } = algorithm;
  const shared = {
    initiators: [...new Set(initiators)],
    fifo: fifo ?? (schedule.type === 'lockstep' ? assumes.fifo : schedule.fifo),
    dead: faults.crashes.filter(({ time }) => time === 0).map(({ position }) => position),
    faults: ANY_FAULTS,
  };
  const free: WorldOptions = { ...shared, timing: 'asynchronous', starts: 'free' };
  const isLockstep = schedule.type === 'lockstep';
  if (assumes.timing === 'synchronous' && isLockstep)
    return [{ ...shared, timing: 'synchronous', starts: 'together' }];
  if (assumes.timing === 'bounded-delay' && isLockstep)
    return [{ ...shared, timing: 'bounded-delay', starts: 'free', delay: 1 }, free];
  return [free];
}
