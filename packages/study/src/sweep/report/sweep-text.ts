/** The texts of a sweep that its table and its plot share. */
import type { SweepLaw, SweepMeasure, SweepPoint, SweepResult } from '../index.ts';

export type SeriesResult = SweepResult['series'][number];

const MEASURES: Readonly<Record<string, string>> = {
  messages: 'messages',
  election: 'election messages',
  announcement: 'announcement messages',
  upkeep: 'upkeep messages',
  bits: 'bits',
  electedAt: 'time until the leader is elected, in units',
  agreedAt: 'time until all nodes have decided, in units',
  announcementReturnedAt: 'time until the announcement returns, in units',
  causal: 'longest causal chain of messages, in units',
  errorRate: 'rate of failed elections',
};

export function measureText(measure: SweepMeasure): string {
  return MEASURES[measure] ?? measure;
}

/** The title, with the options in which the series differ. */
export function seriesName(series: SeriesResult, { series: all }: SweepResult): string {
  const parts = [series.title];
  if (all.some(({ order }) => order !== series.order)) parts.push(series.order);
  if (all.some(({ schedule }) => schedule !== series.schedule)) parts.push(series.schedule);
  for (const [name, value] of Object.entries(series.set)) {
    if (isVaried(name, all)) parts.push(`${name} = ${value}`);
  }
  return parts.join(', ');
}

/** True if the parameter has several values in the sweep. */
function isVaried(name: string, all: readonly SeriesResult[]): boolean {
  const values = all.filter(({ set }) => Object.hasOwn(set, name)).map(({ set }) => set[name]);
  return values.some((value) => value !== values[0]);
}

/** The options that all series have in common. */
export function commonText({ series, setting, runs, seed, complete }: SweepResult): string {
  const orders = new Set(series.map(({ order }) => `${order} order`));
  const schedules = new Set(series.map(({ schedule }) => schedule));
  const settings = new Set(
    series.flatMap(({ set }) =>
      Object.entries(set)
        .filter(([name]) => !isVaried(name, series))
        .map(([name, value]) => `${name} = ${value}`),
    ),
  );
  return [
    ...(orders.size === 1 ? orders : []),
    ...(schedules.size === 1 ? schedules : []),
    ...Object.entries(setting).map(([name, value]) => `${name} ${value}`),
    ...settings,
    `${runs} run${runs === 1 ? '' : 's'} per point`,
    `seed ${seed}`,
    ...(complete ? [] : ['INCOMPLETE']),
  ].join(', ');
}

const RANK = { exact: 0, mean: 1, bound: 2 } as const;

/**
 * The most precise law first. An exact law or a bound must apply to every run; a mean must apply to half of them, because
 * random orders that happen to be sorted have laws of their own.
 */
export function applicableLaws({ laws, measured }: SweepPoint): SweepLaw[] {
  return laws
    .filter(({ kind, runs }) => (kind === 'mean' ? 2 * runs >= measured : runs === measured))
    .sort((one, other) => RANK[one.kind] - RANK[other.kind] || one.value - other.value);
}
