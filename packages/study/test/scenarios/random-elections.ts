/**
 * Random elections of an algorithm: each ends with one leader, known to all live nodes. Prints the
 * number of elections with each kind of fault, and fails if there were too few.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../../test-kit/limits/effort.ts';
import { registry } from '../../src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import { ElectionError } from '../../src/kernel/index.ts';
import { type Outcome, Run, simulate } from '../../src/simulator/index.ts';
import {
  type Draw,
  draws,
  faultlessOptions,
  type Kind,
  kindsFor,
  withDetection,
  withFaults,
} from './scenario.ts';

const ELECTIONS = effort({ quick: 200, full: 10_000 });
const LEAST = 0.2;

interface Tally {
  readonly kinds: Map<Kind, number>;
  /** Elections that needed a later detection, because the coordinator had crashed or a message was lost. */
  detections: number;
  elections: number;
}

export function describeScenarios(wanted: (algorithm: AnyAlgorithm) => boolean): void {
  // The tests of an algorithm that may err check its error probability.
  const sure = registry.filter((algorithm) => wanted(algorithm) && !algorithm.assumes.mayErr);
  describe.each(sure.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_name, algorithm) => {
    it(`ends with one leader, known to all, in ${ELECTIONS} random elections`, { timeout: 300_000 }, () => {
      const tally: Tally = { kinds: new Map(), detections: 0, elections: 0 };
      fc.assert(
        fc.property(draws, (draw) => elect(algorithm, draw, tally)),
        { numRuns: ELECTIONS, seed: 1, endOnFailure: false },
      );
      const kinds = kindsFor(algorithm);
      process.stdout.write(
        `${algorithm.name}: ${tally.elections} elections; ` +
          kinds.map((kind) => `${tally.kinds.get(kind) ?? 0} with ${kind}`).join(', ') +
          (tally.detections > 0 ? `; ${tally.detections} needed a later detection\n` : '\n'),
      );
      for (const kind of kinds) {
        expect(tally.kinds.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(LEAST * ELECTIONS);
      }
    });
  });
}

function elect(algorithm: AnyAlgorithm, draw: Draw, tally: Tally): void {
  const faultless = faultlessOptions(algorithm, draw);
  const kinds = new Set<Kind>();
  const isFaulty = (algorithm.assumes.faults ?? []).some((fault: string) =>
    ['crash', 'loss'].includes(fault),
  );
  const outcome = isFaulty ? electWithFaults(algorithm, draw, kinds, tally) : simulate(algorithm, faultless);
  if (outcome.initiators.count > 1) kinds.add('several initiators');
  tally.elections++;
  for (const kind of kinds) tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1);
}

function electWithFaults(algorithm: AnyAlgorithm, draw: Draw, kinds: Set<Kind>, tally: Tally): Outcome {
  const faultless = faultlessOptions(algorithm, draw);
  const { time } = simulate(algorithm, faultless);
  const faults = withFaults(algorithm, draw, faultless, Math.max(1, time.agreedAt ?? 1));
  for (const kind of faults.kinds) kinds.add(kind);
  let isOver = false;
  try {
    const run = new Run(algorithm, faults.options);
    while (!run.advance());
    isOver = true;
    return run.outcome();
  } catch (error) {
    // Every initiator has crashed before its start; or, in the end, some live node knows no live leader, or not all know
    // the same one. Two leaders of one term, a changed decision or a failed handler, which end a run early, are not tolerated.
    const isLeaderless = error instanceof ElectionError && isOver;
    if (!isLeaderless && !String(error).includes('an initiator must be alive')) throw error;
    tally.detections++;
    return simulate(algorithm, withDetection(draw, faults));
  }
}
