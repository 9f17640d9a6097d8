/** The texts of the Leases page. Every one is derived from what the store and the demo have said. */
import { explainCause } from 'hustings/internal/lease/core/end-reason';
import type { DemoAction, DemoFault, DemoSnapshot, ResourceWrite } from './demo-snapshot.ts';
import type { ElectionTerm, KnownElection, LedElection } from './lease-snapshot.ts';

export { explainCause };

/** A duration for people: `0.4 s`, `12.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  const tenths = Math.round(ms / 100) / 10;
  if (tenths < 60) return `${tenths.toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (hours === 0) return `${minutes} min ${seconds % 60} s`;
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A whole number of seconds, minutes or hours, such as the length of a lease. */
export function spanText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/**
 * Tokens without the digits that all of them begin with: those of a store that counts from its clock have sixteen digits. The
 * order of the short forms is that of the tokens.
 */
export function shortTokens(tokens: readonly string[]): (token: string) => string {
  const longest = Math.max(0, ...tokens.map(({ length }) => length));
  const all = tokens.map((token) => token.padStart(longest, '0'));
  let common = 0;
  while (common < longest - 3 && all.every((token) => token[common] === all[0][common])) common++;
  // A token alone has nothing in common with others. One or two digits are not worth an ellipsis.
  if (new Set(all).size < 2) common = longest > 9 ? longest - 6 : 0;
  else if (common < 3) common = 0;
  if (common === 0) return (token) => token;
  return (token) => `…${token.padStart(longest, '0').slice(common)}`;
}

/** The last fault of the holder that took away its term, if there was one. */
export function faultIn(term: ElectionTerm, faults: readonly DemoFault[]): DemoFault | null {
  const endMs = term.endMs ?? Number.POSITIVE_INFINITY;
  // The end of the term is read from the store after the fault was noted.
  return (
    faults.find(
      ({ id, type, atMs }) =>
        id === term.holder &&
        ['paused', 'blocked', 'killed', 'ended'].includes(type) &&
        atMs >= term.startMs &&
        atMs <= endMs + 500,
    ) ?? null
  );
}

/** Why a term ended, in a few words: `released`, `expired, paused`, `killed`. Null while it lasts. */
export function endWords(term: ElectionTerm, faults: readonly DemoFault[]): string | null {
  if (term.cause === null) return null;
  const fault = faultIn(term, faults)?.type ?? null;
  if (term.cause === 'gone') return fault === 'killed' ? 'killed' : 'process gone';
  const words = term.cause.replace('-', ' ');
  const isWorth = fault !== null && ['expired', 'suspended'].includes(term.cause);
  return isWorth ? `${words}, ${fault}` : words;
}

/** How the current term began: `Took over when worker-1’s lease expired.` Empty if the history does not tell. */
export function takeoverText({ terms, leader }: KnownElection, faults: readonly DemoFault[]): string {
  const at = terms.findIndex(({ token }) => token === leader.token);
  const before = at < 0 ? undefined : terms[at + 1];
  if (before?.cause === undefined || before.cause === null) return '';
  const { holder, cause } = before;
  const fault = faultIn(before, faults)?.type;
  switch (cause) {
    case 'released':
      return `Took over when ${holder} had released the lease.`;
    case 'transferred':
      return `${holder} handed over.`;
    case 'evicted':
      return `Took over after ${holder} was evicted.`;
    case 'gone':
      return `Took over when ${holder}’s process was ${fault === 'killed' ? 'killed' : 'gone'}.`;
    case 'expired':
      return fault === 'paused' || fault === 'blocked'
        ? `Took over when the lease of ${holder}, which was ${fault}, had expired.`
        : `Took over when ${holder}’s lease had expired.`;
    default:
      return `${holder}’s term ended: ${explainCause(cause)}.`;
  }
}

