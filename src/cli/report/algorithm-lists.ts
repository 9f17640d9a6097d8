/** The lists of wrong twins and of impossible elections, each with the command that shows its failure. */
import type { Attempt, Twin, TwinSearch } from '../../algorithms/index.ts';
import { formatTable } from '../table.ts';
import type { Screen } from '../terminal.ts';

export function twinList(twins: readonly Twin[], { width, paint }: Screen): string[] {
  const table = formatTable(
    ['name', 'wrong copy of', 'breaks', 'found by hustings check NAME'].map((title) => ({ title })),
    twins.map((twin) => [twin.name, twin.of, twin.property, searchFlags(twin.search)]),
    width,
    (text, row, column) => (row < 0 ? paint('faint', text) : column === 0 ? paint('strong', text) : text),
  );
  return [
    ...table,
    '',
    paint('faint', 'Each is a mutant with one wrong line. hustings algorithms NAME explains it.'),
  ];
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

export function attemptList(attempts: readonly Attempt[], { width, paint }: Screen): string[] {
  const table = formatTable(
    ['name', 'if all start together', 'shown by'].map((title) => ({ title })),
    attempts.map(({ name, fate }) => [name, fate, `hustings simulate ${name} --nodes 4`]),
    width,
    (text, row, column) => (row < 0 ? paint('faint', text) : column === 0 ? paint('strong', text) : text),
  );
  return [
    ...table,
    '',
    paint(
      'faint',
      'Nodes without ids and random draws stay in equal states, so no such election can succeed (Angluin 1980).',
    ),
  ];
}

/** The paragraph that the page of an impossible election has in addition. */
export function attemptNote({ fate, name }: Attempt): string {
  return (
    `Impossible: it has neither ids nor random draws. If all nodes start together, ${fate}; hustings simulate ${name} ` +
    'shows the run. If only one node starts, that node is elected.'
  );
}
