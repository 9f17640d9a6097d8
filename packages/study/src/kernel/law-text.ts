/** Measures and laws as text. */
import { formatFigure } from '@hustings/base';
import type { Law, Measure } from './law.ts';

/** The built-in measures of laws, for people. */
export const MEASURE_NAMES = {
  election: 'election messages',
  announcement: 'announcement messages',
  upkeep: 'upkeep messages',
  electedAt: 'elected at',
  agreedAt: 'agreed at',
  announcementReturnedAt: 'announcement returned at',
  errorRate: 'rate of failed elections',
} as const;

/** A type of message is in brackets, as in papers: an algorithm may have a message called election. */
export function nameOf(measure: Measure): string {
  if (typeof measure !== 'object') return MEASURE_NAMES[measure];
  return 'own' in measure ? measure.own : `⟨${measure.messages}⟩ messages`;
}

const SIGNS = { exact: '=', bound: '≤', mean: '≈' } as const;

export function formulaOf({ kind, formula }: Pick<Law, 'kind' | 'formula'>): string {
  return `${SIGNS[kind]} ${formula}${kind === 'mean' ? ' on average' : ''}`;
}

/** The formula of a curve whose figures are divided by n. */
export function perNode(formula: string): string {
  return `(${formula}) / n`;
}

/** The law with its value for one run: 'n = 8'. */
export function statementOf(law: Pick<Law, 'kind' | 'formula'>, value: number): string {
  const figure = formatFigure(value);
  const [sign, end] = { exact: ['', ''], bound: ['≤ ', ''], mean: ['≈ ', ' on average'] }[law.kind];
  return `${sign}${law.formula}${law.formula === figure ? '' : ` = ${figure}`}${end}`;
}
