/**
 * Each algorithm that a crash triggers, without one kind of message to one process: what a simulation violates, the checker
 * does not pass. It finds a violation, or, where terms grow without end, reports that the search is not complete.
 */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import { ElectionError } from '../../../src/kernel/errors.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { simulate } from '../../../src/simulator/simulate.ts';
import { withoutSends } from './dropped-sends.ts';

const TRIGGERED = registry.filter(({ trigger = 'start' }) => trigger !== 'start');
/** Node 2 has crashed if the trigger is a dead coordinator. */
const IDS = [2, 3, 4, 1];
/** Found violations need less. With more states the others reach no verdict either: their terms grow without end. */
const STATES = 20_000;

function failsInSimulation(algorithm: AnyAlgorithm): boolean {
  try {
    simulate(algorithm, { ids: IDS, initiators: [0] });
    return false;
  } catch (error) {
    if (error instanceof ElectionError) return true;
    throw error;
  }
}

describe.each(TRIGGERED.map((each) => [each.name, each] as const))('%s', (_name, algorithm) => {
  const deletions = Object.keys(algorithm.messages).flatMap((type) => IDS.map((id) => [type, id] as const));

  it.each(deletions)('without %s to id %d', (deleted, id) => {
    const mutant = withoutSends(
      algorithm,
      (ctx, port, type) => type === deleted && ctx.neighbour(port) === id,
    );
    const { complete, violations } = check(mutant, {
      ids: IDS,
      initiators: [0],
      invariants: 'none',
      stateLimit: STATES,
    });
    const isPassed = complete && violations.length === 0;
    expect(isPassed && failsInSimulation(mutant)).toBe(false);
  });

  it('some deletion is found, and the right algorithm passes', () => {
    const secretive = withoutSends(algorithm, (_ctx, _port, type) => /coordinator/.test(type));
    expect(failsInSimulation(algorithm)).toBe(false);
    expect(failsInSimulation(secretive)).toBe(true);
    expect(check(algorithm, { ids: IDS, initiators: [0] })).toMatchObject({ complete: true, violations: [] });
    expect(check(secretive, { ids: IDS, initiators: [0], stateLimit: STATES }).complete).toBe(false);
  });
});
