/** The counts of a run beside the laws of the algorithm. */

import { formatFigure, formatTable, markStyle } from '@hustings/base';
import type { Screen } from '@hustings/base/command/terminal';
import { type Law, type Measure, obeys } from '../../kernel/index.ts';
import { nameOf, statementOf } from '../../kernel/law-text.ts';
import { measured, type Outcome } from '../../simulator/index.ts';

const ALWAYS: readonly Measure[] = [
  'election',
  'announcement',
  'upkeep',
  'electedAt',
  'agreedAt',
  'announcementReturnedAt',
];

export function lawTable(
  outcome: Outcome,
  laws: readonly { readonly law: Law; readonly value: number }[],
  { paint, width }: Screen,
): string[] {
  const rows: string[][] = [];
  const show = (name: string, figure: number | null, applicable: typeof laws) => {
    if (figure === null && applicable.length === 0) return;
    const counted = figure === null ? 'never' : formatFigure(figure);
    if (applicable.length === 0) rows.push([name, counted, '', '']);
    applicable.forEach(({ law, value }, index) => {
      const obeyed = obeys(law, value, figure);
      const mark = obeyed === null ? '' : obeyed ? '✓' : '✗';
      const [first, second] = index === 0 ? [name, counted] : ['', ''];
      rows.push([first, second, statementOf(law, value), mark]);
    });
  };
  const of = (measure: Measure) => laws.filter(({ law }) => nameOf(law.measure) === nameOf(measure));
  const byType = laws
    .map(({ law }) => law.measure)
    .filter((measure) => typeof measure === 'object' && 'messages' in measure);
  for (const measure of ALWAYS) {
    show(nameOf(measure), measured(outcome, measure), of(measure));
    // Counts by type follow the sums.
    if (measure !== 'upkeep') continue;
    for (const type of new Map(byType.map((each) => [nameOf(each), each])).values()) {
      show(`  ${nameOf(type)}`, measured(outcome, type), of(type));
    }
  }
  show('bits', outcome.bits, []);
  show('longest chain', outcome.time.causal, []);
  for (const own of Object.keys(outcome.measures ?? {})) show(own, measured(outcome, { own }), of({ own }));
  return formatTable(['', ['counted'], 'law', ''], rows, width, markStyle(paint));
}
