/**
 * Collects the tallies of chunks in any order of arrival, and keeps no run.
 *
 * Guarantees: the tallies of a cell are merged in chunk order, so the same sweep gives the same bits on any number of
 * cores. An early tally waits for those before it; `points` includes it anyway.
 */
import { type CellTally, emptyTally, mergeTallies } from './cell-tally.ts';
import type { SweepCell, SweepChunk, SweepPlan } from './sweep-plan.ts';

interface Gathered {
  readonly merged: CellTally;
  readonly early: Map<number, CellTally>;
  next: number;
}

/** Merges the tallies of chunks in any order of arrival. */
export class SweepTally {
  readonly plan: SweepPlan;
  private readonly cells: readonly Gathered[];

  /** `merged` are the tallies by cell that `mergeInto` made of the first chunks elsewhere; then nothing is added here. */
  constructor(plan: SweepPlan, merged: ReadonlyMap<number, CellTally> = new Map()) {
    this.plan = plan;
    this.cells = plan.cells.map(({ index, series }) => ({
      merged: merged.get(index) ?? emptyTally(series.laws.length),
      early: new Map(),
      next: 0,
    }));
  }

  /** Adds the tally of a chunk. */
  add(chunk: SweepChunk, tally: CellTally): void {
    const cell = this.cells[chunk.cell];
    cell.early.set(chunk.index, tally);
    for (let due = cell.early.get(cell.next); due !== undefined; due = cell.early.get(cell.next)) {
      mergeTallies(cell.merged, due);
      cell.early.delete(cell.next++);
    }
  }

  /** All tallies of a cell that have arrived. */
  of(cell: SweepCell): CellTally {
    const { merged, early } = this.cells[cell.index];
    const all = emptyTally(cell.series.laws.length);
    mergeTallies(all, merged);
    for (const index of [...early.keys()].sort((one, other) => one - other)) {
      mergeTallies(all, early.get(index) as CellTally);
    }
    return all;
  }
}
