/**
 * The violations of an algorithm without one of its assumptions, found by the checker on the smallest network that
 * has one.
 */
import {
  type CheckOptions,
  type Counterexample,
  check,
  counterexampleOf,
  replayCounterexample,
} from '../../../packages/study/src/checker/index.ts';
import { drawReplay } from '../../../packages/study/src/cli/picture/replay-diagram.ts';
import type { AnyAlgorithm } from '../../../packages/study/src/kernel/index.ts';

export interface Break {
  /** The missing assumption as text: 'links without FIFO'. */
  readonly what: string;
  readonly options: CheckOptions;
  readonly counterexample: Counterexample;
}

/** The limit of each search. A violation that needs more states is too large for a page. */
export const MAX_STATES = 60_000;

/** One for each assumption whose absence leads to a violation in a network of up to four nodes. */
export function breaksOf(algorithm: AnyAlgorithm, setting: CheckOptions): Break[] {
  const { faults = [], fifo, timing } = algorithm.assumes;
  const asked: [boolean, string, CheckOptions][] = [
    [fifo && timing !== 'synchronous', 'links without FIFO', { fifo: false }],
    [!faults.includes('loss'), 'a lost message', { losses: 1 }],
    [!faults.includes('crash'), 'a crash', { crashes: 1 }],
    [timing === 'bounded-delay', 'a timeout that is too short', { suspect: true }],
  ];
  return asked.flatMap(([isAsked, what, options]) => {
    const shown = isAsked ? smallest(algorithm, { ...setting, ...options }) : null;
    return shown === null ? [] : [{ what, ...shown }];
  });
}

function smallest(
  algorithm: AnyAlgorithm,
  setting: CheckOptions,
): { options: CheckOptions; counterexample: Counterexample } | null {
  for (const nodes of setting.nodes === undefined ? [2, 3, 4] : [setting.nodes]) {
    const options: CheckOptions = {
      ...setting,
      nodes,
      order: 'ascending',
      stateLimit: MAX_STATES,
      reduce: 'none',
    };
    for (const orders of ['one', 'all'] as const) {
      const result = check(algorithm, { ...options, orders });
      const counterexample = counterexampleOf(algorithm, result, options);
      if (counterexample !== null) return { options: { ...options, orders }, counterexample };
    }
  }
  return null;
}

export function pictureOfBreak(algorithm: AnyAlgorithm, { counterexample }: Break): string {
  return drawReplay(replayCounterexample(algorithm, counterexample), counterexample);
}
