/** A run that costs most or least, in words. */
import type { CostMeasure, Extreme, ExtremeRun, RunCost } from '../../checker/index.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import type { Screen } from '../terminal.ts';
import type { SavedCost } from './counterexample-file.ts';

type Told = SavedCost & Pick<ExtremeRun, 'ids' | 'initiators' | 'cost'>;

export function reportExtremeRun(
  run: Told,
  story: readonly string[],
  anonymous: boolean,
  { paint }: Screen,
): string[] {
  const { cost, ids, initiators } = run;
  return [
    `${paint('strong', costTitle(run))}`,
    `  ${costText(cost)}`,
    `  ${anonymous ? `${ids.length} nodes without ids` : `ids by position ${ids.join(', ')}`}; initiators ${initiators.join(', ')}`,
    ...story,
  ];
}

/** 'the most messages of the election: 21'. */
export function costTitle({ extreme, measure, round, value }: SavedCost): string {
  const what = NAMES[measure];
  if (value !== 'unbounded') return `${SUPERLATIVES[extreme]} ${what}: ${formatFigure(value)}`;
  return `${what} without bound: the last ${round === 1 ? 'step' : `${round} steps`} can be taken again for ever`;
}

export function costText({ bits, causal, messages }: RunCost): string {
  const { announcement, election, upkeep } = messages;
  return [
    `${formatFigure(election)} ${election === 1 ? 'message' : 'messages'} of the election`,
    ...(upkeep === undefined ? [] : [`${formatFigure(upkeep)} of upkeep`]),
    `${formatFigure(announcement)} of the announcement`,
    `${formatFigure(bits)} bits`,
    `a longest chain of ${formatFigure(causal)}`,
  ].join(', ');
}

const SUPERLATIVES: Readonly<Record<Extreme, string>> = { worst: 'the most', best: 'the fewest' };

const NAMES: Readonly<Record<CostMeasure, string>> = {
  messages: 'messages',
  election: 'messages of the election',
  bits: 'bits',
  time: 'messages in a chain',
};
