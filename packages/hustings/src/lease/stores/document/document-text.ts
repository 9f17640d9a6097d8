/**
 * An election as a text, and back. Tokens and versions are decimal text, because JSON has no bigint. Fields that this version
 * does not know are kept.
 */
import type { Holder } from '../../core/lease-record.ts';
import { EMPTY_ROW, type LeaseRow } from '../../core/lease-row.ts';
import type { Registration } from '../../core/queue.ts';
import type { LeaderMetadata } from '../../core/term-data.ts';
import type { StoredTick } from '../../core/tick.ts';
import type { Term } from '../../lease-store.ts';
import { Election, type ElectionRules } from '../election.ts';

/** A row as it is stored. */
type Row = Omit<LeaseRow, 'token' | 'version' | 'durationMs' | 'cooldownMs'> & {
  readonly token: string;
  readonly version: string;
  /** `durationMs` of the row. */
  readonly spanMs: number;
  /** `cooldownMs` of the row. */
  readonly standBackMs: number;
};
type TermFields = readonly [
  ...(readonly [string, string, string, number, number | null, Term['cause'], number]),
  metadata?: LeaderMetadata | null,
];
type TickFields = readonly [number, StoredTick['state'], string, string, number, number | null];

interface Document {
  readonly row: Row;
  /** The election gives neither this token nor a smaller one again. */
  readonly pastToken: string;
  readonly writtenMs: number;
  readonly terms: readonly TermFields[];
  readonly ticks: readonly TickFields[];
  readonly waiting: readonly Registration[];
  /** Absent if the server has none, or if the document is new. */
  readonly incarnation?: string;
}

/** An election with what its document has beside it. */
export interface KeptElection {
  readonly election: Election;
  pastToken: bigint;
  /** The incarnation of the server under which the lease was last known to be what the document says. */
  incarnation?: string;
  /** For how long, at least, a lease has been forgotten whose holder may still work. Absent if nothing shows that one was. */
  forgottenForMs?: number;
  /** The fields that this version does not know, of the document and of its row. */
  readonly unknown: { readonly document: object; readonly row: object };
}

export function newElection(name: string, pastToken: bigint, rules: ElectionRules): KeptElection {
  const row = { ...EMPTY_ROW, token: pastToken };
  return { election: new Election(name, row, rules), pastToken, unknown: { document: {}, row: {} } };
}

/** Throws a `SyntaxError` if the text is not of this form. */
export function parseElection(name: string, text: string, rules: ElectionRules): KeptElection {
  const { row, pastToken, writtenMs, terms, ticks, waiting, incarnation, ...document }: Document =
    JSON.parse(text);
  if (row === undefined || terms === undefined) throw new SyntaxError('no document of an election');
  const { known, unknown } = parseRow(row);
  const election = new Election(name, known, rules);
  election.writtenMs = writtenMs;
  election.terms = terms.map(([token, holder, nonce, startMs, endMs, cause, claimedUntilMs, metadata]) => ({
    ...{ name, token: BigInt(token), holder, nonce, startMs, endMs, cause, claimedUntilMs },
    metadata: metadata ?? null,
  }));
  election.ticks = ticks.map(([tickMs, state, token, holder, startMs, endMs]) => ({
    ...{ name, tickMs, state, token: BigInt(token), holder, startMs, endMs },
  }));
  for (const each of waiting) election.waiting.set(each.nonce, each);
  const kept = { election, pastToken: BigInt(pastToken), unknown: { document, row: unknown } };
  return incarnation === undefined ? kept : { ...kept, incarnation };
}

function parseRow(row: Row): { readonly known: LeaseRow; readonly unknown: object } {
  const { token, version, holder, untilMs, spanMs, notBeforeMs, holdMs, standBackMs, ...rest } = row;
  const { successor, transferTo, challenger, metadata, checkpoint, updates, ...unknown } = rest;
  const known: LeaseRow = {
    ...{ token: BigInt(token), version: BigInt(version), holder: holder as Holder | null },
    ...{ untilMs, durationMs: spanMs, notBeforeMs, holdMs, cooldownMs: standBackMs },
    ...{ successor, transferTo, challenger },
    // Absent if an earlier version wrote the document.
    ...{ metadata: metadata ?? null, checkpoint: checkpoint ?? null, updates: updates ?? 0 },
  };
  return { known, unknown };
}

export function electionText({ election, pastToken, unknown, incarnation }: KeptElection): string {
  const { row, writtenMs, terms, ticks, waiting } = election;
  const { token, version, holder, untilMs, durationMs, notBeforeMs, holdMs, cooldownMs, ...rest } = row;
  const document: Document = {
    ...unknown.document,
    row: {
      ...unknown.row,
      ...{ token: String(token), version: String(version), holder, untilMs, spanMs: durationMs },
      ...{ notBeforeMs, holdMs, standBackMs: cooldownMs, ...rest },
    },
    pastToken: String(pastToken),
    writtenMs,
    terms: termFields(terms),
    ticks: ticks.map((tick) => [
      ...([tick.tickMs, tick.state, String(tick.token), tick.holder] as const),
      ...([tick.startMs, tick.endMs] as const),
    ]),
    waiting: [...waiting.values()],
    ...(incarnation === undefined ? {} : { incarnation }),
  };
  return JSON.stringify(document);
}

/**
 * The largest length of the metadata of all terms in a document, the newest first. A document has a largest size, on Kubernetes
 * 256 kB, and each renewal writes it.
 */
export const MAX_METADATA_LENGTH = 32_768;

function termFields(terms: readonly Term[]): TermFields[] {
  let left = MAX_METADATA_LENGTH;
  return terms
    .toReversed()
    .map((term): TermFields => {
      const { metadata } = term;
      left -= metadata === null ? 0 : JSON.stringify(metadata).length;
      return [
        ...([String(term.token), term.holder, term.nonce, term.startMs] as const),
        ...([term.endMs, term.cause, term.claimedUntilMs] as const),
        ...(metadata === null || left < 0 ? ([] as const) : ([metadata] as const)),
      ];
    })
    .reverse();
}

/** The settings of a store. */
export interface StoreSettings {
  readonly version: number;
  /** The earliest version that may use the store. */
  readonly compatibleFrom: number;
  /** Elections without a document begin above this token. */
  readonly pastToken: bigint;
}

export const LAYOUT_VERSION = 3;

export const newSettings = (version: number): StoreSettings => ({
  version,
  compatibleFrom: version,
  pastToken: 0n,
});

export function parseSettings(text: string): StoreSettings {
  const { version, compatibleFrom, pastToken } = JSON.parse(text);
  return { version: Number(version), compatibleFrom: Number(compatibleFrom), pastToken: BigInt(pastToken) };
}

/** `before` is the text that is replaced: its unknown fields are kept. */
export function settingsText(settings: StoreSettings, before: string | null): string {
  const unknown: object = before === null ? {} : JSON.parse(before);
  return JSON.stringify({ ...unknown, ...settings, pastToken: String(settings.pastToken) });
}
