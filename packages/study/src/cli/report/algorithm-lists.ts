/** The lists of algorithms, of wrong twins and of impossible elections, the latter with the command that shows a failure. */

import { formatTable } from '@hustings/base';
import type { Screen } from '@hustings/base/command/terminal';
import type { Attempt, Twin, TwinSearch } from '../../algorithms/index.ts';
import type { AlgorithmDescription } from '../../kernel/algorithm-description.ts';

/** Narrower screens show fewer columns. */
const WIDE = 80;
const MIDDLE = 64;

/** A table whose first column has the names, and notes below it. */
function listOf(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  notes: readonly string[],
  { width, paint }: Screen,
): string[] {
  const table = formatTable(titles, rows, width, (text, row, column) =>
    row < 0 ? paint('faint', text) : column === 0 ? paint('strong', text) : text,
  );
  return [...table, '', ...notes.map((note) => paint('faint', note))];
}

export function algorithmList(all: readonly AlgorithmDescription[], screen: Screen): string[] {
  const titles = ['name', 'network', 'timing', 'nodes', 'messages', 'source'];
  const rows = all.map(({ name, assumes, cost, source }) => [
    name,
    assumes.network,
    assumes.timing,
    nodesOf(assumes),
    cost,
    source,
  ]);
  const shown = screen.width >= WIDE ? titles.length : screen.width >= MIDDLE ? titles.length - 1 : 3;
  const notes = [
    'hustings algorithms NAME describes one, with its parameters and laws.',
    'hustings algorithms --broken lists mutants with one wrong line, which the checker must catch.',
    'hustings algorithms --impossible lists deterministic elections in anonymous rings, which must fail.',
  ];
  return listOf(
    titles.slice(0, shown),
    rows.map((row) => row.slice(0, shown)),
    notes,
    screen,
  );
}

/** What a node knows, what its links guarantee, and which faults it tolerates. */
function nodesOf({ ids, knows, fifo, faults, mayErr }: AlgorithmDescription['assumes']): string {
  const parts = [ids === 'unique' ? 'unique ids' : 'anonymous'];
  if (knows.length > 0) parts.push(`know ${knows.join(', ')}`);
  if (fifo) parts.push('FIFO links');
  if (faults.length > 0) parts.push(`tolerate ${faults.join(', ')}`);
  if (mayErr) parts.push('Monte Carlo');
  return parts.join('; ');
}

export function twinList(twins: readonly Twin[], screen: Screen): string[] {
  return listOf(
    ['name', 'wrong copy of', 'breaks', 'found by hustings check NAME'],
    twins.map((twin) => [twin.name, twin.of, twin.property, searchFlags(twin.search)]),
    ['Each is a mutant with one wrong line. hustings algorithms NAME explains it.'],
    screen,
  );
}

/** The command that finds the counterexample of a twin. */
export function twinCommand({ name, search }: Twin): string {
  return `hustings check ${name} ${searchFlags(search)}`;
}

function searchFlags(search: TwinSearch): string {
  return Object.entries(search)
    .flatMap(([option, value]) => settingsOf(value).map((setting) => `--${option} ${setting}`))
    .join(' ');
}

/** Several values for a repeatable option. */
function settingsOf(value: TwinSearch[keyof TwinSearch]): string[] {
  if (typeof value !== 'object' || Array.isArray(value)) return [String(value)];
  return Object.entries(value).map(([name, setting]) => `${name}=${setting}`);
}

/** The paragraph that the page of a twin has in addition. */
export function twinNote(twin: Twin): string {
  return `Wrong on purpose: a copy of ${twin.of} with one line changed, which violates ${twin.property}. ${twin.why}`;
}

export function attemptList(attempts: readonly Attempt[], screen: Screen): string[] {
  return listOf(
    ['name', 'if all start together', 'shown by'],
    attempts.map(({ name, fate }) => [name, fate, `hustings simulate ${name} --nodes 4`]),
    [
      'Nodes without ids and random draws stay in equal states, so no such election can succeed (Angluin 1980).',
    ],
    screen,
  );
}

/** The paragraph that the page of an impossible election has in addition. */
export function attemptNote({ fate, name }: Attempt): string {
  return (
    `Impossible: it has neither ids nor random draws. If all nodes start together, ${fate}; hustings simulate ${name} ` +
    'shows the run. If only one node starts, that node is elected.'
  );
}
