/** The scale and the tick labels of an axis: logarithmic, or linear if some values are 0 or below. */
import { textWidth } from '../text-box.ts';

export interface PlotTick {
  readonly value: number;
  /** Empty for a grid line without a label. */
  readonly label: string;
}

export interface PlotAxis {
  readonly isLogarithmic: boolean;
  readonly ticks: readonly PlotTick[];
  at(value: number): number;
}

/** Margin on each side, as a fraction of the axis. */
const MARGIN = 0.035;
/** Up to this number of decades 1, 2 and 5 are labelled; beyond it only powers of ten. */
const FEW_DECADES = 2.6;
/** Below this number of decades labels are evenly spaced, because 1, 2 and 5 might all lie outside. */
const NO_DECADE = 0.7;

/** From pixel `start` to pixel `end`, with a margin around the values. */
export function axisFor(values: readonly number[], start: number, end: number): PlotAxis {
  const least = Math.min(...values);
  const most = Math.max(...values);
  return least > 0 ? logAxis(least, most, start, end) : linearAxis(least, most, start, end);
}

function logAxis(least: number, most: number, start: number, end: number): PlotAxis {
  const isPoint = most / least < 1.01;
  const [low, high] = isPoint ? [least / 2, most * 2] : [least, most];
  const at = place(Math.log10(low), Math.log10(high), start, end);
  const decades = Math.log10(high / low);
  if (decades < NO_DECADE)
    return { isLogarithmic: true, ticks: evenTicks(low, high), at: (value) => at(Math.log10(value)) };
  const ticks: PlotTick[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (let digit = 1; digit <= 9; digit++) {
      const value = digit * 10 ** power;
      if (value < low * 0.999 || value > high * 1.001) continue;
      const isNamed = digit === 1 || (decades < FEW_DECADES && (digit === 2 || digit === 5));
      ticks.push({ value, label: isNamed ? label(value) : '' });
    }
  }
  return { isLogarithmic: true, ticks, at: (value) => at(Math.log10(value)) };
}

function linearAxis(least: number, most: number, start: number, end: number): PlotAxis {
  const [low, high] = least === most ? [least - 1, most + 1] : [least, most];
  return { isLogarithmic: false, ticks: evenTicks(low, high), at: place(low, high, start, end) };
}

function evenTicks(low: number, high: number): PlotTick[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / 4));
  const step = [1, 2, 5, 10].map((k) => k * power).find((each) => each >= (high - low) / 6) ?? 10 * power;
  const ticks: PlotTick[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) {
    ticks.push({ value: k * step, label: label(k * step) });
  }
  return ticks;
}

function place(low: number, high: number, start: number, end: number): (value: number) => number {
  const margin = MARGIN * (end - start);
  const scale = (end - start - 2 * margin) / (high - low);
  return (value) => start + margin + (value - low) * scale;
}

/** A tick at every value. Those whose label would touch the one before have none. */
export function namedTicks(axis: PlotAxis, values: readonly number[], size: number): PlotTick[] {
  let last = Number.NEGATIVE_INFINITY;
  return [...new Set(values)]
    .sort((one, other) => one - other)
    .map((value) => {
      const text = label(value);
      const half = textWidth(text, size) / 2;
      const isClear = axis.at(value) - half >= last + size;
      if (isClear) last = axis.at(value) + half;
      return { value, label: isClear ? text : '' };
    });
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function label(value: number): string {
  const power = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const digits = value / 10 ** power;
  // Only ticks are labelled, and theirs are round: 10⁶ is easier to read than 1,000,000.
  if (power >= 6 && Math.abs(digits - Math.round(digits)) < 1e-6) {
    const raised = [...String(power)].map((digit) => RAISED[Number(digit)]).join('');
    return `${Math.round(digits) === 1 ? '' : `${Math.round(digits)}·`}10${raised}`;
  }
  const [whole, decimals] = String(Number(value.toPrecision(6))).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
