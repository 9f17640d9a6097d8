/** The examination of a store as a page: ✓ is so, – is not promised, ! is worth knowing, ✗ must be mended. */

import type { StoreExamination } from '../../lease/doctor/store-examination.ts';
import { formatDuration } from '../flags/span.ts';
import { formatTable, printable, wrap } from '../table.ts';
import type { Screen } from '../terminal.ts';

const PAGE_WIDTH = 100;

type Mark = '✓' | '–' | '!' | '✗';

const PROMISES: Readonly<Record<keyof StoreExamination['capabilities'], readonly [yes: string, no: string]>> =
  {
    clock: [
      'Leases end by the clock of the store.',
      'Leases do not end by the clock of the store: a challenger waits a whole ttl on its own.',
    ],
    linearizable: [
      'A read sees every write that was answered before it.',
      'Not promised: that a read sees every write that was answered before it.',
    ],
    survivesCrash: [
      'What was answered is still there after a crash of the store, and tokens still rise.',
      'Not promised: that what was answered is still there after a crash of the store.',
    ],
    survivesFailover: [
      'What was answered is still there after a replica took over.',
      'Not promised: that what was answered is still there after a replica took over.',
    ],
    push: [
      'Who waits is told of a release at once.',
      'Not promised: that who waits is told of a release. It asks once a second.',
    ],
    audit: [
      'Every term is recorded in the same step that changes the leader.',
      'Not promised: that every term is recorded.',
    ],
  };

export function examinationPage(found: StoreExamination, screen: Screen): string[] {
  const { paint } = screen;
  const { problems, warnings, trial } = found;
  const line = (mark: Mark, text: string): string[] => markedLine(mark, text, screen);
  const keys = Object.keys(PROMISES) as (keyof typeof PROMISES)[];
  return [
    `${paint('strong', found.store)}  ${printable(found.server)}`,
    '',
    paint('strong', 'What it promises'),
    ...keys.flatMap((key) => {
      const isSo = found.capabilities[key];
      return line(isSo ? '✓' : '–', PROMISES[key][isSo ? 0 : 1]);
    }),
    ...found.caveats.flatMap((caveat) => line('–', caveat)),
    '',
    paint('strong', 'How it is here'),
    ...problems.flatMap((problem) => line('✗', printable(problem))),
    ...warnings.flatMap((warning) => line('!', printable(warning))),
    ...line('✓', clockLine(found.clockOffsetMs)),
    ...(trial === null
      ? line('–', 'No lease was tried, or none could be had: see above.')
      : line('✓', `A lease was acquired, renewed and released, in the election '${trial.election}'.`)),
    ...(trial === null || trial.notificationMs === null
      ? []
      : line('✓', `A watcher heard of the release after ${formatDuration(trial.notificationMs)}.`)),
    ...(trial === null ? [] : ['', paint('strong', 'How long a call takes'), ...timeTable(trial, screen)]),
    '',
    verdict(problems.length, warnings.length, screen),
  ];
}

export function markedLine(mark: Mark, text: string, { width, paint }: Screen): string[] {
  const tone = { '✓': 'good', '–': 'faint', '!': 'leader', '✗': 'bad' } as const;
  const lines = wrap(text, Math.min(width, PAGE_WIDTH) - 4);
  return lines.map((each, index) => (index === 0 ? `  ${paint(tone[mark], mark)} ${each}` : `    ${each}`));
}

function clockLine(offsetMs: number): string {
  if (offsetMs === 0) return "The store's clock agrees with this machine's.";
  const side = offsetMs > 0 ? 'ahead of' : 'behind';
  return `The store's clock is ${formatDuration(Math.abs(offsetMs))} ${side} this machine's.`;
}

function timeTable(
  { acquireMs, renew, read, releaseMs }: NonNullable<StoreExamination['trial']>,
  { width }: Screen,
): string[] {
  const right = 'right' as const;
  const columns = [
    { title: 'call' },
    { title: 'calls', align: right },
    { title: 'p50', align: right },
    { title: 'p99', align: right },
  ];
  const rows = [
    ['acquire', '1', formatDuration(acquireMs), ''],
    ['renew', `${renew.calls}`, formatDuration(renew.p50Ms), formatDuration(renew.p99Ms)],
    ['read', `${read.calls}`, formatDuration(read.p50Ms), formatDuration(read.p99Ms)],
    ['release', '1', formatDuration(releaseMs), ''],
  ];
  return formatTable(columns, rows, width - 2).map((line) => `  ${line}`);
}

function verdict(problems: number, warnings: number, { paint }: Screen): string {
  const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
  if (problems > 0) return paint('bad', `✗ ${count(problems, 'problem')}: leases do not work well here.`);
  const known = warnings === 0 ? '' : `, with ${count(warnings, 'thing')} to know`;
  return paint('good', `✓ Leases work here${known}.`);
}
