/**
 * The keys of an election in Redis, and the conversion of its values. All keys of an election have the same hash tag: the
 * name between braces, percent-encoded. An encoded name contains no brace, so two names never share a key.
 */

import type { RenewAnswer } from '../../core/calls.ts';
import type { EndCause } from '../../core/end-reason.ts';
import type { WaitingCandidate } from '../../core/lease-record.ts';
import type { LeaseRow } from '../../core/lease-row.ts';
import { metadataOf } from '../../core/term-data.ts';
import type { StoredTick } from '../../core/tick.ts';
import type { Term } from '../../lease-store.ts';

export interface RedisKeys {
  readonly row: string;
  readonly terms: string;
  readonly waiting: string;
  readonly ticks: string;
  readonly channel: string;
  /** One for the whole store. */
  readonly layout: string;
}

const ROW_END = '}:lease';

export function keysOf(prefix: string, name: string): RedisKeys {
  const stem = `${prefix}{${encodeURIComponent(name)}`;
  return {
    row: `${stem}${ROW_END}`,
    terms: `${stem}}:terms`,
    waiting: `${stem}}:waiting`,
    ticks: `${stem}}:ticks`,
    channel: `${stem}}:notify`,
    layout: `${prefix}layout`,
  };
}

/** For SCAN. Special characters in the prefix are escaped. */
export function rowPattern(prefix: string): string {
  return `${prefix.replaceAll(/[*?[\]\\^-]/g, '\\$&')}{*${ROW_END}`;
}

export function nameOfRow(prefix: string, key: string): string {
  return decodeURIComponent(key.slice(prefix.length + 1, -ROW_END.length));
}

/** The fields and values of the hash, alternating. */
export type FlatRow = readonly string[];

function fieldsOf(flat: FlatRow): Map<string, string> {
  const fields = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) fields.set(flat[i], flat[i + 1]);
  return fields;
}

export function rowOf(flat: FlatRow): LeaseRow {
  const fields = fieldsOf(flat);
  const number = (name: string): number => Number(fields.get(name) ?? 0);
  const nonce = fields.get('nonce');
  const challengerId = fields.get('challengerId');
  return {
    token: BigInt(fields.get('token') ?? 0),
    version: BigInt(fields.get('version') ?? 0),
    holder:
      nonce === undefined
        ? null
        : {
            id: fields.get('id')!,
            nonce,
            ttlMs: number('ttlMs'),
            priority: number('priority'),
            processProof: fields.get('processProof')!,
            evicted: fields.has('evicted'),
          },
    untilMs: number('untilMs'),
    durationMs: number(fields.has('spanMs') ? 'spanMs' : 'ttlMs'),
    notBeforeMs: number('notBeforeMs'),
    holdMs: number('holdMs'),
    cooldownMs: number('standBackMs'),
    successor: fields.get('successor') ?? null,
    transferTo: fields.get('transferTo') ?? null,
    challenger:
      challengerId === undefined
        ? null
        : {
            id: challengerId,
            priority: number('challengerPriority'),
            sinceMs: number('challengerSinceMs'),
            untilMs: number('challengerUntilMs'),
          },
    metadata: fields.get('metadata') ?? null,
    checkpoint: fields.get('checkpoint') ?? null,
    updates: number('updates'),
  };
}

/** As the scripts take it: empty if the checkpoint stays. */
export const checkpointArg = (checkpoint: string | undefined): string =>
  checkpoint === undefined ? '' : checkpoint === '' ? '-' : `=${checkpoint}`;

/** RENEW answers with a number if all is well and nobody asks for the lease. */
export function renewAnswer(answer: unknown): RenewAnswer {
  if (!Array.isArray(answer)) return { type: 'ok', transferTo: null, challenger: null };
  const [type, value, id, priority, waitedMs] = answer as string[];
  if (type === 'lost') return { type };
  if (type === 'evicted') return { type, cooldownMs: Number(value) };
  const challenger = id === undefined ? null : { id, priority: Number(priority), waitedMs: Number(waitedMs) };
  return { type: 'ok', transferTo: value === '' ? null : value, challenger };
}

/** The term in the row, which has not ended yet. */
export function openTerm(name: string, flat: FlatRow): Term | undefined {
  const { holder, token, untilMs, metadata } = rowOf(flat);
  if (holder === null) return undefined;
  const startMs = Number(fieldsOf(flat).get('startMs'));
  return {
    name,
    token,
    holder: holder.id,
    nonce: holder.nonce,
    startMs,
    endMs: null,
    cause: null,
    claimedUntilMs: Math.max(startMs, untilMs),
    metadata: metadataOf(holder.nonce, metadata),
  };
}

export function endedTerm(name: string, json: string): Term {
  const [token, holder, nonce, startMs, endMs, cause, claimedUntilMs, metadata = null] = JSON.parse(json);
  return {
    name,
    token: BigInt(token),
    holder,
    nonce,
    startMs: Number(startMs),
    endMs: Number(endMs),
    cause: cause as EndCause,
    claimedUntilMs: Number(claimedUntilMs),
    metadata: metadataOf(nonce, metadata),
  };
}

export function storedTick(name: string, json: string): StoredTick {
  const [tickMs, state, token, holder, startMs, endMs] = JSON.parse(json) as string[];
  return {
    name,
    tickMs: Number(tickMs),
    state: state as StoredTick['state'],
    token: BigInt(token),
    holder,
    startMs: Number(startMs),
    endMs: endMs === '' ? null : Number(endMs),
  };
}

/** `flat` has nonces and entries, alternating. */
export function waitingCandidates(nowMs: number, flat: FlatRow): readonly WaitingCandidate[] {
  return [...fieldsOf(flat)]
    .map(([nonce, json]) => {
      const [id, priority, registerMs, atMs] = JSON.parse(json) as string[];
      const candidate = { id, nonce, priority: Number(priority), seenMs: nowMs - Number(atMs) };
      return { candidate, isOver: nowMs >= Number(atMs) + Number(registerMs) };
    })
    .filter(({ isOver }) => !isOver)
    .map(({ candidate }) => candidate)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
