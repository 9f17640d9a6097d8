/**
 * The store with the rules of lease-row.ts, a fenced sink, and an observer that records what was granted and accepted. Times
 * are relative to now.
 */

import type { Violation } from '../../../../study/src/checker/search/system.ts';
import type { AcquireRequest } from '../../../src/lease/core/calls.ts';
import { EMPTY_ROW, type LeaseRow } from '../../../src/lease/core/lease-row.ts';
import { isStale } from '../../../src/lease/fence/fence-marks.ts';
import type { Reply, Request } from './model-candidate.ts';
import { hasJudge, REAL_RULES, type Setting } from './setting.ts';

export interface ModelStore {
  readonly row: LeaseRow;
  /** The latest grant, as the observer recorded it; `nonce` null: the lease has ended. */
  readonly granted: { readonly token: bigint; readonly nonce: string | null; readonly untilMs: number };
  readonly sink: { readonly mark: bigint; readonly accepted: bigint };
  /** Writes in flight to the sink, by token. */
  readonly writes: readonly bigint[];
  /** The data is lost, and nobody has asked since then. */
  readonly isLost: boolean;
}

/** The end of a lease after the clock was set back. It does not come in the time of a search. */
const FAR_MS = 1_000_000;

export const EMPTY_STORE: ModelStore = {
  row: EMPTY_ROW,
  granted: { token: 0n, nonce: null, untilMs: 0 },
  sink: { mark: 0n, accepted: 0n },
  writes: [],
  isLost: false,
};

export interface StoreAfter {
  readonly store: ModelStore;
  readonly violation: Violation | null;
}

export function agedStore(store: ModelStore, ms: number): ModelStore {
  const { row, granted } = store;
  const challenger =
    row.challenger === null
      ? null
      : { ...row.challenger, sinceMs: row.challenger.sinceMs - ms, untilMs: row.challenger.untilMs - ms };
  return {
    ...store,
    row: { ...row, untilMs: row.untilMs === FAR_MS ? FAR_MS : row.untilMs - ms, challenger },
    granted: { ...granted, untilMs: granted.untilMs - ms },
  };
}

export function normalStore(store: ModelStore, setting: Setting): ModelStore {
  const { row, granted, sink, writes, isLost } = store;
  const { hasClock, timings } = setting;
  const yieldAfterMs = Math.max(...timings.map((timing) => timing.yieldAfterMs));
  const challenger = row.challenger === null || row.challenger.untilMs <= 0 ? null : row.challenger;
  // The rules do not read the holder of an expired lease; a mutant may.
  const isJudged = hasJudge(setting);
  const isBlank = isJudged && setting.rules === undefined && row.untilMs <= 0;
  // A lease that has expired may be renewed if the clock was set back before anybody else acquired it.
  const isOver = granted.nonce === null || (isJudged && granted.untilMs <= 0);
  return {
    row: {
      token: row.token,
      version: isJudged ? 0n : row.version,
      holder: isBlank ? null : row.holder,
      untilMs: hasClock ? Math.max(0, row.untilMs) : 0,
      durationMs: isBlank ? 0 : row.durationMs,
      notBeforeMs: 0,
      holdMs: 0,
      cooldownMs: 0,
      successor: isBlank ? null : row.successor,
      transferTo: isBlank ? null : row.transferTo,
      challenger:
        challenger === null
          ? null
          : {
              id: challenger.id,
              priority: challenger.priority,
              sinceMs: Math.max(challenger.sinceMs, -yieldAfterMs),
              untilMs: challenger.untilMs,
            },
      metadata: null,
      checkpoint: null,
      updates: 0,
    },
    granted: {
      token: granted.token,
      nonce: isOver ? null : granted.nonce,
      untilMs: isOver || !hasClock ? 0 : Math.max(0, granted.untilMs),
    },
    sink,
    writes: [...writes].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    isLost,
  };
}

/** The store that lost its data waits from its first request on: the lease that it has forgotten ends meanwhile. */
function markedRow(ttlMs: number, { afterLoss }: Setting): LeaseRow {
  return afterLoss === 'grants at once' ? EMPTY_ROW : { ...EMPTY_ROW, untilMs: ttlMs, durationMs: ttlMs };
}

