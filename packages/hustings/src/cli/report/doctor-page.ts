/** The examination of a store as a page: ✓ guaranteed or working, – not guaranteed, ! a warning, ✗ a problem. */

import { counted, formatTable, printable, wrap } from '@hustings/base';
import { formatDuration } from '@hustings/base/command/duration';
import { pageWidth, type Screen } from '@hustings/base/command/terminal';
import type { DoctorReport, ExpiryRule, TickClock } from '../../lease/index.ts';

type Mark = '✓' | '–' | '!' | '✗';

/** How the store learns that a lease is over. */
const EXPIRY: Readonly<Record<ExpiryRule, readonly [Mark, string]>> = {
  clock: ['✓', 'A lease is over by the clock of the store.'],
  observation: [
    '✓',
    'A lease is over by observation: a waiting candidate has seen the same record for the whole ttl of the holder, on its own clock.',
  ],
  suspicion: [
    '–',
    'Not guaranteed: that a lease is over when the next begins. A failure detector suspects the holder.',
  ],
};

/** Whose clock says when a tick of a schedule is due. */
const TICK_CLOCK: Readonly<Record<TickClock, readonly [Mark, string]>> = {
  process: ['✓', 'A tick of a schedule is due by the clock of this process.'],
  host: ['✓', 'A tick of a schedule is due by the clock of this host.'],
  server: ['✓', 'A tick of a schedule is due by the clock of the server.'],
  leader: ['✓', 'A tick of a schedule is due by the clock of the server that leads the others.'],
  member: [
    '✓',
    'A tick of a schedule is due by the clock of the server that answers, which says it in whole seconds.',
  ],
  none: ['–', 'The store records no ticks of a schedule.'],
};

const CAPABILITIES: Readonly<
  Record<
    Exclude<keyof DoctorReport['capabilities'], 'expiry' | 'tickClock'>,
    readonly [yes: string, no: string]
  >
> = {
  linearizable: [
    'A read sees every write that was acknowledged before it.',
    'Not guaranteed: that a read sees every write that was acknowledged before it.',
  ],
  survivesCrash: [
    'Acknowledged writes survive a crash of the store, and tokens still increase.',
    'Not guaranteed: that acknowledged writes survive a crash of the store.',
  ],
  survivesFailover: [
    'Acknowledged writes survive a failover to a replica.',
    'Not guaranteed: that acknowledged writes survive a failover to a replica.',
  ],
  push: [
    'Waiting candidates are notified of a release.',
    'Waiting candidates are not notified of a release. They poll once a second.',
  ],
  audit: [
    'Every term is recorded in the transaction that changes the leader.',
    'Not guaranteed: that every term is recorded.',
  ],
  transactions: [
    'A candidate may lead several elections at once, all or none.',
    'The store cannot grant several elections at once: one candidate, one election.',
  ],
};

export function doctorPage(found: DoctorReport, screen: Screen): string[] {
  const { paint } = screen;
  const { problems, warnings, trial } = found;
  const line = (mark: Mark, text: string): string[] => markedLine(mark, text, screen);
  const keys = Object.keys(CAPABILITIES) as (keyof typeof CAPABILITIES)[];
  return [
    `${paint('strong', found.store)}  ${printable(found.server)}`,
    '',
    paint('strong', 'Guarantees'),
    ...line(...EXPIRY[found.capabilities.expiry]),
    ...keys.flatMap((key) => {
      const isSo = found.capabilities[key];
      return line(isSo ? '✓' : '–', CAPABILITIES[key][isSo ? 0 : 1]);
    }),
    ...line(...TICK_CLOCK[found.capabilities.tickClock]),
    ...found.caveats.flatMap((caveat) => line('–', caveat)),
    '',
    paint('strong', 'This server'),
    ...problems.flatMap((problem) => line('✗', printable(problem))),
    ...warnings.flatMap((warning) => line('!', printable(warning))),
    ...line('✓', clockLine(found.clockOffsetMs)),
    ...(trial === null
      ? line('–', 'No lease was tried, because of the problems above.')
      : line('✓', `A lease was acquired, renewed and released in the election '${trial.election}'.`)),
    ...(trial === null || trial.notificationMs === null
      ? []
      : line('✓', `A watcher was notified of the release after ${formatDuration(trial.notificationMs)}.`)),
    ...(trial === null ? [] : ['', paint('strong', 'Latency'), ...timeTable(trial, screen)]),
    '',
    verdict(problems.length, warnings.length, screen),
  ];
}

export function markedLine(mark: Mark, text: string, { width, paint }: Screen): string[] {
  const tone = { '✓': 'good', '–': 'faint', '!': 'leader', '✗': 'bad' } as const;
  const lines = wrap(text, pageWidth({ width }) - 4);
  return lines.map((each, index) => (index === 0 ? `  ${paint(tone[mark], mark)} ${each}` : `    ${each}`));
}

function clockLine(offsetMs: number): string {
  if (offsetMs === 0) return "The store's clock agrees with the clock of this machine.";
  const side = offsetMs > 0 ? 'ahead of' : 'behind';
  return `The store's clock is ${formatDuration(Math.abs(offsetMs))} ${side} the clock of this machine.`;
}

function timeTable(
  { acquireMs, renew, read, releaseMs }: NonNullable<DoctorReport['trial']>,
  { width }: Screen,
): string[] {
  const rows = [
    ['acquire', '1', formatDuration(acquireMs), ''],
    ['renew', `${renew.calls}`, formatDuration(renew.p50Ms), formatDuration(renew.p99Ms)],
    ['read', `${read.calls}`, formatDuration(read.p50Ms), formatDuration(read.p99Ms)],
    ['release', '1', formatDuration(releaseMs), ''],
  ];
  return formatTable(['call', ['calls'], ['p50'], ['p99']], rows, width - 2).map((line) => `  ${line}`);
}

function verdict(problems: number, warnings: number, { paint }: Screen): string {
  if (problems > 0)
    return paint('bad', `✗ ${counted(problems, 'problem')}: leases do not work reliably on this store.`);
  const known = warnings === 0 ? '' : `, with ${counted(warnings, 'warning')}`;
  return paint('good', `✓ Leases work on this store${known}.`);
}
