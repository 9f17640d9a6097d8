/** The figures of the custom measures of an algorithm in one run. */
import { suggestion } from '@hustings/base';
import { ProtocolError } from '../errors.ts';
import type { CustomMeasures } from '../measure.ts';

/** Collects what handlers report with `ctx.measure`. */
export class CustomCounters {
  private readonly names: readonly string[];
  private readonly isTotal: readonly boolean[];
  /** By measure; NaN while there is no largest figure. */
  private readonly figures: Float64Array;

  constructor(measures: CustomMeasures) {
    this.names = Object.keys(measures);
    this.isTotal = Object.values(measures).map(({ type }) => type === 'total');
    this.figures = Float64Array.from(this.isTotal, (isTotal) => (isTotal ? 0 : Number.NaN));
  }

  /** Adds a reported figure to a total, or compares it with the largest. */
  report(name: string, figure: number): void {
    const { figures } = this;
    const index = this.names.indexOf(name);
    if (index < 0) {
      throw new ProtocolError(
        `measure '${name}' must be declared in measures${suggestion(String(name), this.names)}`,
      );
    }
    if (!(figure >= 0 && figure < Number.POSITIVE_INFINITY)) {
      throw new ProtocolError(`measure() takes a number from 0, not ${figure}`);
    }
    if (this.isTotal[index]) figures[index] += figure;
    else if (!(figures[index] >= figure)) figures[index] = figure;
  }

  /** The figures up to now; null if nothing was reported for a largest figure. */
  read(): Record<string, number | null> {
    const { figures, names } = this;
    return Object.fromEntries(
      names.map((name, index) => [name, Number.isNaN(figures[index]) ? null : figures[index]]),
    );
  }
}
