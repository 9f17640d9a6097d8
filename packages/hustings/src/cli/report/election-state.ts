/** The leader of an election, as text and as JSON. */

import { errorMessage, printable, similarName } from '@hustings/base';
import { formatDuration } from '@hustings/base/command/duration';
import type { Screen } from '@hustings/base/command/terminal';
import type { LeaderView } from '../../elector/leader-view.ts';
import { explainCause } from '../../lease/core/end-reason.ts';
import { slotsOf } from '../../lease/core/slot.ts';
import type { LeaderMetadata, LeaseRecord, LeaseStore, Term } from '../../lease/index.ts';
import { formatTimestamp, isoOf } from '../flags/timestamp.ts';

export interface ElectionState {
  readonly record: LeaseRecord;
  /** The latest term, if the store still has it. */
  readonly term: Term | null;
}

export async function readState(store: LeaseStore, name: string): Promise<ElectionState> {
  const [record] = await store.read([name]);
  if (record.token === 0n) return { record, term: null };
  const [term] = await store.history(name, { limit: 1 });
  return { record, term: term?.token === record.token ? term : null };
}

/** By the nonce of the holder, or of the latest one: a candidate takes the first slot first. */
export function slotsOfState(state: ElectionState | null): number {
  const nonce = state?.record.holder?.nonce ?? state?.term?.nonce;
  return nonce === undefined ? 1 : slotsOf(nonce);
}

export function stateJson({ record, term }: ElectionState): object {
  const { name, holder, token, remainingMs, successor, metadata, checkpoint } = record;
  const since = isoOf(term?.startMs ?? null);
  if (holder === null) return { name, type: 'vacant', token, successor, remainingMs, checkpoint };
  const { id, evicted } = holder;
  return { name, type: 'led', holder: id, token, since, remainingMs, evicted, metadata, checkpoint };
}

export function stateLines({ record, term }: ElectionState, { paint }: Screen): string[] {
  const { holder, token, remainingMs, successor, metadata } = record;
  const name = printable(record.name);
  const checkpoint =
    record.checkpoint === null ? [] : [`  checkpoint ${shortened(printable(record.checkpoint))}`];
  if (holder === null) {
    const lines = [
      paint('strong', token === 0n ? `${name} has never had a leader` : `${name} has no leader`),
    ];
    if (successor !== null)
      lines.push(`  reserved   for ${printable(successor)}, for ${formatDuration(remainingMs ?? 0)}`);
    else if (remainingMs !== null && remainingMs > 0)
      lines.push(`  held       no new term begins for ${formatDuration(remainingMs)}`);
    if (term !== null) lines.push(`  previous   ${printable(term.holder)}, token ${token}`);
    if (term !== null && term.endMs !== null && term.cause !== null) {
      lines.push(`  until      ${formatTimestamp(term.endMs)}: ${term.cause}, ${explainCause(term.cause)}`);
    }
    return [...lines, ...checkpoint];
  }
  const lines = [paint('leader', `★ ${printable(holder.id)} leads ${name}`), `  token      ${token}`];
  if (term !== null) lines.push(`  since      ${formatTimestamp(term.startMs)}`);
  const left = remainingMs === null ? 'unknown, because the store has no clock' : formatDuration(remainingMs);
  lines.push(`  remaining  ${left}${holder.evicted ? '; evicted: the lease may not be renewed' : ''}`);
  if (metadata !== null) lines.push(`  metadata   ${metadataLine(metadata)}`);
  return [...lines, ...checkpoint];
}

/** `address=10.0.0.7:80 zone=a`; values other than texts as JSON. */
export function metadataLine(metadata: LeaderMetadata): string {
  const pairs = Object.entries(metadata).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key}=${text}`;
  });
  return printable(pairs.join(' '));
}

const MAX_SHOWN = 60;
const shortened = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;

/** For an election that has never had a leader: suggests a similar name, if there is one. */
export async function hintAtElections(store: LeaseStore, name: string): Promise<string[]> {
  const names = await store.names();
  if (names.length === 0) return ['  this store has no elections; check that it is the right one'];
  const close = similarName(name, names);
  if (close !== null) return [`  did you mean ${printable(close)}?`];
  return [`  this store has other elections: 'hustings leader' lists them`];
}

/** One line of `leader --watch`. */
export function viewLine(view: LeaderView): string {
  if (view.type === 'unknown') return `unknown: ${errorMessage(view.error)}`;
  if (view.type === 'led') {
    const metadata = view.metadata === null ? '' : `, ${metadataLine(view.metadata)}`;
    const evicted = view.evicted ? ', evicted' : '';
    return `${printable(view.holder)} leads with token ${view.token}${evicted}${metadata}`;
  }
  const reserved = view.successor === null ? '' : `, reserved for ${printable(view.successor)}`;
  return view.token === 0n ? 'no leader' : `no leader after token ${view.token}${reserved}`;
}

export function viewJson(name: string, view: LeaderView): object {
  if (view.type !== 'unknown') return { name, ...view };
  return { name, type: view.type, reason: errorMessage(view.error) };
}