/** The processes of the demo that run, do not lead, and are not known to the store as candidates: they have not asked it yet. */
export function unregistered({ leader, candidates }: KnownElection, { processes }: DemoSnapshot): string[] {
  const known = new Set(candidates.map(({ id }) => id));
  if (leader.type === 'led') known.add(leader.holder);
  return processes.flatMap(({ id, condition }) => (condition === 'running' && !known.has(id) ? [id] : []));
}

/** How many wait, as far as the store knows. It knows those that have registered. */
export function waitingText(election: KnownElection, demo: DemoSnapshot | null): string {
  const { length } = election.candidates;
  const missing = demo === null ? 0 : unregistered(election, demo).length;
  if (length > 0)
    return missing === 0 ? `${length} waiting.` : `${length} waiting, ${missing} not registered yet.`;
  if (missing > 0) return `Who waits is not known yet: ${missing} processes have not registered.`;
  return 'No candidate is registered.';
}

/** The effect of an eviction, for its confirmation. */
export function evictEffect({ holder, remainingMs, ttlMs }: LedElection): string {
  const most = remainingMs === null ? '' : `, up to ${durationText(remainingMs)}`;
  return (
    `${holder} may not renew its lease, and is told to stop. The successor waits until ${holder} has released the lease, ` +
    `or until the lease ends${most}. ${holder} stays out of the election for ${spanText(ttlMs)} after that.`
  );
}

/** The effect of a transfer, for its confirmation. */
export function transferEffect({ holder }: LedElection, to: string): string {
  return `${holder} is asked to stop its work and to release the lease, which is then reserved for ${to} for a moment.`;
}

/** The effect of a kill, for its confirmation. */
export function killEffect(id: string, leader: LedElection | null): string {
  if (leader?.holder !== id) return `${id} gets SIGKILL. It waits in the election and does not lead.`;
  const most = leader.remainingMs === null ? '' : `, up to ${durationText(leader.remainingMs)}`;
  return (
    `${id} gets SIGKILL and cannot release its lease. The successor waits until the lease ends${most}, ` +
    'unless it can prove on this host that the process is dead.'
  );
}

/** How long after the end of its term a write came; null if the term has not ended. */
export function lateByMs(write: ResourceWrite, terms: readonly ElectionTerm[]): number | null {
  const endMs = terms.find(({ token }) => token === write.token)?.endMs ?? null;
  return endMs === null ? null : Math.max(0, write.atMs - endMs);
}

/** What to try next in the demo, with the process and the action of its button. */
export interface Suggestion {
  readonly text: string;
  readonly id?: string;
  readonly action?: DemoAction;
}

export function suggestionOf(demo: DemoSnapshot, leader: LedElection | null): Suggestion {
  const paused = demo.processes.find(({ condition, token }) => condition === 'paused' && token !== null);
  if (paused !== undefined) {
    const { id } = paused;
    const isSucceeded = leader !== null && leader.holder !== id;
    const hasWritten = demo.ledger.latest.some(({ token }) => token === leader?.token);
    return isSucceeded && hasWritten
      ? {
          text: `${leader.holder} leads by now, but ${id} was stopped between its check of the lease and its write. Resume it, and look at both resources.`,
          id,
          action: 'resume',
        }
      : {
          text: `${id} is stopped and cannot renew its lease. When the lease has expired, another process leads.`,
        };
  }
  const idle = demo.processes.filter(({ condition }) => condition !== 'running');
  if (idle.length > 2) {
    const [{ id, condition }] = idle;
    const action = condition === 'ended' ? 'restart' : condition === 'paused' ? 'resume' : 'unblock';
    return { text: 'Few processes are left to take over. Bring one back.', id, action };
  }
  if (leader === null) return { text: 'The processes that run elect a leader.' };
  const { holder: id } = leader;
  return demo.ledger.refused === 0
    ? {
        text: 'Try it: pause the leader, wait until another process leads, resume it, and look at both resources.',
        id,
        action: 'pause',
      }
    : {
        text: 'The fence kept the ledger in order. Try the same again, or block the leader from the store.',
        id,
        action: 'pause',
      };
}