export function lose(store: ModelStore): ModelStore {
  return { ...store, row: EMPTY_ROW, isLost: true };
}

export function setBack(store: ModelStore): ModelStore {
  const { row } = store;
  return row.durationMs === 0 ? store : { ...store, row: { ...row, untilMs: FAR_MS } };
}

/** A request arrives. */
export function answer(
  store: ModelStore,
  request: Request,
  setting: Setting,
): StoreAfter & { readonly reply: Reply } {
  const rules = setting.rules ?? REAL_RULES;
  const { hasClock } = setting;
  if (request.type === 'acquire') {
    const { request: claim } = request;
    const marked = store.isLost ? markedRow(claim.ttlMs, setting) : store.row;
    // The clock lifts the token above those that were lost.
    const isLifted = setting.forgets && setting.afterLoss !== 'counts from 1';
    const minToken = isLifted ? store.granted.token + 1n : 1n;
    const { row, answer } = rules.acquire(marked, claim, 0, hasClock, minToken);
    const reply: Reply = { type: 'acquire-answer', answer };
    if (answer.type === 'held') return { store: { ...store, row, isLost: false }, reply, violation: null };
    const granted = { token: answer.token, nonce: claim.nonce, untilMs: claim.ttlMs };
    return {
      store: { ...store, row, granted, isLost: false },
      reply,
      violation: grantViolation(store, claim, answer.token, hasClock),
    };
  }
  if (request.type === 'renew') {
    const { request: renewal } = request;
    const { row, answer } = rules.renew(store.row, renewal, 0, hasClock);
    const reply: Reply = { type: 'renew-answer', answer, token: renewal.token };
    if (answer.type !== 'ok') {
      const isOther = answer.type === 'evicted' && store.granted.token !== renewal.token;
      const violation = isOther
        ? { property: 'eviction', text: 'the store told a term of its eviction that was not evicted' }
        : null;
      return { store: { ...store, row }, reply, violation };
    }
    const isHeld = store.granted.nonce === renewal.nonce && store.granted.token === renewal.token;
    const violation = isHeld ? null : { property: 'P1', text: 'the store renewed a lease that had ended' };
    return {
      store: { ...store, row, granted: { ...store.granted, untilMs: renewal.ttlMs } },
      reply,
      violation,
    };
  }
  const { request: release } = request;
  const { row, answer } = rules.release(store.row, release, 0, hasClock);
  const isHeld = store.granted.nonce === release.nonce && store.granted.token === release.token;
  const granted = answer.type !== 'lost' && isHeld ? { ...store.granted, nonce: null } : store.granted;
  return { store: { ...store, row, granted }, reply: { type: 'release-answer', answer }, violation: null };
}

function grantViolation(
  { granted }: ModelStore,
  { nonce, goneNonce }: AcquireRequest,
  token: bigint,
  hasClock: boolean,
): Violation | null {
  if (granted.nonce === nonce && granted.token === token) return null;
  if (token <= granted.token)
    return { property: 'P3', text: 'a new grant has a token that was granted before' };
  // A holder that is gone has stopped, with all that it guarded.
  if (!hasClock || granted.nonce === null || granted.untilMs <= 0 || granted.nonce === goneNonce) return null;
  return { property: 'P1', text: 'the store granted a lease before another had ended' };
}

/** A write reaches the sink. */
export function accept(store: ModelStore, token: bigint, setting: Setting): StoreAfter {
  const index = store.writes.indexOf(token);
  const writes = store.writes.filter((_, k) => k !== index);
  const { mark, accepted } = store.sink;
  if ((setting.isStale ?? isStale)(token, mark)) return { store: { ...store, writes }, violation: null };
  const violation =
    token < accepted
      ? { property: 'P4', text: 'the sink accepted a write of an older term after a write of a newer term' }
      : null;
  return {
    store: { ...store, writes, sink: { mark: token, accepted: token > accepted ? token : accepted } },
    violation,
  };
}
