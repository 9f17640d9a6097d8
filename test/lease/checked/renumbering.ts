/**
 * Tokens, versions and attempts rise for ever, but nothing asks more of them than which are equal and which is larger,
 * and a new one is larger than all. So those that still stand somewhere are numbered from 0 without gaps, in their
 * order: runs of any number of terms then have a finite number of states.
 */
import type { LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import type { PendingCall } from '../../../src/lease/core/pending-call.ts';
import type { Hall } from './hall.ts';
import { idOf } from './setting.ts';
import type { Message, Station } from './station.ts';

export interface Renumbering {
  token(token: bigint): bigint;
  version(version: bigint): bigint;
  attempt(candidate: number, attempt: number): number;
  /** The first attempt of the process that runs. */
  first(candidate: number, attempt: number): number;
}

const nonceBy = (by: Renumbering, nonce: string): string => {
  const { candidate, attempt } = partsOf(nonce);
  return `${idOf(candidate)}.${by.attempt(candidate, attempt)}`;
};

export function partsOf(nonce: string): { candidate: number; attempt: number } {
  return { candidate: nonce.charCodeAt(0) - 65, attempt: Number(nonce.slice(2)) };
}

export function renumberStation(station: Station, candidate: number, by: Renumbering): Station {
  const { core, grant } = station;
  const attempt = by.attempt(candidate, station.attempt);
  const call = (pending: PendingCall): PendingCall => ({ ...pending, attempt });
  return {
    ...station,
    core: core === null ? null : {
      ...core,
      attempt,
      current: core.current === null ? null : call(core.current),
      late: core.late.map(call),
      term: core.term === null ? null : { ...core.term, token: by.token(core.term.token) },
      seen: core.seen === null ? null : {
        ...core.seen,
        nonce: core.seen.nonce === null ? null : nonceBy(by, core.seen.nonce),
        version: by.version(core.seen.version),
      },
    },
    attempt,
    first: by.first(candidate, station.first),
    grant: grant === null ? null : { ...grant, token: by.token(grant.token) },
    line: station.line.map((message) => ({ ...message, body: renumberBody(message.body, by) })),
  };
}

function renumberBody(body: Message['body'], by: Renumbering): Message['body'] {
  switch (body.kind) {
    case 'claim': {
      const { nonce, gone, stale } = body.claim;
      const claim = {
        ...body.claim,
        nonce: nonceBy(by, nonce),
        gone: gone === null ? null : nonceBy(by, gone),
        stale: stale === null ? null : by.version(stale),
      };
      return { kind: 'claim', claim };
    }
    case 'renew': {
      const { nonce, token } = body.renewal;
      return { kind: 'renew', renewal: { ...body.renewal, nonce: nonceBy(by, nonce), token: by.token(token) } };
    }
    case 'release': {
      const { nonce, token } = body.release;
      return { kind: 'release', release: { ...body.release, nonce: nonceBy(by, nonce), token: by.token(token) } };
    }
    case 'claim-answer': {
      const { answer } = body;
      if (answer.kind === 'ok') return { ...body, answer: { ...answer, token: by.token(answer.token) } };
      return { ...body, answer: { ...answer, record: renumberRecord(answer.record, by) } };
    }
    case 'renewal-answer':
      return { ...body, token: by.token(body.token) };
    default:
      return body;
  }
}

/** The token of a record tells a candidate nothing, and is 0 in every state. */
function renumberRecord(record: LeaseRecord, by: Renumbering): LeaseRecord {
  const { holder, version } = record;
  return {
    ...record,
    version: by.version(version),
    holder: holder === null ? null : { ...holder, nonce: nonceBy(by, holder.nonce) },
  };
}

export function renumberHall({ row, book, sink, writes }: Hall, by: Renumbering): Hall {
  const { holder } = row;
  return {
    row: {
      ...row,
      token: by.token(row.token),
      version: by.version(row.version),
      holder: holder === null ? null : { ...holder, nonce: nonceBy(by, holder.nonce) },
    },
    book: { ...book, token: by.token(book.token), nonce: book.nonce === null ? null : nonceBy(by, book.nonce) },
    sink: { mark: by.token(sink.mark), accepted: by.token(sink.accepted) },
    writes: writes.map((token) => by.token(token)),
  };
}

/** The numbers that stand in a part of a state, as sets of bits: tokens, versions, then attempts of each candidate. */
export function marksOf(candidates: number, visit: (by: Renumbering) => void): Int32Array {
  const marks = new Int32Array(2 + candidates);
  const note = (index: number, number: number): void => {
    if (number < 0 || number > 30) throw new RangeError(`expected a number from 0 to 30, got ${number}`);
    marks[index] |= 1 << number;
  };
  visit({
    token: (token) => (note(0, Number(token)), token),
    version: (version) => (note(1, Number(version)), version),
    attempt: (candidate, attempt) => (note(2 + candidate, attempt), attempt),
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

function countOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
