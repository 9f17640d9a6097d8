/** What happened around a violation, so that one find can be explained: the journals and the faults, on one clock. */
import type { Entry } from './journal.ts';

/** A fault as it was inflicted, in milliseconds of the host's monotonic clock. */
export interface InflictedFault {
  readonly kind: string;
  /** The candidate that it was meant for. */
  readonly target: string;
  readonly onLeader: boolean;
  readonly fromMs: number;
  /** When everything ran again. */
  readonly toMs: number;
}

/** A text of one line for each violation, with the time at which it happened; null if it has none. */
export interface Violation {
  readonly text: string;
  readonly atMs: number | null;
}

const AROUND_MS = 1_500;
/** A run that is wrong all over needs no more. */
const MAX_EXPLAINED = 5;

/** The texts of the violations, the first of them with what happened around them. */
export function explained(
  violations: readonly Violation[],
  entries: readonly Entry[],
  faults: readonly InflictedFault[],
): string[] {
  return violations.map(({ text, atMs }, index) =>
    atMs === null || index >= MAX_EXPLAINED ? text : `${text}\n${linesAround(atMs, entries, faults)}`,
  );
}

function linesAround(atMs: number, entries: readonly Entry[], faults: readonly InflictedFault[]): string {
  const near = (fromMs: number, toMs: number): boolean =>
    fromMs <= atMs + AROUND_MS && toMs >= atMs - AROUND_MS;
  const time = (ms: number): string => `${ms < atMs ? '-' : '+'}${Math.abs(ms - atMs).toFixed(1)} ms`;
  const inflicted = faults
    .filter(({ fromMs, toMs }) => near(fromMs, toMs))
    .map(({ kind, target, onLeader, fromMs, toMs }) => ({
      atMs: fromMs,
      line: `${time(fromMs)} to ${time(toMs)}: ${kind}, ${target}${onLeader ? ', which led' : ''}`,
    }));
  const recorded = runsOfWork(entries.filter(({ at }) => near(at, at))).map(({ first, last, count }) => ({
    atMs: first.at,
    line: `${time(first.at)}${count > 1 ? ` to ${time(last.at)}, ${count} times` : ''}: ${textOf(first)}`,
  }));
  return [...inflicted, ...recorded]
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ line }) => `  ${line}`)
    .join('\n');
}

const textOf = ({ at: _at, ...rest }: Entry): string => JSON.stringify(rest);

/** Entries of work that follow one another, of one term, as one. */
function runsOfWork(entries: readonly Entry[]): { first: Entry; last: Entry; count: number }[] {
  const runs: { first: Entry; last: Entry; count: number }[] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run !== undefined && entry.event === 'work' && textOf(run.first) === textOf(entry)) {
      run.last = entry;
      run.count++;
    } else runs.push({ first: entry, last: entry, count: 1 });
  }
  return runs;
}
