/**
 * The files of a sweep, written anew every second while it runs, each whole or not at all: whoever kills the process
 * finds what was done up to then, and in it that it is not all.
 */
import { resultOf, type SweepResult, type SweepTally } from '../../sweep/index.ts';
import { type OutputFile, prepareOutput } from '../files.ts';
import type { SweepFlags } from '../flags/sweep-flags.ts';
import { formatJson } from '../json.ts';
import { formatSweepCsv } from '../report/sweep-csv.ts';
import { drawSweep } from '../report/sweep-plot.ts';

const BETWEEN_MS = 1000;

type Format = (result: SweepResult, words: SweepFlags) => string;

const FORMATS: Readonly<Record<'csv' | 'svg' | 'save', Format>> = {
  csv: formatSweepCsv,
  svg: (result, { perNode }) => drawSweep(result, perNode),
  save: (result) => `${formatJson(result)}\n`,
};

export class SweepFiles {
  private readonly files: readonly { readonly file: OutputFile; readonly format: Format }[];
  private readonly words: SweepFlags;
  private writtenMs = Number.NEGATIVE_INFINITY;

  /** Finds out whether all can be written. */
  constructor(words: SweepFlags) {
    this.words = words;
    this.files = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).flatMap((option) => {
      const path = words[option];
      return path === undefined ? [] : [{ file: prepareOutput(option, path), format: FORMATS[option] }];
    });
  }

  get paths(): string[] {
    return this.files.map(({ file }) => file.path);
  }

  /** Writes if it is time to, and at once if nothing is there yet. */
  keep(tally: SweepTally): void {
    if (this.files.length === 0 || performance.now() - this.writtenMs < BETWEEN_MS) return;
    this.write(resultOf(tally));
    this.writtenMs = performance.now();
  }

  write(result: SweepResult): void {
    for (const { file, format } of this.files) file.write(format(result, this.words));
  }
}
