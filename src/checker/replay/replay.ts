/**
 * Runs a counterexample again, step by step, on the machine that every driver uses: not on what the search remembered.
 *
 * Guarantees: every step is one that the rules allow, or the replay is refused; what it breaks is judged anew.
 * Does not say whether a run that has not ended ever would: that takes a search; nor whether a timely network keeps to
 * its times: ticks are taken as they stand.
 */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';
import { deadAtFirst, resolveSetup, type Setup, type SetupOptions } from '../../kernel/setup.ts';
import type { TraceEvent } from '../../kernel/trace.ts';
import type { Extreme } from '../cost/cost-graph.ts';
import type { CostMeasure } from '../cost/message-cost.ts';
import { costIn, costOf, type RunCost } from '../cost/run-cost.ts';
import { type Starts, startsOf } from '../network/starts.ts';
import type { Violation } from '../search/system.ts';
import { distinctScenes, type Scene, scenesTo } from './configuration.ts';
import { StagePlay } from './step-interpreter.ts';
import { parseStep } from './step-text.ts';

/** The run to repeat: the setup and its steps. */
export interface ReplayOptions extends SetupOptions {
  /** Positions. */
  readonly initiators: readonly number[];
  readonly starts?: Starts | undefined;
  readonly fifo?: boolean | undefined;
  /** As a counterexample has them. */
  readonly steps: readonly string[];
  /** The property that should break: of several runs that the steps may mean, one that breaks it is taken. */
  readonly property?: string | undefined;
  /** Or the dearest, or the cheapest, of them. */
  readonly extreme?: { readonly kind: Extreme; readonly measure: CostMeasure } | undefined;
}

/** A repeated run, with its events. */
export interface Replay {
  readonly setup: Setup;
  readonly steps: readonly string[];
  /** By step; first what happened before them. */
  readonly events: readonly (readonly TraceEvent[])[];
  /** Nothing is left to happen. */
  readonly ended: boolean;
  /** The first thing that went wrong, and after how many steps. */
  readonly violation: (Violation & { readonly step: number }) | null;
  /** What was sent, before the first step and in all of them. */
  readonly cost: RunCost;
}

/** Executes a run of the checker again, step by step. */
export function replay(algorithm: AnyAlgorithm, options: ReplayOptions): Replay {
  const setup = resolveSetup(algorithm, options);
  const n = setup.nodes;
  const stray = options.initiators.find((at) => !Number.isInteger(at) || at < 0 || at >= n);
  if (stray !== undefined) {
    throw new InputError(`initiator ${stray} is out of range: positions are 0 to ${n - 1}`);
  }
  const starts = options.starts ?? startsOf(algorithm);
  const fifo = options.fifo ?? algorithm.assumes.fifo;
  const play = new StagePlay(setup, {
    initiators: options.initiators,
    fifo,
    startFirst: starts === 'first',
    dead: deadAtFirst(algorithm, setup.ids),
  });
  const eventsTo = (scene: Scene): TraceEvent[] => scenesTo(scene).flatMap(({ events }) => events);
  // Where costs are asked for, scenes are alike only if chains of messages are too.
  const pastOf = (scene: Scene): string =>
    options.extreme === undefined ? '' : costOf(play.machine, fifo, eventsTo(scene)).chains;
  let scenes = opening(play, starts === 'together' ? options.initiators : []);
  options.steps.forEach((text, k) => {
    const step = parseStep(text);
    const reached = scenes.flatMap((scene) => play.play(scene, step, k + 1));
    scenes = distinctScenes(reached, pastOf);
    if (scenes.length === 0)
      throw new InputError(`step ${k + 1}, '${text}', cannot be taken where it stands`);
  });
  const runs = scenes.map((scene) => {
    const { chains: _, ...cost } = costOf(play.machine, fifo, eventsTo(scene));
    const events = scenesTo(scene).map((one) => one.events);
    return { scene, events, violation: violationOf(play, scene), cost };
  });
  const { scene, ...told } =
    options.extreme === undefined
      ? (runs.find(({ violation }) => violation !== null && violation.property === options.property) ??
        runs[0])
      : runs.reduce((chosen, run) => (isFurther(run.cost, chosen.cost, options.extreme) ? run : chosen));
  return { setup, steps: options.steps, ...told, ended: play.isEnd(scene) };
}

function isFurther(cost: RunCost, than: RunCost, extreme: ReplayOptions['extreme']): boolean {
  if (extreme === undefined) return false;
  const more = costIn(cost, extreme.measure) - costIn(than, extreme.measure);
  return extreme.kind === 'worst' ? more > 0 : more < 0;
}

/** Those who start together have done so before the first step, whatever lots they drew. */
function opening(play: StagePlay, together: readonly number[]): readonly Scene[] {
  let scenes = [play.opening()];
  for (const at of [...new Set(together)].sort((a, b) => a - b)) {
    scenes = scenes.flatMap((scene) => {
      if (!play.mayStart(scene, at)) return [scene];
      return play.play(scene, { type: 'start', at }, 0).map((started) => ({
        ...started,
        before: null,
        events: [...scene.events, ...started.events],
        violation: scene.violation ?? started.violation,
      }));
    });
  }
  return scenes;
}

function violationOf(play: StagePlay, last: Scene): Replay['violation'] {
  const scenes = scenesTo(last);
  const step = scenes.findIndex(({ violation }) => violation !== null);
  if (step >= 0) return { ...(scenes[step].violation as Violation), step };
  const fault = play.isEnd(last) ? play.judgeEnd(last) : null;
  return fault && { ...fault, step: scenes.length - 1 };
}
