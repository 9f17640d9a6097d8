/**
 * Tokens, versions and attempts increase without end, but only their order matters, and a new one is larger than all others.
 * So the values that occur in a state are renumbered from 0 without gaps, in their order. Runs of any length then have a
 * finite number of states.
 */
import type { Holder, LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import { type CoreMap, mapCore, withMemory } from './core-map.ts';
import type { Message, ModelCandidate } from './model-candidate.ts';
import type { ModelStore } from './model-store.ts';
import { candidateOf, idOf } from './setting.ts';

export interface Renumbering {
  token(token: bigint): bigint;
  version(version: bigint): bigint;
  attempt(candidate: number, attempt: number): number;
  /** The first attempt of the running process. */
  first(candidate: number, attempt: number): number;
  /** Candidates that are alike may be exchanged. */
  readonly candidates?: readonly number[];
}

function nonceBy(by: Renumbering, nonce: string): string {
  const { candidate, attempt } = partsOf(nonce);
  return `${idBy(by, idOf(candidate))}.${by.attempt(candidate, attempt)}`;
}

function idBy<Id extends string | null>(by: Renumbering, id: Id): Id {
  if (id === null || by.candidates === undefined) return id;
  return idOf(by.candidates[candidateOf(id)]) as Id;
}

function holderBy<H extends Holder | null>(by: Renumbering, holder: H): H {
  return holder === null ? holder : { ...holder, id: idBy(by, holder.id), nonce: nonceBy(by, holder.nonce) };
}

export function partsOf(nonce: string): { candidate: number; attempt: number } {
  return { candidate: candidateOf(nonce), attempt: Number(nonce.slice(2)) };
}

export function renumberCandidate(state: ModelCandidate, candidate: number, by: Renumbering): ModelCandidate {
  const { core, grants } = state;
  const attempt = by.attempt(candidate, state.attempt);
  const renumbered: CoreMap = {
    call: (pending) => pending,
    nextMs: (nextMs) => nextMs,
    term: (term) => ({ ...term, token: by.token(term.token) }),
    ending: (ending) => ({ ...ending, successor: idBy(by, ending.successor) }),
    observed: (observed) => ({
      ...observed,
      nonce: observed.nonce === null ? null : nonceBy(by, observed.nonce),
      version: by.version(observed.version),
    }),
  };
  return {
    ...state,
    core: core === null ? null : withMemory(mapCore(core, renumbered), { attempt }),
    attempt,
    first: by.first(candidate, state.first),
    grants: grants.map((grant) => ({ ...grant, token: by.token(grant.token) })),
    messages: state.messages.map((message) => ({ ...message, body: renumberBody(message.body, by) })),
  };
}

function renumberBody(body: Message['body'], by: Renumbering): Message['body'] {
  switch (body.type) {
    case 'acquire': {
      const { nonce, goneNonce, staleVersion } = body.request;
      const request = {
        ...body.request,
        id: idBy(by, body.request.id),
        nonce: nonceBy(by, nonce),
        goneNonce: goneNonce === null ? null : nonceBy(by, goneNonce),
        staleVersion: staleVersion === null ? null : by.version(staleVersion),
      };
      return { type: 'acquire', request };
    }
    case 'renew': {
      const { nonce, token } = body.request;
      return {
        type: 'renew',
        request: { ...body.request, nonce: nonceBy(by, nonce), token: by.token(token) },
      };
    }
    case 'release': {
      const { nonce, token, successor } = body.request;
      const request = {
        ...body.request,
        nonce: nonceBy(by, nonce),
        token: by.token(token),
        successor: idBy(by, successor),
      };
      return { type: 'release', request };
    }
    case 'acquire-answer': {
      const { answer } = body;
      if (answer.type === 'ok') return { ...body, answer: { ...answer, token: by.token(answer.token) } };
      return { ...body, answer: { ...answer, record: renumberRecord(answer.record, by) } };
    }
    case 'renew-answer': {
      const { answer } = body;
      const token = by.token(body.token);
      if (answer.type !== 'ok') return { ...body, token };
      const challenger =
        answer.challenger === null ? null : { ...answer.challenger, id: idBy(by, answer.challenger.id) };
      return { ...body, token, answer: { ...answer, challenger, transferTo: idBy(by, answer.transferTo) } };
    }
    default:
      return body;
  }
}

/** A candidate does not use the token of a record: it is 0 in every state. */
function renumberRecord(record: LeaseRecord, by: Renumbering): LeaseRecord {
  return {
    ...record,
    version: by.version(record.version),
    holder: holderBy(by, record.holder),
    successor: idBy(by, record.successor),
  };
}

export function renumberStore(store: ModelStore, by: Renumbering): ModelStore {
  const { row, granted, sink, writes, isLost } = store;
  return {
    row: {
      ...row,
      token: by.token(row.token),
      version: by.version(row.version),
      holder: holderBy(by, row.holder),
      successor: idBy(by, row.successor),
      transferTo: idBy(by, row.transferTo),
      challenger: row.challenger === null ? null : { ...row.challenger, id: idBy(by, row.challenger.id) },
    },
    granted: {
      ...granted,
      token: by.token(granted.token),
      nonce: granted.nonce === null ? null : nonceBy(by, granted.nonce),
    },
    sink: { mark: by.token(sink.mark), accepted: by.token(sink.accepted) },
    writes: writes.map((token) => by.token(token)),
    isLost,
  };
}

/** The numbers that occur in a part of a state, as bit sets: tokens, versions, then the attempts of each candidate. */
export function marksOf(candidates: number, visit: (by: Renumbering) => void): Int32Array {
  const marks = new Int32Array(2 + candidates);
  const note = (index: number, number: number): number => {
    if (number < 0 || number > 8)
      throw new RangeError(`a renumbered value must be from 0 to 8, not ${number}`);
    marks[index] |= 1 << number;
    return number;
  };
  visit({
    token: (token) => BigInt(note(0, Number(token))),
    version: (version) => BigInt(note(1, Number(version))),
    attempt: (candidate, attempt) => note(2 + candidate, attempt),
    first: (_, attempt) => attempt,
  });
  return marks;
}

/** A number below the largest does not occur. */
export const hasGaps = (mark: number): boolean => (mark & (mark + 1)) !== 0;

export function renumberingOf(marks: Int32Array): Renumbering {
  const below = (mark: number, number: number): number => countOf(mark & ((1 << number) - 1));
  return {
    token: (token) => BigInt(below(marks[0], Number(token))),
    version: (version) => BigInt(below(marks[1], Number(version))),
    attempt: (candidate, attempt) => below(marks[2 + candidate], attempt),
    first: (candidate, attempt) => below(marks[2 + candidate], attempt),
  };
}

export function exchangeOf(candidates: readonly number[]): Renumbering {
  return {
    token: (token) => token,
    version: (version) => version,
    attempt: (_, attempt) => attempt,
    first: (_, attempt) => attempt,
    candidates,
  };
}

function countOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
