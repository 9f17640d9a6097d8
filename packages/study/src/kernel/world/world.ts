/**
 * The world executes an election one step at a time: a machine on a network, with links, timers and faults. rules.ts
 * defines which steps are enabled, step-execution.ts what a step does.
 *
 * Guarantees: `apply` takes only enabled steps, runs every handler to completion, and changes nothing if it throws. A
 * configuration can be loaded at any time, in any order, into any world of the same setup and options. Equal
 * configurations and equal steps with equal random draws give equal configurations.
 * Does not check properties: drivers do, from the outcome and the configuration.
 */
import { errorMessage } from '@hustings/base';
import { ElectionError, HustingsError, InputError, ProtocolError } from '../errors.ts';
import { NONE } from '../field.ts';
import { Machine } from '../machine/machine.ts';
import type { Setup } from '../setup.ts';
import type { Configuration } from './configuration.ts';
import type { NodeSnapshot } from './node-step.ts';
import { type DrawSequences, forEachSequence } from './random-outcomes.ts';
import { Rules, type WorldOptions } from './rules.ts';
import type { Step, StepOutcome } from './step.ts';
import { StepExecution } from './step-execution.ts';

/** One election, executed one step at a time. */
export class World {
  readonly setup: Setup;
  readonly machine: Machine;
  readonly rules: Rules;
  private readonly draw: (sides: number, index: number) => number;
  private now: Configuration;
  /** The nodes that the machine holds: those of `now`, except while a step is applied. */
  private held: readonly NodeSnapshot[];

  constructor(setup: Setup, options: WorldOptions = {}) {
    const { algorithm, diameter, ids, nodes: n, params, topology } = setup;
    this.setup = setup;
    this.rules = new Rules(setup, options);
    this.draw = options.draw ?? refuseDraw;
    const status = new Uint8Array(topology.n);
    const canStart = new Uint8Array(topology.n);
    for (const at of this.rules.initiators) canStart[at] = 1;
    this.machine = new Machine(algorithm, { n, ids, topology, params, diameter, status, canStart });
    this.machine.logDecisions();
    for (const at of this.rules.dead) this.machine.crash(at);
    const own = { timers: this.rules.timers.map(() => NONE), startedFor: NONE, led: [] };
    this.held = Array.from(status, (_, at) => ({ record: this.machine.save(at), ...own }));
    this.now = {
      nodes: this.held,
      messages: [],
      undelivered: [],
      clock: 0,
      steps: 0,
      started: 0,
      turn: 'arrivals',
      faults: { crashes: 0, recoveries: 0, losses: 0, duplications: 0, ...options.faults },
    };
  }

  get configuration(): Configuration {
    return this.now;
  }

  /** The steps that may happen next, faults last. They name no random draws. */
  enabled(withFaults = true): Step[] {
    return this.rules.enabled(this.now, withFaults);
  }

  /** The enabled steps that a step without details may mean; none if it cannot be taken. */
  matching(step: Step): Step[] {
    return this.rules.matching(this.now, step);
  }

  /** The current configuration. */
  save(): Configuration {
    return this.now;
  }

  /** Continues from a configuration. */
  load(configuration: Configuration): void {
    const { nodes } = configuration;
    for (let at = 0; at < nodes.length; at++) {
      if (nodes[at] !== this.held[at]) this.machine.load(at, nodes[at].record);
    }
    this.held = nodes;
    this.now = configuration;
    this.machine.decisions.breach = null;
  }

  /** Takes a step. `draw` decides random draws that the step does not name. */
  apply(step: Step, draw = this.draw): StepOutcome {
    const draws: number[] = [];
    this.machine.context.draw = (sides) => {
      const drawn = step.draws?.[draws.length] ?? draw(sides, draws.length);
      if (drawn > sides) throw new InputError(`a draw must be from 1 to ${sides}, not ${drawn}`);
      draws.push(drawn);
      return drawn;
    };
    const execution = new StepExecution(this.setup, this.machine, this.rules, this.now);
    try {
      execution.take(step);
    } catch (error) {
      // The step may have changed the machine, so all nodes are loaded again.
      this.held = [];
      this.load(this.now);
      throw error;
    }
    const { breach, changes, events, failure, next } = execution;
    this.now = next;
    this.held = next.nodes;
    return { step: draws.length === 0 ? step : { ...step, draws }, events, failure, breach, changes };
  }

  /**
   * Takes a step once for every sequence of its random draws, always from the present configuration, and calls `visit`
   * after each; leaves the world as it was.
   */
  branch<T>(step: Step, visit: (outcome: StepOutcome, draws: DrawSequences) => T): T[] {
    const before = this.now;
    const results = forEachSequence((draws) => {
      this.load(before);
      return visit(this.apply(step, draws.draw), draws);
    });
    this.load(before);
    return results;
  }
}

function refuseDraw(): never {
  throw new InputError('this step draws random numbers: name their outcomes in its draws');
}

/** Throws if a handler threw. `replay` is the command that repeats the run. */
export function refuseFailure({ setup }: World, { failure }: StepOutcome, replay: string): void {
  if (failure === null) return;
  const { error, node } = failure;
  if (error instanceof HustingsError && !(error instanceof ProtocolError)) throw error;
  throw new ElectionError(`${setup.algorithm.name} failed at node ${node}: ${errorMessage(error)}`, {
    property: 'handler',
    replay,
    cause: error,
  });
}
