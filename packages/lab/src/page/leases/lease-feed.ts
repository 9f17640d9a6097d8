/**
 * The stream of the server about an election as a signal.
 *
 * Guaranteed: `live` is set only by a message of the last seconds. What was known before a loss is kept apart, with its time,
 * and never shown as the present.
 */
import { computed, signal } from '@preact/signals';
import type { KnownElection, LeaseSnapshot } from '../../model/leases/lease-snapshot.ts';
import { followStream, type StreamState } from '../shell/live-stream.ts';

export type OpenSnapshot = Extract<LeaseSnapshot, { type: 'open' }>;

export type Feed =
  | { readonly type: StreamState }
  /** `atMs`: when the message came, on the clock of `performance.now`. */
  | { readonly type: 'live'; readonly snapshot: OpenSnapshot; readonly atMs: number };

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

let token = '';

/** Connects until `ending` aborts. '' for the first election of the store. */
export async function follow(election: string, ending: AbortSignal): Promise<void> {
  lastKnown.value = null;
  const query = election === '' ? '' : `?election=${encodeURIComponent(election)}`;
  const stream = {
    api: 'leases',
    path: `events${query}`,
    prepare: () => change('open', {}),
    onState: (type: StreamState) => {
      feed.value = { type };
    },
    onMessage: (message: unknown) => {
      const snapshot = message as LeaseSnapshot;
      if (snapshot.type === 'closed') return false;
      const atMs = performance.now();
      if (snapshot.election.type === 'known') {
        lastKnown.value = { snapshot, election: snapshot.election, atMs, seen: new Date() };
      }
      feed.value = { type: 'live', snapshot, atMs };
      return true;
    },
  };
  await followStream(stream, ending, (session) => {
    ({ token } = session);
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
