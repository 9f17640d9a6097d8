/**
 * Simulates one election: the leader, the cost in messages and bits, and the times.
 *
 * Guarantees: counts are exact; the same options and seed give the same run on every machine; a run that violates
 * termination, uniqueness, agreement or an invariant is an error with the command that replays it.
 * The exceptions are runs that violate an assumption on purpose (`despite`) and Monte Carlo algorithms: there validity is
 * part of the result.
 */
import { errorMessage } from '@hustings/base';
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { UNDECIDED } from '../kernel/decisions.ts';
import { ElectionError, HustingsError } from '../kernel/errors.ts';
import { type Law, lawValue, type Measure, type RunFacts } from '../kernel/law.ts';
import type { MessageCounts } from '../kernel/machine/message-codec.ts';
import { DEAD } from '../kernel/machine/status.ts';
import type { Setting } from '../kernel/params.ts';
import { type Judgement, judge, type Validity } from '../properties/validity.ts';
import { runFacts } from './plan/facts.ts';
import type { SimulateOptions } from './plan/options.ts';
import { isRingOverlay, type Plan } from './plan/plan.ts';
import { resolvePlan } from './plan/resolve-plan.ts';
import { TICKS } from './schedules/schedule.ts';
import { Simulation } from './simulation.ts';

/** The result of a run, as `--json` prints it. */
export interface Outcome {
  readonly version: 1;
  readonly algorithm: string;
  readonly params: Readonly<Record<string, Setting>>;
  readonly topology: string;
  readonly n: number;
  /** The nodes that started by themselves; positions are null for more than a thousand. */
  readonly initiators: { readonly count: number; readonly positions: readonly number[] | null };
  readonly schedule: string;
  readonly seed: number;
  readonly despite: readonly string[];
  /** The positions that are crashed at the end. */
  readonly dead: readonly number[];
  /** Null unless exactly one node leads; the id is null in an anonymous network. */
  readonly leader: { readonly id: number | null; readonly position: number } | null;
  readonly valid: Validity;
  readonly messages: MessageCounts;
  readonly bits: number;
  /** In units; causal is the longest chain of messages. A time is null if the event did not happen. */
  readonly time: {
    readonly electedAt: number | null;
    readonly agreedAt: number | null;
    readonly announcementReturnedAt: number | null;
    readonly causal: number;
  };
  /** The algorithm's own measures, if it declares any; null if nothing was reported for a largest figure. */
  readonly measures?: Readonly<Record<string, number | null>>;
  /** Set if the limit of events stopped the run before the time at which it would have stopped. */
  readonly stopped?: 'steps';
}

const MAX_POSITIONS = 1000;
/** Events between two checks of the limit. */
const STRIDE = 1 << 18;

/** A run that can be advanced in parts: for progress, watchdogs and drawings. */
export class Run {
  readonly plan: Plan;
  readonly simulation: Simulation;
  /** The limit of events stopped a run that has a time at which it stops: nothing is violated. */
  isAtLimit = false;

  constructor(algorithm: AnyAlgorithm, options: SimulateOptions = {}) {
    this.plan = resolvePlan(algorithm, options);
    this.simulation = new Simulation(this.plan);
  }

  /** Runs about this number of events; true if the run has ended. */
  advance(events = STRIDE): boolean {
    const { plan, simulation } = this;
    if (this.isAtLimit) return true;
    try {
      const over = simulation.advance(Math.min(events, plan.stepLimit + 1 - simulation.steps));
      const { breach } = simulation;
      if (breach !== null && !this.isExcused)
        this.fail(breach.property, breach.text, undefined, breach.event);
      if (over) return !this.lacksLeader() || !simulation.observeLonger();
      if (simulation.steps > plan.stepLimit) this.stopAtLimit();
      return this.isAtLimit;
    } catch (error) {
      if (error instanceof HustingsError && error.code !== 'HUSTINGS_PROTOCOL') throw error;
      const text = errorMessage(error);
      this.fail('handler', text, error);
    }
  }

  /** At a horizon: a node knows no leader yet, or only that of an earlier term. */
  private lacksLeader(): boolean {
    return !this.isExcused && this.judgement().fault !== null;
  }

  private stopAtLimit(): void {
    const { plan, simulation } = this;
    const isObservedLonger = simulation.observation.end > (plan.until ?? simulation.observation.end);
    if (plan.until !== null && !isObservedLonger) {
      this.isAtLimit = true;
      return;
    }
    const fault = isObservedLonger ? this.judgement().fault : null;
    const end = `after ${plan.stepLimit} events`;
    if (fault === null) this.fail('termination', `the run has not ended ${end}`);
    this.fail('termination', `${fault.text} at time ${simulation.now / TICKS}, ${end}`);
  }

  /** The validity of the election, its leader, and the first violation. */
  judgement(): Judgement {
    const { plan, simulation } = this;
    const { decisions, status } = simulation.machine;
    return judge(decisions, status, plan.nodes, plan.anonymous ? null : plan.ids);
  }

