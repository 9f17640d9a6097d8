/**
 * Tokens, versions and attempts rise for ever, but nothing asks more of them than which are equal and which is larger,
 * and a new one is larger than all. So those that still stand somewhere are numbered from 0 without gaps, in their
 * order: runs of any number of terms then have a finite number of states.
 */
import type { Holder, LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import type { PendingCall } from '../../../src/lease/core/pending-call.ts';
import type { Message, Station } from './model-candidate.ts';
import type { Hall } from './model-store.ts';
import { candidateOf, idOf } from './setting.ts';

export interface Renumbering {
  token(token: bigint): bigint;
  version(version: bigint): bigint;
  attempt(candidate: number, attempt: number): number;
  /** The first attempt of the process that runs. */
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

export function renumberStation(station: Station, candidate: number, by: Renumbering): Station {
  const { core, grants } = station;
  const attempt = by.attempt(candidate, station.attempt);
  const call = (pending: PendingCall): PendingCall => ({ ...pending, attempt });
  return {
    ...station,
    core:
      core === null
        ? null
        : {
            ...core,
            attempt,
            current: core.current === null ? null : call(core.current),
            late: core.late.map(call),
            term:
              core.term === null
                ? null
                : {
                    ...core.term,
                    token: by.token(core.term.token),
                    heir: idBy(by, core.term.heir),
                  },
            seen:
              core.seen === null
                ? null
                : {
                    ...core.seen,
                    nonce: core.seen.nonce === null ? null : nonceBy(by, core.seen.nonce),
                    version: by.version(core.seen.version),
                  },
          },
    attempt,
    first: by.first(candidate, station.first),
    grants: grants.map((grant) => ({ ...grant, token: by.token(grant.token) })),
    line: station.line.map((message) => ({ ...message, body: renumberBody(message.body, by) })),
  };
}

function renumberBody(body: Message['body'], by: Renumbering): Message['body'] {
  switch (body.kind) {
    case 'claim': {
      const { nonce, gone, stale } = body.claim;
      const claim = {
        ...body.claim,
        id: idBy(by, body.claim.id),
        nonce: nonceBy(by, nonce),
        gone: gone === null ? null : nonceBy(by, gone),
        stale: stale === null ? null : by.version(stale),
      };
      return { kind: 'claim', claim };
    }
    case 'renew': {
      const { nonce, token } = body.renewal;
      return {
        kind: 'renew',
        renewal: { ...body.renewal, nonce: nonceBy(by, nonce), token: by.token(token) },
      };
    }
    case 'release': {
      const { nonce, token, heir } = body.release;
      const release = {
        ...body.release,
        nonce: nonceBy(by, nonce),
        token: by.token(token),
        heir: idBy(by, heir),
      };
      return { kind: 'release', release };
    }
    case 'claim-answer': {
      const { answer } = body;
      if (answer.kind === 'ok') return { ...body, answer: { ...answer, token: by.token(answer.token) } };
      return { ...body, answer: { ...answer, record: renumberRecord(answer.record, by) } };
    }
    case 'renewal-answer': {
      const { answer } = body;
      const token = by.token(body.token);
      if (answer.kind !== 'ok') return { ...body, token };
      const rival = answer.rival === null ? null : { ...answer.rival, id: idBy(by, answer.rival.id) };
      return { ...body, token, answer: { ...answer, rival, transferTo: idBy(by, answer.transferTo) } };
    }
    default:
      return body;
  }
}

/** The token of a record tells a candidate nothing, and is 0 in every state. */
function renumberRecord(record: LeaseRecord, by: Renumbering): LeaseRecord {
  return {
    ...record,
    version: by.version(record.version),
    holder: holderBy(by, record.holder),
    heir: idBy(by, record.heir),
  };
}

export function renumberHall({ row, book, sink, writes }: Hall, by: Renumbering): Hall {
  return {
    row: {
      ...row,
      token: by.token(row.token),
      version: by.version(row.version),
      holder: holderBy(by, row.holder),
      heir: idBy(by, row.heir),
      transferTo: idBy(by, row.transferTo),
      rival: row.rival === null ? null : { ...row.rival, id: idBy(by, row.rival.id) },
    },
    book: {
      ...book,
      token: by.token(book.token),
      nonce: book.nonce === null ? null : nonceBy(by, book.nonce),
    },
    sink: { mark: by.token(sink.mark), accepted: by.token(sink.accepted) },
    writes: writes.map((token) => by.token(token)),
  };
}

/** The numbers that stand in a part of a state, as sets of bits: tokens, versions, then attempts of each candidate. */
export function marksOf(candidates: number, visit: (by: Renumbering) => void): Int32Array {
  const marks = new Int32Array(2 + candidates);
  const note = (index: number, number: number): number => {
    if (number < 0 || number > 8) throw new RangeError(`expected a number from 0 to 8, got ${number}`);
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

/** None is left out below the largest. */
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
