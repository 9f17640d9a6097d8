/**
 * The stream of the server as a signal. It connects again by itself, also to a server that was restarted. A hidden tab has no
 * stream: browsers allow six connections to a host, and one more tab would wait without end.
 *
 * Guaranteed: `live` is set only by a message of the last seconds. What was known before a loss is kept apart, with its time,
 * and never shown as the present.
 */
import { computed, signal } from '@preact/signals';
import type { KnownElection, LeaseSnapshot } from '../../model/leases/lease-snapshot.ts';

export type OpenSnapshot = Extract<LeaseSnapshot, { type: 'open' }>;

export type Feed =
  | { readonly type: 'connecting' }
  /** This host serves files alone. */
  | { readonly type: 'absent' }
  /** `atMs`: when the message came, on the clock of `performance.now`. */
  | { readonly type: 'live'; readonly snapshot: OpenSnapshot; readonly atMs: number }
  | { readonly type: 'lost' }
  /** The tab was hidden. */
  | { readonly type: 'paused' };

/** The last message in which the store could be read. */
export interface LastKnown {
  readonly snapshot: OpenSnapshot;
  readonly election: KnownElection;
  readonly atMs: number;
  /** On the clock of this machine, for people. */
  readonly seen: Date;
}

export const feed = signal<Feed>({ type: 'connecting' });
export const lastKnown = signal<LastKnown | null>(null);
/** The election, if the store has just been read. */
export const present = computed<LastKnown | null>(() => {
  const { value } = feed;
  return value.type === 'live' && lastKnown.value?.snapshot === value.snapshot ? lastKnown.value : null;
});

/** The server sends a message at least every three seconds. */
const SILENCE_MS = 6_000;
const AGAIN_MS = 1_000;
let token = '';

/** Connects until `signal` aborts. '' for the first election of the store. */
export async function follow(election: string, ending: AbortSignal): Promise<void> {
  feed.value = { type: 'connecting' };
  lastKnown.value = null;
  while (!ending.aborted) {
    await untilVisible(ending);
    if (ending.aborted) return;
    try {
      const isServed = await openSession();
      // Another election may be followed by now: what comes late is not written over what it found.
      if (ending.aborted) return;
      if (!isServed) {
        feed.value = { type: 'absent' };
        return;
      }
      await change('open', {});
      if (!document.hidden && !ending.aborted) await listen(election, ending);
    } catch {
      // The server does not answer.
    }
    if (ending.aborted) return;
    feed.value = { type: document.hidden ? 'paused' : 'lost' };
    if (document.hidden) continue;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** False if there is no lease API at this host. */
async function openSession(): Promise<boolean> {
  const answer = await fetch('api/session', { signal: AbortSignal.timeout(SILENCE_MS) });
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  if (!answer.ok || !isJson) return false;
  const session: { readonly token: string; readonly apis: readonly string[] } = await answer.json();
  ({ token } = session);
  return session.apis.includes('leases');
}

function untilVisible(ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !ending.aborted) return;
      document.removeEventListener('visibilitychange', look);
      ending.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    ending.addEventListener('abort', look);
    look();
  });
}

/** Resolves when the stream ends, fails or is silent, or the tab is hidden. */
function listen(election: string, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const query = election === '' ? '' : `?election=${encodeURIComponent(election)}`;
    const source = new EventSource(`api/leases/events${query}`);
    const end = (): void => {
      clearTimeout(timer);
      source.close();
      ending.removeEventListener('abort', end);
      document.removeEventListener('visibilitychange', end);
      resolve();
    };
    let timer = setTimeout(end, SILENCE_MS);
    ending.addEventListener('abort', end);
    document.addEventListener('visibilitychange', end);
    source.onerror = end;
    source.onmessage = ({ data }) => {
      const snapshot: LeaseSnapshot = JSON.parse(data);
      if (snapshot.type === 'closed') return end();
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE_MS);
      const atMs = performance.now();
      if (snapshot.election.type === 'known') {
        lastKnown.value = { snapshot, election: snapshot.election, atMs, seen: new Date() };
      }
      feed.value = { type: 'live', snapshot, atMs };
    };
  });
}

/** A change by the user. Rejects with the reason if it was refused. */
export async function change(path: string, body: object): Promise<void> {
  const answer = await fetch(`api/leases/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hustings-token': token },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await reasonOf(answer));
}

/** A question to the store. */
export async function ask<Answer>(path: string, query: Readonly<Record<string, string>>): Promise<Answer> {
  const answer = await fetch(`api/leases/${path}?${new URLSearchParams(query)}`);
  if (!answer.ok) throw new Error(await reasonOf(answer));
  return answer.json();
}

async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return JSON.parse(text).error;
  } catch {
    return text.trim();
  }
}
