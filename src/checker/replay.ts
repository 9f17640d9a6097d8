/**
 * Runs a counterexample again, step by step, on the machine that every driver uses: not on what the search remembered.
 *
 * Guarantees: every step is one that the rules allow, or the replay is refused; what it breaks is judged anew.
 * Does not say whether a run that has not ended ever would: that takes a search; nor whether a timely network keeps to
 * its times: ticks are taken as they stand.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { InputError } from '../kernel/errors.ts';
import { deadAtFirst, type Stage, type StageOptions, setStage } from '../kernel/stage.ts';
import type { TraceEvent } from '../kernel/trace.ts';
import { distinctScenes, type Scene, scenesTo } from './scene.ts';
import { StagePlay } from './stage-play.ts';
import { type Starts, startsOf } from './starts.ts';
import { parseStep } from './step-text.ts';
import type { Violation } from './system.ts';

export interface ReplayOptions extends StageOptions {
  /** Positions. */
  readonly initiators: readonly number[];
  readonly starts?: Starts | undefined;
  readonly fifo?: boolean | undefined;
  /** As a counterexample has them. */
  readonly steps: readonly string[];
  /** The property that should break: of several runs that the steps may mean, one that breaks it is taken. */
  readonly property?: string | undefined;
}

export interface Replay {
  readonly stage: Stage;
  readonly steps: readonly string[];
  /** By step; first what happened before them. */
  readonly events: readonly (readonly TraceEvent[])[];
  /** Nothing is left to happen. */
  readonly ended: boolean;
  /** The first thing that went wrong, and after how many steps. */
  readonly violation: (Violation & { readonly step: number }) | null;
}

export function replay(algorithm: AnyAlgorithm, options: ReplayOptions): Replay {
  const stage = setStage(algorithm, options);
  const n = stage.nodes;
  const stray = options.initiators.find((at) => !Number.isInteger(at) || at < 0 || at >= n);
  if (stray !== undefined) {
    throw new InputError(`initiator ${stray} is out of range: positions are 0 to ${n - 1}`);
  }
  const starts = options.starts ?? startsOf(algorithm);
  const play = new StagePlay(stage, {
    initiators: options.initiators,
    fifo: options.fifo ?? algorithm.assumes.fifo,
    startFirst: starts === 'first',
    dead: deadAtFirst(algorithm, stage.ids),
  });
  let scenes = opening(play, starts === 'together' ? options.initiators : []);
  options.steps.forEach((text, k) => {
    const step = parseStep(text);
    scenes = distinctScenes(scenes.flatMap((scene) => play.play(scene, step, k + 1)));
    if (scenes.length === 0)
      throw new InputError(`step ${k + 1}, '${text}', cannot be taken where it stands`);
  });
  const runs = scenes.map((scene) => ({ scene, violation: violationOf(play, scene) }));
  const { scene, violation } =
    runs.find((run) => run.violation !== null && run.violation.property === options.property) ?? runs[0];
  return {
    stage,
    steps: options.steps,
    events: scenesTo(scene).map(({ events }) => events),
    ended: play.isEnd(scene),
    violation,
  };
}

/** Those who start together have done so before the first step, whatever lots they drew. */
function opening(play: StagePlay, together: readonly number[]): readonly Scene[] {
  let scenes = [play.opening()];
  for (const at of [...new Set(together)].sort((a, b) => a - b)) {
    scenes = scenes.flatMap((scene) => {
      if (!play.mayStart(scene, at)) return [scene];
      return play.play(scene, { kind: 'start', at }, 0).map((started) => ({
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
