/** Who leads an election, as a store says it: read once, and as words and as JSON. */
import type { LeaderView } from '../../elector/leader-view.ts';
import type { LeaseRecord, LeaseStore, Term } from '../../lease/index.ts';
import { formatDuration } from '../flags/span.ts';
import { formatTimestamp, isoOf } from '../flags/timestamp.ts';
import { printable } from '../table.ts';
import type { Screen } from '../terminal.ts';
import { causeOf } from './end-cause-text.ts';

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

export function stateJson({ record, term }: ElectionState): object {
  const { name, holder, token, remainingMs, successor } = record;
  const since = isoOf(term?.startMs ?? null);
  if (holder === null) return { name, state: 'vacant', token, successor };
  return { name, state: 'led', holder: holder.id, token, since, remainingMs, evicted: holder.evicted };
}

export function tellState({ record, term }: ElectionState, { paint }: Screen): string[] {
  const { holder, token, remainingMs, successor } = record;
  const name = printable(record.name);
  if (holder === null) {
    const lines = [paint('strong', token === 0n ? `nobody has ever led ${name}` : `nobody leads ${name}`)];
    if (successor !== null)
      lines.push(`  kept for   ${printable(successor)}, for ${formatDuration(remainingMs ?? 0)}`);
    if (term !== null) lines.push(`  before     ${printable(term.holder)}, token ${token}`);
    if (term !== null && term.endMs !== null && term.cause !== null) {
      lines.push(`  until      ${formatTimestamp(term.endMs)}: ${term.cause}, ${causeOf(term.cause)}`);
    }
    return lines;
  }
  const lines = [paint('leader', `★ ${printable(holder.id)} leads ${name}`), `  token      ${token}`];
  if (term !== null) lines.push(`  since      ${formatTimestamp(term.startMs)}`);
  const left = remainingMs === null ? 'unknown: the store has no clock' : formatDuration(remainingMs);
  lines.push(`  remaining  ${left}${holder.evicted ? '; evicted: it may not be renewed' : ''}`);
  return lines;
}

/** One line of a watch. */
export function tellView(view: LeaderView): string {
  if (view.state === 'unknown') return `unknown: ${reason(view.error)}`;
  if (view.state === 'led') {
    return `${printable(view.holder)} leads with token ${view.token}${view.evicted ? ', evicted' : ''}`;
  }
  const kept = view.successor === null ? '' : `, kept for ${printable(view.successor)}`;
  return view.token === 0n ? 'nobody leads' : `nobody leads after token ${view.token}${kept}`;
}

export function viewJson(name: string, view: LeaderView): object {
  if (view.state !== 'unknown') return { name, ...view };
  return { name, state: view.state, reason: reason(view.error) };
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
