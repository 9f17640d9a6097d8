/** The wrong twins for people: what each breaks, and the search that finds it. */
import type { Twin, TwinSearch } from '../../algorithms/index.ts';
import { formatTable } from '../table.ts';
import type { Screen } from '../terminal.ts';

export function twinList(twins: readonly Twin[], { width, paint }: Screen): string[] {
  const table = formatTable(
    ['name', 'wrong copy of', 'breaks', 'seen by hustings check NAME'].map((title) => ({ title })),
    twins.map((twin) => [twin.name, twin.of, twin.property, searchFlags(twin.search)]),
    width,
    (text, row, column) => (row < 0 ? paint('faint', text) : column === 0 ? paint('strong', text) : text),
  );
  return [
    ...table,
    '',
    paint('faint', 'Each has one wrong line. hustings algorithms NAME says why it is wrong.'),
  ];
}

/** The search that catches a twin, as the command line takes it. */
export function twinCommand({ name, search }: Twin): string {
  return `hustings check ${name} ${searchFlags(search)}`;
}

function searchFlags(search: TwinSearch): string {
  return Object.entries(search)
    .flatMap(([option, value]) => settingsOf(value).map((setting) => `--${option} ${setting}`))
    .join(' ');
}

/** Several for an option that is repeated. */
function settingsOf(value: TwinSearch[keyof TwinSearch]): string[] {
  if (typeof value !== 'object' || Array.isArray(value)) return [String(value)];
  return Object.entries(value).map(([name, setting]) => `${name}=${setting}`);
}

/** What the page of a twin adds to that of an algorithm. */
export function twinNote(twin: Twin): string {
  return `Wrong on purpose: a copy of ${twin.of} with one line changed, which breaks ${twin.property}. ${twin.why}`;
}
