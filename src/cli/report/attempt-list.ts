/** The attempts at the impossible for people: what becomes of all nodes alike when they start together. */
import type { Attempt } from '../../algorithms/index.ts';
import { formatTable } from '../table.ts';
import type { Screen } from '../terminal.ts';

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
      'Without ids and without lots nobody can be told apart, so that no such election can succeed.',
    ),
  ];
}

/** What the page of an attempt adds to that of an algorithm. */
export function attemptNote({ fate, name }: Attempt): string {
  return (
    `Impossible: it has neither ids nor lots. If all nodes start together, ${fate}; hustings simulate ${name} shows ` +
    'the run. If only one starts, it elects that one.'
  );
}
