/** The result of a run as text: a picture of the network, the leader, the counts beside their laws. */

import { formatFigure } from '@hustings/base';
import { pageWidth, type Screen } from '@hustings/base/command/terminal';
import { drawNetwork } from '../../drawing/index.ts';
import { changedParams, LEADER, type Setup, UNDECIDED } from '../../kernel/driver.ts';
import type { Topology } from '../../kernel/index.ts';
import type { Outcome, Run } from '../../simulator/index.ts';
import { lawTable } from './law-table.ts';

/** The width if the output is not a terminal. */
export function summarize(run: Run, outcome: Outcome, screen: Screen): string[] {
  return [
    screen.paint('strong', `${run.plan.algorithm.title}: ${settingOf(run)}`),
    '',
    ...picture(run, outcome, screen),
    '',
    ...verdict(run, outcome, screen),
    '',
    ...lawTable(outcome, run.laws(), { ...screen, width: pageWidth(screen) }),
  ];
}

/** What a run that was interrupted has covered. */
export function reportInterrupted(
  run: Run,
  outcome: Outcome,
  { events, time }: { readonly events: number; readonly time: number },
  screen: Screen,
): string[] {
  const { roles } = run.simulation.machine.decisions;
  const decided = roles.subarray(0, outcome.n).reduce((sum, role) => sum + (role === UNDECIDED ? 0 : 1), 0);
  const leaders = leadersOf(run).length;
  const lead =
    leaders === 0 ? 'nobody leads yet' : leaders === 1 ? 'one node leads' : `${leaders} nodes lead`;
  return [
    screen.paint('strong', `${run.plan.algorithm.title}: ${settingOf(run)}`),
    '',
    screen.paint('bad', `interrupted at time ${formatFigure(time)}, after ${formatFigure(events)} events`),
    `${formatFigure(decided)} of ${formatFigure(outcome.n)} nodes have decided; ${lead}`,
    '',
    ...lawTable(outcome, [], { ...screen, width: pageWidth(screen) }),
  ];
}

/** The network, the schedule and the seed. */
export function settingOf(run: Run): string {
  const { nodes, topology, schedule, seed, despite } = run.plan;
  const parts = [
    `${nodes} node${nodes === 1 ? '' : 's'} on ${networkOf(topology)}`,
    schedule.name,
    `seed ${seed}`,
  ];
  parts.push(...paramTexts(run.plan));
  if (despite.length > 0) parts.push(`despite ${despite.join(', ')}`);
  return parts.join(', ');
}

/** The parameters that are not at their defaults. */
export function paramTexts({
  algorithm,
  nodes,
  params,
}: Pick<Setup, 'algorithm' | 'nodes' | 'params'>): string[] {
  return changedParams(algorithm.params, nodes, params);
}

export function networkOf({ kind, name, oneWay, edges }: Topology): string {
  if (kind === 'ring') return oneWay ? 'a one-way ring' : 'a ring';
  if (kind === 'ring map') return 'a ring whose nodes can address every position';
  if (kind === 'complete') return 'a complete network';
  const [shape, size] = name.split(':');
  if (shape === 'random') return `a random network of ${edges} links`;
  if (shape === 'edges') return `a network of ${edges} links`;
  return `a ${shape.replace('-', ' ')}${size === undefined ? '' : ` of ${size}`}`;
}

export function picture(run: Run, outcome: Outcome, { width, paint }: Screen): string[] {
  const { topology, ids, anonymous } = run.plan;
  const initiators = run.simulation.initiated();
  const drawn = drawNetwork(
    {
      topology,
      ids: anonymous ? null : ids,
      initiators,
      dead: outcome.dead,
      leaders: leadersOf(run),
    },
    { width: pageWidth({ width }), paint },
  );
  if (drawn !== null) return drawn;
  const live = outcome.dead.length > 0 ? `, ${outcome.dead.length} crashed` : '';
  const who = initiators.length === 1 ? '1 initiator' : `${initiators.length} initiators`;
  return [`  ${outcome.n} nodes, ${who}${live}: too many to draw`];
}

/** The nodes that lead in any term: one if the election is valid. */
function leadersOf({ plan, simulation: { machine } }: Run): number[] {
  const positions = Array.from({ length: plan.nodes }, (_, at) => at);
  return positions.filter((at) => machine.decisions.roles[at] === LEADER);
}

export function verdict(run: Run, outcome: Outcome, { paint }: Screen): string[] {
  const { leader, dead, valid, n } = outcome;
  const lines: string[] = [];
  const leaders = leadersOf(run);
  if (leader === null) {
    const who = leaders.map((at) => (run.plan.anonymous ? `position ${at}` : `id ${run.plan.ids[at]}`));
    lines.push(paint('bad', who.length > 1 ? `${who.join(' and ')} lead` : 'nobody leads'));
  } else {
    const who = leader.id === null ? `the node at position ${leader.position}` : `id ${leader.id}`;
    const where = leader.id === null ? '' : ` at position ${leader.position}`;
    lines.push(`${paint('leader', `★ ${who} leads`)}${where}`);
  }
  const live = n - dead.filter((at) => at < n).length;
  const broken = (['termination', 'uniqueness', 'agreement'] as const).filter((name) => !valid[name]);
  if (broken.length === 0) {
    const kind = live < n ? 'live ' : '';
    const others =
      leader?.id === null
        ? `the other ${live - 1} ${kind}${live === 2 ? 'node follows' : 'nodes follow'}`
        : `all ${live} ${kind}nodes know it`;
    lines[0] += live > 1 ? `; ${others}` : '';
  } else {
    const why = run.judgement().fault?.text;
    lines.push(
      paint('bad', `not a valid election: ${broken.join(' and ')} violated${why ? `: ${why}` : ''}`),
    );
  }
  if (run.plan.algorithm.assumes.mayErr) {
    lines.push('Monte Carlo: this algorithm can end with no leader or several, and no node detects it');
  }
  if (run.isAtLimit) {
    const { machine, steps } = run.simulation;
    const time = formatFigure(Math.max(0, machine.context.clock));
    lines.push(paint('bad', `stopped after ${formatFigure(steps)} events, at time ${time}: raise --steps`));
  }
  if (run.simulation.cut) {
    lines.push(
      `the run was ${run.plan.cutShort ? 'cut at' : 'observed until'} time ${run.simulation.observation.end}`,
    );
  }
  return lines;
}
