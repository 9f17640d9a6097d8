/**
 * Work that many machines share, as plain JSON, and its division into tasks.
 *
 * Guarantees: the tasks and their order follow from the work alone. The results of tasks are parts, each with an index; the
 * parts of one index are merged in the order of their tasks, so the merged parts have the same bits on any number of machines.
 */
import { createHash } from 'node:crypto';
import type { ExperimentOptions, StudyResult } from '@hustings/claims';
import type { CarriedFile } from '@hustings/study/internal/cli/user-file/algorithm-bundle';
import {
  type CellTally,
  chunksOf,
  countChunks,
  decodeTally,
  encodeTally,
  mergeInto,
  type SweepChunk,
  type SweepOptions,
  type TallyJson,
} from '@hustings/study/sweep';

export interface SharedSweep {
  readonly type: 'sweep';
  readonly names: readonly string[];
  readonly options: SweepOptions;
  /** The files among the names. */
  readonly files: readonly CarriedFile[];
  /** The number of nodes of each cell. */
  readonly cells: readonly number[];
  readonly runs: number;
}

export interface SharedReproduction {
  readonly type: 'reproduce';
  readonly options: ExperimentOptions;
  readonly studies: number;
}

export type SharedWork = SharedSweep | SharedReproduction;
export type SharedTask = SweepChunk | number;
export type Part = readonly [index: number, value: TallyJson | StudyResult];

/** The same for the same work: names the work in the queue. */
export function idOf(work: SharedWork): string {
  return createHash('sha256').update(JSON.stringify(work)).digest('hex').slice(0, 16);
}

export function hasFiles(work: SharedWork): boolean {
  return work.type === 'sweep' && work.files.length > 0;
}

/** For people. */
export function describeWork(work: SharedWork): string {
  return work.type === 'sweep' ? `sweep of ${work.names.join(', ')}` : 'reproduction of the claims';
}

const chunkPlan = ({ cells, runs }: SharedSweep) => ({
  cells: cells.map((n, index) => ({ index, n })),
  runs,
});

export function countTasks(work: SharedWork): number {
  return work.type === 'sweep' ? countChunks(chunkPlan(work)) : work.studies;
}

export function* tasksOf(work: SharedWork): Generator<SharedTask> {
  if (work.type === 'sweep') yield* chunksOf(chunkPlan(work));
  else for (let study = 0; study < work.studies; study++) yield study;
}

/** Some tens of milliseconds for a sweep, and at least 64 jobs if there are as many chunks. A study is a job. */
export function tasksPerJob(work: SharedWork): number {
  return work.type === 'sweep' ? Math.max(1, Math.min(8, Math.floor(countTasks(work) / 64))) : 1;
}

/** The merged parts of a work so far. */
export class MergedParts {
  private readonly type: SharedWork['type'];
  private readonly tallies = new Map<number, CellTally>();
  private readonly studies = new Map<number, StudyResult>();

  constructor(type: SharedWork['type'], saved: Iterable<Part> = []) {
    this.type = type;
    for (const [index, value] of saved) {
      if (type === 'sweep') this.tallies.set(index, decodeTally(value as TallyJson));
      else this.studies.set(index, value as StudyResult);
    }
  }

  /** Parts must be added in the order of their tasks. */
  add([index, value]: Part): void {
    if (this.type === 'reproduce') this.studies.set(index, value as StudyResult);
    else this.tallies.set(index, mergeInto(this.tallies.get(index), decodeTally(value as TallyJson)));
  }

  get(index: number): Part[1] {
    if (this.type === 'reproduce') return this.studies.get(index) as StudyResult;
    return encodeTally(this.tallies.get(index) as CellTally);
  }

  get cells(): ReadonlyMap<number, CellTally> {
    return this.tallies;
  }

  get results(): ReadonlyMap<number, StudyResult> {
    return this.studies;
  }
}
