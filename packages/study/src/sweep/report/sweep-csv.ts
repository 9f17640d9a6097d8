/** The result of a sweep as comma-separated values (RFC 4180): one line per point, with the most precise applicable law. */
import type { SweepPoint, SweepResult } from '../index.ts';
import { applicableLaws, type SeriesResult } from './sweep-text.ts';

type Cell = string | number | boolean | null | undefined;

/** `runs` of `planned` are done. Figures are empty if nothing was measured. */
const COLUMNS: Readonly<
  Record<string, (result: SweepResult, series: SeriesResult, point: SweepPoint) => Cell>
> = {
  algorithm: (_result, { algorithm }) => algorithm,
  order: (_result, { order }) => order,
  schedule: (_result, { schedule }) => schedule,
  set: (_result, { set }) =>
    Object.entries(set)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  n: (_result, _series, { n }) => n,
  measure: ({ measure }) => measure,
  seed: ({ seed }) => seed,
  planned: ({ runs }) => runs,
  runs: (_result, _series, { runs }) => runs,
  complete: (_result, _series, { complete }) => complete,
  failed: (_result, _series, { failed }) => failed,
  measured: (_result, _series, { measured }) => measured,
  mean: (_result, _series, { mean }) => mean,
  variance: (_result, _series, { variance }) => variance,
  low95: (_result, _series, { interval }) => interval?.[0],
  high95: (_result, _series, { interval }) => interval?.[1],
  min: (_result, _series, { min }) => min,
  p05: (_result, _series, { quantiles }) => quantiles?.p05,
  median: (_result, _series, { quantiles }) => quantiles?.median,
  p95: (_result, _series, { quantiles }) => quantiles?.p95,
  max: (_result, _series, { max }) => max,
  law_kind: (_result, _series, point) => applicableLaws(point)[0]?.kind,
  law: (_result, _series, point) => applicableLaws(point)[0]?.formula,
  law_value: (_result, _series, point) => applicableLaws(point)[0]?.value,
  law_broken: (_result, _series, point) => applicableLaws(point)[0]?.broken,
};

export function formatSweepCsv(result: SweepResult): string {
  const lines = result.series.flatMap((series) =>
    series.points.map((point) => Object.values(COLUMNS).map((read) => written(read(result, series, point)))),
  );
  return `${[Object.keys(COLUMNS), ...lines].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

function written(cell: Cell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
