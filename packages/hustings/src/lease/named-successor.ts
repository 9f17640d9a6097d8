/**
 * Whether the candidate that a transfer names waits for the lease. After a term of its own, a candidate pauses and is not
 * registered meanwhile. A transfer that names it then waits for the end of that pause.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_PAUSE_MS } from './core/waiting.ts';
import type { LeaseStore } from './lease-store.ts';

/** The time for the first request after the pause. */
const MAX_REQUEST_MS = 1_000;
const POLL_MS = 200;
/** How many terms are searched for the latest one of the candidate. */
const MAX_TERMS = 20;

/** How a successor is looked for. */
export interface SuccessorLook {
  readonly name: string;
  readonly to: string;
  /** Reads the candidates that wait. */
  readonly candidates: () => Promise<readonly { readonly id: string }[]>;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** Whether the term has ended, so that nothing can be handed over. */
  readonly isOver?: () => boolean;
}

/** Resolves with null as soon as the candidate waits, or the term is over; otherwise with the reason why it does not wait. */
export async function successorProblem(
  store: Pick<LeaseStore, 'history' | 'time'>,
  { name, to, candidates, sleep, isOver = () => false }: SuccessorLook,
): Promise<string | null> {
  const look = async (): Promise<readonly string[]> => (await candidates()).map(({ id }) => id);
  let waiting = await look();
  if (waiting.includes(to)) return null;
  const terms = await store.history(name, { limit: MAX_TERMS });
  const latest = terms.find(({ holder }) => holder === to);
  const refusal = `no candidate '${to}' waits for '${name}'; ${waitingText(waiting)}`;
  if (latest === undefined || latest.endMs === null) return refusal;
  const { endMs, cause } = latest;
  const agoMs = async (): Promise<number> => Math.max(0, (await store.time()) - endMs);
  const endedAgoMs = await agoMs();
  if (cause === 'evicted') {
    return `${refusal}; '${to}' was evicted ${seconds(endedAgoMs)} ago and stays out of the election for a time`;
  }
  for (let leftMs = MAX_PAUSE_MS + MAX_REQUEST_MS - endedAgoMs; leftMs > 0 && !isOver(); leftMs -= POLL_MS) {
    await sleep(Math.min(POLL_MS, leftMs));
    waiting = await look();
    if (waiting.includes(to)) return null;
  }
  return isOver()
    ? null
    : `${refusal}; '${to}' led until ${seconds(await agoMs())} ago and has not come back`;
}

/** Asks the holder to hand over, once the successor waits. `problem`: why it does not. */
export async function requestTransfer(
  store: LeaseStore,
  name: string,
  to: string,
): Promise<'requested' | 'not-held' | { readonly problem: string }> {
  const candidates = () => store.candidates(name);
  for (;;) {
    const answer = await store.requestTransfer(name, to);
    if (answer !== 'unknown-candidate') return answer;
    const problem = await successorProblem(store, { name, to, candidates, sleep });
    if (problem !== null) return { problem };
  }
}

const seconds = (durationMs: number): string => `${(durationMs / 1_000).toFixed(1)} s`;

function waitingText(waiting: readonly string[]): string {
  const ids = [...new Set(waiting)].map((id) => `'${id}'`);
  return ids.length === 0 ? 'nobody waits' : `these wait: ${ids.join(', ')}`;
}
