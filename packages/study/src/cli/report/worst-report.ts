/** A most or least expensive run as text. */

import { formatFigure } from '@hustings/base';
import type { Screen } from '@hustings/base/command/terminal';
import type { CostMeasure, Extreme, ExtremeRun, RunCost, SavedCost } from '../../checker/index.ts';
import { instanceLine } from './check-report.ts';

type ReportedRun = SavedCost & Pick<ExtremeRun, 'ids' | 'initiators' | 'cost'>;

export function reportExtremeRun(
  run: ReportedRun,
  narration: readonly string[],
  anonymous: boolean,
  { paint }: Screen,
): string[] {
  const title = paint('strong', costTitle(run));
  return [title, `  ${costText(run.cost)}`, instanceLine(run, anonymous), ...narration];
}

/** 'most election messages: 21'. */
export function costTitle({ extreme, measure, cycleLength, value }: SavedCost): string {
  const what = NAMES[measure];
  if (value !== 'unbounded') return `${SUPERLATIVES[extreme]} ${what}: ${formatFigure(value)}`;
  return `unbounded ${what}: the last ${cycleLength === 1 ? 'step' : `${cycleLength} steps`} can be repeated without end`;
}

export function costText({ bits, causal, messages }: RunCost): string {
  const { announcement, election, upkeep } = messages;
  return [
    `${formatFigure(election)} election ${election === 1 ? 'message' : 'messages'}`,
    ...(upkeep === undefined ? [] : [`${formatFigure(upkeep)} upkeep`]),
    `${formatFigure(announcement)} announcement`,
    `${formatFigure(bits)} bits`,
    `longest chain ${formatFigure(causal)}`,
  ].join(', ');
}

const SUPERLATIVES: Readonly<Record<Extreme, string>> = { worst: 'most', best: 'fewest' };

const NAMES: Readonly<Record<CostMeasure, string>> = {
  messages: 'messages',
  election: 'election messages',
  bits: 'bits',
  time: 'messages in a chain',
};
