/**
 * The files of a sweep, replaced every second while it runs.
 *
 * Guarantees: each file is complete at any time, and marked as incomplete until the sweep has ended.
 */
import { resultOf, type SweepResult, type SweepTally } from '../../sweep/index.ts';
import { type OutputFile, prepareOutput } from '../files.ts';
import type { SweepFlags } from '../flags/sweep-flags.ts';
import { formatJson } from '../json.ts';
import { formatSweepCsv } from '../report/sweep-csv.ts';
import { drawSweep } from '../report/sweep-plot.ts';

const BETWEEN_MS = 1000;

type Format = (result: SweepResult, flags: SweepFlags) => string;

const FORMATS: Readonly<Record<'csv' | 'svg' | 'save', Format>> = {
  csv: formatSweepCsv,
  svg: (result, { perNode }) => drawSweep(result, perNode),
  save: (result) => `${formatJson(result)}\n`,
};

export class SweepFiles {
  private readonly files: readonly { readonly file: OutputFile; readonly format: Format }[];
  private readonly flags: SweepFlags;
  private writtenMs = Number.NEGATIVE_INFINITY;

  /** Throws if a file cannot be written. */
  constructor(flags: SweepFlags) {
    this.flags = flags;
    this.files = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).flatMap((option) => {
      const path = flags[option];
      return path === undefined ? [] : [{ file: prepareOutput(option, path), format: FORMATS[option] }];
    });
  }

  get paths(): string[] {
    return this.files.map(({ file }) => file.path);
  }

  /** Writes at most once per second. */
  update(tally: SweepTally): void {
    if (this.files.length === 0 || performance.now() - this.writtenMs < BETWEEN_MS) return;
    this.write(resultOf(tally));
    this.writtenMs = performance.now();
  }

  write(result: SweepResult): void {
    for (const { file, format } of this.files) file.write(format(result, this.flags));
  }
}
