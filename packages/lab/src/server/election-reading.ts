/** Reads an election from its store, in the form in which the page gets it. */

import { overlaps } from 'hustings/lease';
import type { LeaseStore, Term } from 'hustings/lease/etcd';
import type {
  ElectionTerm,
  KnownElection,
  LedElection,
  NoElection,
  VacantElection,
} from '../model/leases/lease-snapshot.ts';

const NEWEST_TERMS = 40;

export interface ElectionReading {
  readonly elections: readonly string[];
  readonly election: KnownElection | NoElection;
}

/** `name` null: the first election of the store by name. */
export async function readElection(store: LeaseStore, name: string | null): Promise<ElectionReading> {
  const elections = [...(await store.names())].sort();
  const chosen = name ?? elections.at(0);
  if (chosen === undefined) return { elections, election: { type: 'none' } };
  // The record last: what it says about the leader must not be older than the rest.
  const candidates = await store.candidates(chosen);
  const terms = await store.history(chosen, { limit: NEWEST_TERMS });
  const nowMs = await store.time();
  const [{ holder, token, remainingMs, successor }] = await store.read([chosen]);
  const current = terms.find((term) => term.token === token);
  const leader: LedElection | VacantElection =
    holder === null
      ? { type: 'vacant', token: String(token), successor }
      : {
          ...{ type: 'led', holder: holder.id, token: String(token), remainingMs },
          ...{ sinceMs: current?.startMs ?? null, ttlMs: holder.ttlMs, evicted: holder.evicted },
        };
  return {
    elections,
    election: {
      ...{ type: 'known', name: chosen, nowMs, leader },
      candidates: candidates.map(({ id, priority }) => ({ id, priority })),
      terms: terms.map(termView),
      conflicts: overlaps(terms).length,
    },
  };
}

export function termView({ token, holder, startMs, endMs, cause, claimedUntilMs }: Term): ElectionTerm {
  return { token: String(token), holder, startMs, endMs, cause, grantedUntilMs: claimedUntilMs };
}
