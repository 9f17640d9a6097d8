/** The replay of a recording, as text. */

import { counted, formatTable, markStyle } from '@hustings/base';
import type { Screen } from '@hustings/base/command/terminal';
import type { BrokenAssumptions, RecordedViolation, RecordingReport, ReplayedRun } from '../index.ts';

/** Lines for a terminal. */
export function reportRecording(report: RecordingReport, screen: Screen): string[] {
  const { algorithm, cluster, incarnations, members, runs, steps } = report;
  const total = runs.reduce((sum, { messages }) => sum + messages.total, 0);
  const violations = runs.flatMap(({ violation }) => violation ?? []);
  const outside = runs.flatMap((run) => run.outside ?? []);
  const verdict =
    violations.length === 0
      ? screen.paint(
          'good',
          `every step is one that ${algorithm} may take, and its properties hold${outside.length === 0 ? '' : ' as long as its assumptions do'}`,
        )
      : screen.paint('bad', `not a run of ${algorithm}: ${counted(violations.length, 'violation')}`);
  return [
    `${algorithm} in cluster ${cluster}: members ${members.join(', ')}`,
    `${counted(incarnations, 'process', 'processes')}, ${counted(steps, 'step')}, ${counted(total, 'message')}`,
    '',
    ...formatTable(
      [
        'run',
        ['steps'],
        ['messages'],
        ['leader'],
        'at the end',
        runs.some(({ laws }) => laws.length > 0) ? 'exact laws' : '',
      ],
      runs.map(rowOf),
      screen.width,
      markStyle(screen.paint),
    ),
    ...section('Messages and processes', runs.flatMap(faultsOf)),
    ...section('Assumptions that did not hold', runs.flatMap(brokenOf)),
    ...section('Violated outside the assumptions', outside.map(violationText)),
    ...section('Violations', violations.map(violationText)),
    '',
    verdict,
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function nameOf({ epoch, list }: Pick<ReplayedRun, 'epoch' | 'list'>): string {
  if (epoch === null) return list === null || list.version === 0 ? 'all' : `list ${list.version}`;
  return `epoch ${epoch.number} of ${epoch.proposer}`;
}

function rowOf(run: ReplayedRun): string[] {
  const { disagreement, ended, laws, leader, messages, steps, violation } = run;
  const state = violation !== null ? '✗ not replayed to its end' : ended ? 'ended' : 'still running';
  return [
    nameOf(run),
    String(steps),
    String(messages.total),
    leader === null ? '–' : String(leader),
    disagreement === null || violation !== null ? state : `${state}: ${disagreement}`,
    laws
      .map(({ formula, recorded, value }) => `${formula} = ${value} ${recorded === value ? '✓' : '✗'}`)
      .join(', '),
  ];
}

function faultsOf(run: ReplayedRun): string[] {
  const { crashes, inFlight, lostWithCrash, lostWithReset, recoveries, unrecorded } = run;
  const parts = listed([
    [crashes, 'crash', 'crashes'],
    [recoveries, 'recovery', 'recoveries'],
    [lostWithCrash, 'message lost with a crash', 'messages lost with a crash'],
    [lostWithReset, 'message lost with a link that was reset', 'messages lost with a link that was reset'],
    [inFlight, 'message in flight at the end', 'messages in flight at the end'],
    [
      unrecorded,
      'step on disk that a crash kept out of the recording',
      'steps on disk that a crash kept out of the recording',
    ],
  ]);
  return parts === '' ? [] : [`${nameOf(run)}: ${parts}`];
}

function brokenOf(run: ReplayedRun): string[] {
  const { lateMessages, lostMessages, wrongNotices, wrongStarts }: BrokenAssumptions = run.broken;
  const parts = listed([
    [wrongNotices, 'notice about a living member', 'notices about a living member'],
    [wrongStarts, 'election without a crash of the leader', 'elections without a crash of the leader'],
    [lateMessages, 'message later than one unit', 'messages later than one unit'],
    [lostMessages, 'message lost between living members', 'messages lost between living members'],
  ]);
  return parts === '' ? [] : [`${nameOf(run)}: ${parts}`];
}

function listed(counts: readonly (readonly [number, string, string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => counted(count, one, many))
    .join(', ');
}

function violationText({ file, line, property, text }: RecordedViolation): string {
  return `${file}, line ${line}: ${property === 'step' ? '' : `${property}: `}${text}`;
}
