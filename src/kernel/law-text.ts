/** What was counted, in words and figures. */
import type { Law, Measure } from './law.ts';

const NAMES = {
  election: 'election messages',
  announcement: 'announcement messages',
  upkeep: 'upkeep messages',
  electedAt: 'leader knows at',
  agreedAt: 'last node knows at',
  announcementReturnedAt: 'announcement home at',
} as const;

/** A type of message stands in brackets, as papers write it: one of them may be called election too. */
export function nameOf(measure: Measure): string {
  return typeof measure === 'object' ? `⟨${measure.messages}⟩ messages` : NAMES[measure];
}

const SIGNS = { exact: '=', bound: '≤', mean: '≈' } as const;

export function formulaOf({ kind, formula }: Pick<Law, 'kind' | 'formula'>): string {
  return `${SIGNS[kind]} ${formula}${kind === 'mean' ? ' on average' : ''}`;
}

/** The law with its figure for one run: 'n = 8'. */
export function statementOf(law: Pick<Law, 'kind' | 'formula'>, value: number): string {
  const figure = formatFigure(value);
  const [sign, end] = { exact: ['', ''], bound: ['≤ ', ''], mean: ['≈ ', ' on average'] }[law.kind];
  return `${sign}${law.formula}${law.formula === figure ? '' : ` = ${figure}`}${end}`;
}

/** At most three decimals, thousands apart from 10,000 on. */
export function formatFigure(figure: number): string {
  const rounded = Math.round(figure * 1000) / 1000;
  const [whole, decimals] = String(rounded).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
