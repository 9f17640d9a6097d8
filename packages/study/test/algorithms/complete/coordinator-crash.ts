/**
 * Elections after the crash of a coordinator, compared with an expectation. Processes are 1..n at positions 0..n−1.
 */
import type { AnyAlgorithm } from '../../../src/kernel/algorithm.ts';
import type { SimulateOptions } from '../../../src/simulator/plan/options.ts';
import type { Outcome } from '../../../src/simulator/simulate.ts';
import { replayOf, run } from '../laws.ts';
import { ascending, positionSets } from '../orders.ts';
import type { VariantOutcome } from './bully-variants.reference.ts';

/** Message types that the expectation omits are not compared. */
export type Expected = Partial<VariantOutcome>;

/** Runs the election, checks all laws of the algorithm, and compares. */
export function expectAs(algorithm: AnyAlgorithm, expected: Expected, options: SimulateOptions): Outcome {
  const outcome = run(algorithm, options);
  const { leader, messages, time } = outcome;
  const seen: Expected = {
    leader: leader?.id ?? -1,
    byType: Object.fromEntries(
      Object.keys(expected.byType ?? {}).map((type) => [type, messages.byType[type] ?? -1]),
    ),
    electedAt: time.electedAt ?? -1,
    agreedAt: time.agreedAt ?? -1,
  };
  for (const key of Object.keys(expected) as (keyof Expected)[]) {
    const [is, should] = [JSON.stringify(seen[key]), JSON.stringify(expected[key])];
    if (is !== should)
      throw new Error(`${key} is ${is}, not ${should}; replay: ${replayOf(algorithm, options)}`);
  }
  return outcome;
}

/** Every n up to 64 with every process as the only detector. */
export function* everyDetector(): Generator<{ n: number; i: number; options: SimulateOptions }> {
  for (let n = 2; n <= 64; n++) {
    for (let i = 1; i < n; i++) yield { n, i, options: { ids: ascending(n), initiators: [i - 1] } };
  }
}

/** Every set of detectors, n up to 8. */
export function* everySet(): Generator<{ n: number; detectors: number[]; options: SimulateOptions }> {
  for (let n = 2; n <= 8; n++) {
    for (const initiators of positionSets(n - 1)) {
      const detectors = initiators.map((position) => position + 1);
      yield { n, detectors, options: { ids: ascending(n), initiators } };
    }
  }
}
