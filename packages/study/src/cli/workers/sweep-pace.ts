/** Estimates the remaining time of a sweep from the time that each size has taken so far. */
import type { SweepChunk, SweepPlan } from '../../sweep/index.ts';

export class SweepPace {
  readonly allRuns: number;
  runs = 0;
  private readonly plan: SweepPlan;
  private readonly cores: number;
  private readonly cells: { runs: number; tookMs: number }[];

  constructor(plan: SweepPlan, cores: number) {
    this.plan = plan;
    this.cores = cores;
    this.allRuns = plan.runs * plan.cells.length;
    this.cells = plan.cells.map(() => ({ runs: 0, tookMs: 0 }));
  }

  note({ cell, runs }: SweepChunk, tookMs: number): void {
    this.runs += runs;
    this.cells[cell].runs += runs;
    this.cells[cell].tookMs += tookMs;
  }

  /** Null until every size has a run. */
  leftMs(): number | null {
    if (this.cells.some(({ runs }) => runs === 0)) return null;
    const leftMs = this.cells.reduce(
      (sum, { runs, tookMs }) => sum + (this.plan.runs - runs) * (tookMs / runs),
      0,
    );
    return leftMs / this.cores;
  }
}
