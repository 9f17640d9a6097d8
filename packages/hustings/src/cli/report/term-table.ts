/** The terms of an election as text and as JSON. */

import { formatTable, printable } from '@hustings/base';
import { formatDuration } from '@hustings/base/command/duration';
import type { Screen } from '@hustings/base/command/terminal';
import { explainCause } from '../../lease/core/end-reason.ts';
import type { HistoryMoment } from '../../lease/history-moment.ts';
import type { Conflict, LeaseStore, Term } from '../../lease/index.ts';
import { formatTimestamp, isoOf, zoneName } from '../flags/timestamp.ts';
import { metadataLine } from './election-state.ts';

export function termJson(term: Term): object {
  const { token, holder, nonce, startMs, endMs, cause, claimedUntilMs, metadata } = term;
  return {
    token,
    holder,
    nonce,
    start: isoOf(startMs),
    end: isoOf(endMs),
    lastedMs: endMs === null ? null : endMs - startMs,
    cause,
    claimedUntil: isoOf(claimedUntilMs),
    metadata,
  };
}

export function termTable(terms: readonly Term[], { width, paint }: Screen): string[] {
  const columns = [['token'], 'holder', 'start', 'end', ['duration'], 'cause', 'granted until'] as const;
  const rows = terms.map(({ token, holder, startMs, endMs, cause, claimedUntilMs }) => [
    `${token}`,
    printable(holder),
    formatTimestamp(startMs),
    endMs === null ? 'leads' : formatTimestamp(endMs),
    endMs === null ? '' : formatDuration(endMs - startMs),
    cause ?? '',
    formatTimestamp(claimedUntilMs),
  ]);
  return formatTable(columns, rows, width, (text, row) => {
    if (row < 0) return paint('faint', text);
    return terms[row].endMs === null ? paint('leader', text) : text;
  });
}

export function clockNote({ capabilities }: Pick<LeaseStore, 'capabilities'>, screen: Screen): string {
  return timesNote(
    capabilities.expiry === 'clock' ? "the store's clock" : 'the clocks of the candidates',
    screen,
  );
}

/** Names the clock of the times in a table. */
export function timesNote(clock: string, { paint }: Screen): string {
  return paint('faint', `Times are on ${clock}, in the time zone ${zoneName()}.`);
}

export function momentLines(
  name: string,
  { term, before, after }: HistoryMoment,
  at: string,
  { paint }: Screen,
): string[] {
  const shown = printable(name);
  const next = (endMs: number | null): string[] => {
    if (after === null) return [];
    const gap = endMs === null ? '' : `, ${formatDuration(after.startMs - endMs)} later`;
    return [`  then     ${termText(after)} from ${formatTimestamp(after.startMs)}${gap}`];
  };
  if (term === null) {
    const lines = [paint('strong', `${shown} had no leader at ${at}`)];
    if (before !== null) lines.push(`  before   ${termText(before)} ${ending(before)}`);
    return [...lines, ...next(before?.endMs ?? null)];
  }
  const lines = [
    paint('leader', `★ ${printable(term.holder)} led ${shown} at ${at}`),
    `  token    ${term.token}`,
    `  from     ${formatTimestamp(term.startMs)}`,
    term.endMs === null
      ? `  until    now: it still leads; the lease is granted until ${formatTimestamp(term.claimedUntilMs)}`
      : `  until    ${formatTimestamp(term.endMs)}, after ${formatDuration(term.endMs - term.startMs)}`,
  ];
  if (term.metadata !== null) lines.push(`  metadata ${metadataLine(term.metadata)}`);
  if (term.cause !== null) lines.push(`  ended    ${term.cause}: ${explainCause(term.cause)}`);
  if (before !== null) lines.push(`  before   ${termText(before)} ${ending(before)}`);
  return [...lines, ...next(term.endMs)];
}

const termText = ({ holder, token }: Term): string => `${printable(holder)}, token ${token},`;

function ending({ endMs, cause }: Term): string {
  if (endMs === null || cause === null) return 'which still leads';
  return `until ${formatTimestamp(endMs)} (${cause}: ${explainCause(cause)})`;
}

export function conflictLine({ type, earlier, later, byMs }: Conflict): string {
  const from = (term: Term): string => `${termText(term)} from ${formatTimestamp(term.startMs)}`;
  return type === 'overlap'
    ? `two leaders at once for ${formatDuration(byMs)}: ${from(earlier)}, and ${from(later)}`
    : `tokens do not increase: ${from(later)}, follows ${from(earlier)}`;
}
