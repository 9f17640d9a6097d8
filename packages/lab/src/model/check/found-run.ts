/** A run that a search found, as a run model. */
import { type FoundRun, replay } from '@hustings/study/checker';
import { type AnyAlgorithm, InputError } from '@hustings/study/kernel';
import { placeOf } from '../run/branch-link.ts';
import { recordSteps } from '../run/recorded-run.ts';
import { RunModel } from '../run/run-model.ts';
import { algorithmOf, type LabSetup, optionsOf } from '../setup/lab-setup.ts';
import type { LabState } from '../setup/url-state.ts';

/** What the searches of the page allow: wrong suspicions, and delays up to 8 units. */
const SEARCHED_WORLD = { suspect: true, delay: 8 } as const;

/** The setup of a found run. Planned faults are left out: the run has its own. */
export function foundSetup(
  setup: LabSetup,
  { fifo, ids, initiators }: FoundRun,
  { assumes }: AnyAlgorithm,
): LabSetup {
  const { algorithm, seed, set, topology } = setup;
  const isAnonymous = setup.ids === 'anonymous' || assumes.ids === 'anonymous';
  return {
    algorithm,
    ...(set && { set }),
    ...(topology && { topology }),
    ...(seed !== undefined && { seed }),
    ...(isAnonymous ? { nodes: ids.length } : { ids: [...ids] }),
    ...(initiators.length < ids.length && { initiators: [...initiators] }),
    ...(assumes.fifo && !fifo && { schedule: 'random:nofifo' as const, despite: ['fifo'] }),
  };
}

/**
 * The found run with its cursor at the beginning, in a world that allows what the search allowed. The algorithm may be a
 * reader's own: the worker that runs it has no catalogue.
 */
export function foundModel(
  setup: LabSetup,
  found: FoundRun,
  property: string | undefined,
  algorithm: AnyAlgorithm,
): RunModel {
  const resolved = foundSetup(setup, found, algorithm);
  const { fifo, initiators, starts, steps } = found;
  const options = optionsOf(resolved);
  const { ids, nodes, seed, set, topology } = options;
  const { taken } = replay(algorithm, {
    ...{ ids, nodes, seed, set, topology },
    ...{ fifo, initiators, starts, steps, property },
    ...SEARCHED_WORLD,
  });
  const world = { fifo, initiators, starts, ...SEARCHED_WORLD };
  return new RunModel(recordSteps(algorithm, options, world, taken));
}

/** The link that opens a found run on the page Run; null if the schedule of that page does not allow its steps. */
export function foundLink(setup: LabSetup, found: FoundRun, property?: string): LabState | null {
  const algorithm = algorithmOf(setup);
  const resolved = foundSetup(setup, found, algorithm);
  try {
    const model = RunModel.of(algorithm, optionsOf(resolved));
    for (const { step } of foundModel(setup, found, property, algorithm).steps) model.take(step);
    model.seek(0);
    return { page: 'run', setup: resolved, extra: { ...placeOf(model) } };
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