  /** The result of a run that has ended, or that its limit of events has stopped. */
  outcome(): Outcome {
    const { plan, simulation } = this;
    const judged = this.judgement();
    if (this.isAtLimit)
      return { ...measure(plan, simulation, judged.leader, judged.valid), stopped: 'steps' };
    if (judged.fault !== null && !this.isExcused) {
      const ended = plan.cutShort ? 'where the run was cut' : 'the horizon of the algorithm';
      const cut = simulation.cut ? ` at time ${simulation.observation.end}, ${ended}` : '';
      this.fail(judged.fault.property, judged.fault.text + cut);
    }
    return measure(plan, simulation, judged.leader, judged.valid);
  }

  /** The figures up to now, of a run that has not ended. Its validity is that of a run that ends here. */
  interim(): Outcome {
    const { leader, valid } = this.judgement();
    return measure(this.plan, this.simulation, leader, valid);
  }

  /** What the laws of the algorithm depend on. */
  facts(): RunFacts {
    const { simulation } = this;
    return runFacts(this.plan, simulation.initiated(), simulation.wakeTimes());
  }

  /** The laws that apply to this run, with their values. */
  laws(): { readonly law: Law; readonly value: number }[] {
    const facts = this.facts();
    return this.plan.algorithm.laws.flatMap((law: Law) => {
      const value = lawValue(law, facts);
      return value === undefined ? [] : [{ law, value }];
    });
  }

  /** `event` is the event of the violation; by default the last event is named. */
  fail(property: string, text: string, cause?: unknown, event?: string): never {
    const { algorithm, replay } = this.plan;
    const last = this.simulation.describeEvent();
    const what =
      property === 'handler'
        ? `failed at ${last}: ${text}`
        : event !== undefined
          ? `violated ${property} at ${event}: ${text}`
          : `violated ${property}: ${text} (last event: ${last})`;
    throw new ElectionError(`${algorithm.name} ${what}`, { property, replay, cause });
  }

  /** True if validity is a result, not an error. */
  private get isExcused(): boolean {
    const { algorithm, broken, despite } = this.plan;
    return broken.length > 0 || despite.includes('termination') || algorithm.assumes.mayErr === true;
  }
}

/** Runs one election and returns its exact costs. */
export function simulate(algorithm: AnyAlgorithm, options: SimulateOptions = {}): Outcome {
  const run = new Run(algorithm, options);
  while (!run.advance());
  return run.outcome();
}

function measure(plan: Plan, simulation: Simulation, leader: number | null, valid: Validity): Outcome {
  const { machine } = simulation;
  const { roles, times } = machine.decisions;
  const byType = simulation.sentByType();
  const bits = machine.codec.bits(machine.scale);
  const dead: number[] = [];
  let agreedAt = -1;
  for (let at = 0; at < machine.status.length; at++) {
    if ((machine.status[at] & DEAD) !== 0) dead.push(at);
    else if (at < plan.nodes && roles[at] !== UNDECIDED && times[at] > agreedAt) agreedAt = times[at];
  }
  const known = (time: number): number | null => (time < 0 ? null : time);
  const initiators = simulation.initiated();
  return {
    version: 1,
    algorithm: plan.algorithm.name,
    params: plan.params,
    topology: plan.topology.name,
    n: plan.nodes,
    initiators: {
      count: initiators.length,
      positions: initiators.length > MAX_POSITIONS ? null : Array.from(initiators),
    },
    schedule: plan.schedule.name,
    seed: plan.seed,
    despite: plan.despite,
    dead,
    leader: leader === null ? null : { id: plan.anonymous ? null : plan.ids[leader], position: leader },
    valid,
    messages: machine.codec.counts(byType),
    bits: bits.reduce((sum, ofType, type) => sum + byType[type] * ofType, simulation.itemBits),
    time: {
      electedAt: leader === null ? null : known(times[leader]),
      agreedAt: valid.termination ? known(agreedAt) : null,
      announcementReturnedAt:
        plan.topology.kind === 'ring' || isRingOverlay(plan)
          ? known(simulation.tally.announcementReturnedAt)
          : null,
      causal: simulation.causalTime(),
    },
    ...(plan.algorithm.measures !== undefined && { measures: machine.context.customCounters.read() }),
  };
}

/** The value of a run in the measure of a law; null if the event, such as a decision, did not happen. */
export function measured(outcome: Outcome, measure: Measure): number | null {
  if (measure === 'errorRate') return null; // of many runs
  if (typeof measure === 'object') {
    return (
      ('own' in measure ? outcome.measures?.[measure.own] : outcome.messages.byType[measure.messages]) ?? null
    );
  }
  if (measure === 'election' || measure === 'announcement' || measure === 'upkeep') {
    return outcome.messages[measure] ?? null;
  }
  return outcome.time[measure];
}
