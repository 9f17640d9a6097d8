/** Writes the tables of the benchmarks into a page, each between two marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Measured } from './checker-child.ts';
import type { Result } from './child.ts';
import type { FailoverFigures } from './cluster-failover.ts';
import type { ScaleFigures } from './cluster-scale.ts';
import type { LabFigure } from './lab.ts';
import type { Figures } from './lease-figures.ts';
import { LIMITS } from './limits.ts';
import type { Spread } from './spread.ts';

const END = '<!-- end of the table -->';

/**
 * `part`: flags of the part of the benchmark that writes this table. `keepsRows`: the rows of the page that the table has no new
 * one for stay, in their order.
 */
function write(page: string, script: string, table: readonly string[], part = '', keepsRows = false): void {
  const begin = `<!-- npm run ${script} -- ${part}--docs writes this table -->`;
  const text = readFileSync(page, 'utf8');
  const start = text.indexOf(begin);
  const end = text.indexOf(END, start);
  if (start < 0 || end < 0) throw new Error(`${page} must have the lines '${begin}' and '${END}': add them`);
  const before = text
    .slice(start + begin.length, end)
    .trim()
    .split('\n')
    .slice(HEAD_LINES);
  const rows = keepsRows ? merged(before, table.slice(HEAD_LINES)) : table.slice(HEAD_LINES);
  const lines = [...table.slice(0, HEAD_LINES), ...rows];
  writeFileSync(page, [text.slice(0, start) + begin, ...lines, text.slice(end)].join('\n'));
}

/** The names of the columns, and the line below them. */
const HEAD_LINES = 2;

/** A row is named by its first cell. */
function merged(before: readonly string[], after: readonly string[]): readonly string[] {
  const byName = new Map([...before, ...after].map((row) => [row.split('|')[1], row]));
  return [...byName.values()];
}

/** The searches of the model checker and of Spin. */
export function writeSearches(
  page: string,
  sizes: readonly { readonly nodes: number; readonly measured: readonly Measured[] }[],
): void {
  write(page, 'bench:check', [
    '| nodes | states | transitions | | time | bytes per state | memory | time on 1 thread / this time |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...sizes.flatMap(({ nodes, measured }) =>
      measured.map(({ name, states, transitions, median, bytesPerState, peakBytes, ratio }) => {
        const counts = [nodes, states, transitions].map((count) => count.toLocaleString('en')).join(' | ');
        const figures = [bytesPerState.toFixed(0), `${Math.round(peakBytes / 1e6).toLocaleString('en')} MB`];
        return `| ${counts} | ${name} | ${median.toFixed(1)} s | ${figures.join(' | ')} | ${ratio.toFixed(2)} |`;
      }),
    ),
  ]);
}

/** The comparison with the hand-written loops. */
export function writeTable(page: string, rows: readonly (Result & { readonly name: string })[]): void {
  write(page, 'bench', [
    '| | messages | loop, M messages/s | engine, M messages/s | engine / loop, time | what limits the engine |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ name, messages, byHand, engine, ratio }) => {
      const figures = [byHand?.toFixed(1), engine.toFixed(1), ratio?.toFixed(2)].join(' | ');
      return `| ${name} | ${messages.toLocaleString('en')} | ${figures} | ${LIMITS[name] ?? ''} |`;
    }),
  ]);
}

/** The figures of the lab beside their goals. */
export function writeFigures(page: string, figures: readonly LabFigure[]): void {
  write(page, 'bench:lab', [
    '| | measured | goal | |',
    '| --- | --- | --- | --- |',
    ...figures.map(
      ({ goal, isMet, name, value }) => `| ${name} | ${value} | ${goal} | ${isMet ? '✓' : '✗'} |`,
    ),
  ]);
}

/** The failover times of clusters. */
export function writeClusterFailovers(page: string, failovers: readonly FailoverFigures[]): void {
  const times = ({ most, p50, p99, runs }: Spread): string =>
    `${[p50, p99, most].map((value) => value.toFixed(2)).join(' / ')} s of ${runs}`;
  const table = [
    '| | `kill -9` of the leader: p50 / p99 / maximum | SIGSTOP of the leader | no agreement within 30 s | false suspicions |',
    '| --- | --- | --- | --- | --- |',
    ...failovers.map(
      ({ failed, falseSuspicions, killed, stopped, title }) =>
        `| ${title} | ${times(killed)} | ${times(stopped)} | ${failed} | ${falseSuspicions ?? 'not reported'} |`,
    ),
  ];
  write(page, 'bench:cluster', table, '--only failover ');
}

/** The cost of many members. */
export function writeClusterScales(page: string, scales: readonly ScaleFigures[]): void {
  const table = [
    '| | all elected, after the last one is up | frames sent per member and second | bytes | processor time, share of a core | memory per member |',
    '| --- | --- | --- | --- | --- | --- |',
    ...scales.map(({ algorithm, bytesPerMember, electedAfter, idle, members }) => {
      const cells = [
        `${members} members, ${algorithm}`,
        electedAfter === null ? 'not within a minute' : `${electedAfter.toFixed(2)} s`,
        idle.frames.toFixed(0),
        Math.round(idle.bytes).toLocaleString('en'),
        `${(100 * idle.cpu).toFixed(1)} %`,
        `${(bytesPerMember / 1e6).toFixed(0)} MB`,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
  write(page, 'bench:cluster', table, '--only scale ');
}

const seconds = ({ p50, most }: Spread): string => `${p50.toFixed(2)} / ${most.toFixed(2)} s`;

/** The figures of leases, a row for each store. */
export function writeLeases(page: string, measured: readonly Figures[]): void {
  const table = [
    '| | renewals per second on one connection (ratio to the bare calls) | round trips per renewal of 1,000 leases | event-loop time per lease and second | store operations: holder per TTL, waiter per second |',
    '| --- | --- | --- | --- | --- |',
    ...measured.map(({ title, renewals, many, holderPerTtl, waiterPerSecond }) => {
      const rate = `${Math.round(renewals.ours).toLocaleString('en')} (${renewals.ratio.toFixed(2)})`;
      const of = many.leases === 1_000 ? '' : ` (${many.leases} leases)`;
      const trips = many.ratio < 1 ? `1/${Math.round(1 / many.ratio)}` : many.ratio.toFixed(1);
      const traffic = `${holderPerTtl.toFixed(1)}, ${waiterPerSecond.toFixed(1)}`;
      return `| ${title} | ${rate} | ${trips}${of} | ${many.loopMicros.toFixed(0)} µs | ${traffic} |`;
    }),
  ];
  write(page, 'bench:lease', table, '', true);
}

/** The failover times of leases, a row for each store. */
export function writeFailovers(page: string, measured: readonly Figures[]): void {
  const table = [
    '| from the signal until the next candidate leads, median / maximum | `kill -9` of the leader, on the same host | `kill -9` of the leader, on another host | SIGTERM: the leader stops and releases its lease |',
    '| --- | --- | --- | --- |',
    ...measured.map(
      ({ title, killed, lost, released }) =>
        `| ${title} | ${seconds(killed)} | ${seconds(lost)} | ${seconds(released)} |`,
    ),
  ];
  write(page, 'bench:lease', table, '', true);
}
