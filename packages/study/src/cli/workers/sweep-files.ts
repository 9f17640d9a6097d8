/**
 * The files of a sweep, replaced every second while it runs; PNG and PDF only at its end.
 *
 * Guarantees: each file is complete at any time, and marked as incomplete until the sweep has ended.
 */

import { formatJson } from '@hustings/base/command/json';
import { type OutputFile, prepareOutput } from '@hustings/base/command/user-files';
import { resultOf, type SweepResult, type SweepTally } from '../../sweep/index.ts';
import { formatSweepCsv } from '../../sweep/report/sweep-csv.ts';
import { curveDocument } from '../../sweep/report/sweep-plot.ts';
import { readPictureStyle } from '../flags/picture-flags.ts';
import type { SweepFlags } from '../flags/sweep-flags.ts';
import { formatOf, type PictureFile, pictureOf } from '../picture/picture-file.ts';

const BETWEEN_MS = 1000;

type Format = (result: SweepResult, flags: SweepFlags) => string;

const FORMATS: Readonly<Record<'csv' | 'svg' | 'save', Format>> = {
  csv: formatSweepCsv,
  svg: (result, flags) =>
    curveDocument(result, flags.perNode, readPictureStyle(flags, flags.svg === undefined)),
  save: (result) => `${formatJson(result)}\n`,
};

export class SweepFiles {
  private readonly files: readonly { readonly file: OutputFile; readonly format: Format }[];
  /** A plot that a browser converts, which takes too long for every second. */
  private readonly converted: PictureFile | null;
  private readonly flags: SweepFlags;
  private writtenMs = Number.NEGATIVE_INFINITY;

  /** Throws if a file cannot be written. */
  constructor(flags: SweepFlags) {
    this.flags = flags;
    const isConverted = flags.svg !== undefined && formatOf(flags.svg) !== null;
    this.converted = isConverted ? pictureOf('svg', flags.svg) : null;
    this.files = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).flatMap((option) => {
      const path = flags[option];
      if (path === undefined || (option === 'svg' && isConverted)) return [];
      return [{ file: prepareOutput(option, path), format: FORMATS[option] }];
    });
  }

  get paths(): string[] {
    return [...this.files.map(({ file }) => file.path), ...(this.converted ? [this.converted.path] : [])];
  }

  /** Writes at most once per second. */
  update(tally: SweepTally): void {
    if (this.files.length === 0 || performance.now() - this.writtenMs < BETWEEN_MS) return;
    this.write(resultOf(tally));
    this.writtenMs = performance.now();
  }

  /** Writes the result, and the picture that is converted. */
  async finish(result: SweepResult): Promise<void> {
    this.write(result);
    await this.converted?.write(FORMATS.svg(result, this.flags));
  }

  private write(result: SweepResult): void {
    for (const { file, format } of this.files) file.write(format(result, this.flags));
  }
}
