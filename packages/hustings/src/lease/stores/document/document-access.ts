/**
 * Reads elections from their documents, changes them, and writes them back by compare-and-set. After a conflict the change is
 * made again on the document as it is then.
 */
import { PartialAnswerError, StoreError } from '../../core/store-error.ts';
import { rateMarginMs } from '../../core/waiting.ts';
import type { ElectionRules } from '../election.ts';
import {
  type DocumentServer,
  type DocumentWrite,
  type Effect,
  SETTINGS,
  type StoredDocument,
  type WriteAnswer,
} from './document-server.ts';
import {
  electionText,
  type KeptElection,
  LAYOUT_VERSION,
  newElection,
  newSettings,
  parseElection,
  parseSettings,
  type StoreSettings,
  settingsText,
} from './document-text.ts';
import { ReplacedDocuments } from './replaced-documents.ts';

/** Each conflict means that somebody else wrote, so this many in a row mean that something is wrong. */
const MAX_CONFLICTS = 100;

/** No candidate of hustings has a nonce that begins like this. */
const FOREIGN = 'foreign ';

/** Whether another program holds the lease. */
export const isForeign = ({ holder, durationMs }: Row): boolean =>
  holder !== null && durationMs > 0 && holder.nonce.startsWith(FOREIGN);

/** An election as it was read or written, with its revision; null before its first write. */
interface Known {
  readonly kept: KeptElection;
  readonly revision: string | null;
  /** The present incarnation of the server. */
  readonly incarnation?: string;
  readonly forgottenForMs?: () => Promise<number>;
}

/** A change of one election, which may be made several times. Its result is that of the last time. */
export interface Change<Answer> {
  readonly name: string;
  make(kept: KeptElection): Answer;
}

export class DocumentAccess {
  readonly #server: DocumentServer;
  readonly #rules: ElectionRules;
  /** The elections that this process wrote last, as it wrote them: their holder renews them without reading. */
  readonly #written = new Map<string, Known>();
  readonly #replaced = new ReplacedDocuments();
  #prepared: Promise<void> | null = null;

  constructor(server: DocumentServer, rules: ElectionRules) {
    this.#server = server;
    this.#rules = rules;
  }

  /** Creates the settings if there are none, and refuses those of an incompatible version. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#prepare().catch((error: unknown) => {
      this.#prepared = null;
      throw error;
    });
    return this.#prepared;
  }

  async #prepare(): Promise<void> {
    const [stored] = await this.#server.read([SETTINGS]);
    if (stored !== null) this.#settings(stored);
    else await this.changeSettings((settings) => settings);
  }

  /** `change` returns its argument to change nothing, unless there are no settings yet. */
  async changeSettings(change: (settings: StoreSettings) => StoreSettings): Promise<void> {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const [stored] = await this.#server.read([SETTINGS]);
      const before = this.#settings(stored);
      const after = change(before);
      if (stored !== null && after === before) return;
      const text = settingsText(after, stored?.text ?? null);
      const [answer] = await this.#server.write([
        {
          key: SETTINGS,
          text,
          revision: stored?.revision ?? null,
          effect: 'none',
          notifies: false,
          election: null,
        },
      ]);
      if (answer.type === 'ok') return;
      if (answer.type === 'failed') throw answer.error;
    }
    throw this.#tooManyConflicts();
  }

  #settings(stored: StoredDocument | null): StoreSettings {
    const layoutVersion = this.#server.layoutVersion ?? LAYOUT_VERSION;
    if (stored === null) return newSettings(layoutVersion);
    const { version, compatibleFrom, pastToken } = this.#parsed('the settings', () =>
      parseSettings(stored.text ?? ''),
    );
    if (version >= layoutVersion && compatibleFrom <= layoutVersion) {
      return { version, compatibleFrom, pastToken };
    }
    throw new StoreError(
      'unprepared',
      `${this.#server.label}: this release of hustings uses layout version ${layoutVersion}, and the layout of the ` +
        `store is version ${version}, for version ${compatibleFrom} and later; use the release that created it`,
    );
  }

  /** The elections as they are now. Those without a document are new. */
  async read(names: readonly string[]): Promise<readonly Known[]> {
    const stored = await this.#server.read(names);
    // After the documents: the process that deletes one raises the token of the settings before.
    const isNew = stored.some((document) => document === null || document.text === null);
    const [settings] = isNew ? await this.#server.read([SETTINGS]) : [null];
    return names.map((name, index) => {
      const document = stored[index];
      const { pastToken } = this.#settings(settings);
      if (document !== null) return this.known(name, document, pastToken);
      return { kept: newElection(name, pastToken, this.#rules), revision: null };
    });
  }

  /** `pastToken` is that of the settings, for an election whose document has no text yet. */
  known(name: string, document: StoredDocument, pastToken = 0n): Known {
    const { text } = document;
    const kept =
      text === null
        ? newElection(name, pastToken, this.#rules)
        : this.#parsed(JSON.stringify(name), () => parseElection(name, text, this.#rules));
    const { election } = kept;
    if (document.foreign !== undefined) {
      const { id, ttlMs, version } = document.foreign;
      election.row = {
        ...{ ...election.row, version, durationMs: ttlMs, transferTo: null, successor: null },
        holder: { id, nonce: `${FOREIGN}${id}`, ttlMs, priority: 0, processProof: '', evicted: false },
      };
    }
    const { revision, incarnation, absentForMs } = document;
    const forgottenForMs = absentForMs ?? this.#replaced.seenForMs(name, kept.incarnation, incarnation);
    return {
      ...{ kept, revision },
      ...(incarnation === undefined ? {} : { incarnation }),
      ...(forgottenForMs === undefined ? {} : { forgottenForMs }),
    };
  }

  /**
   * Makes all changes, those of one election one after the other, in one write for each election. `asWritten`: begins with
   * what this process wrote last, where it did, and saves the reading. A conflict shows that it is no longer so, and a
   * change that needs no write proves nothing until it was made on what is stored now.
   */
  async change<Answer>(changes: readonly Change<Answer>[], asWritten = false): Promise<Answer[]> {
    await this.prepare();
    const open = new Map<string, number[]>();
    for (const [index, { name }] of changes.entries()) open.set(name, [...(open.get(name) ?? []), index]);
    const answers: (Answer | undefined)[] = changes.map(() => undefined);
    let failure: StoreError | null = null;
    for (let round = 0; open.size > 0 && failure === null; round++) {
      try {
        if (round === MAX_CONFLICTS) throw this.#tooManyConflicts();
        failure = await this.#round(
          changes,
          open,
          answers,
          asWritten && round === 0 && !this.#server.repeatsRevisions,
        );
      } catch (error) {
        failure = error as StoreError;
      }
    }
    if (failure === null) return answers as Answer[];
    const failed = [...open.values()].flat();
    if (failed.length === changes.length) throw failure;
    for (const index of failed) answers[index] = undefined;
    throw new PartialAnswerError(failure, answers);
  }

  /** Makes one change of several elections, and writes all of them or none. */
  async changeAll<Answer>(
    names: readonly string[],
    make: (kept: readonly KeptElection[]) => Answer,
  ): Promise<Answer> {
    await this.prepare();
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const known = await this.read(names);
      for (const each of known) await measureForgotten(each);
      const before = known.map(({ kept }) => kept.election.row);
      const answer = make(known.map(({ kept }) => kept));
      const writes = known.flatMap((each, index) =>
        each.kept.election.isChanged ? [writeOf(each, before[index])] : [],
      );
      if (writes.length === 0) return answer;
      const results = await this.#server.writeAll!(writes);
      const failed = results.find(({ type }) => type === 'failed');
      if (failed?.type === 'failed') throw failed.error;
      if (!results.every((result, index) => isDone(writes[index], result))) continue;
      for (const [index, result] of results.entries()) this.#keep(writes[index], result);
      return answer;
    }
    throw this.#tooManyConflicts();
  }

  /** Makes the changes of the elections that are open, and removes those that were written or need no write. */
  async #round<Answer>(
    changes: readonly Change<Answer>[],
    open: Map<string, number[]>,
    answers: (Answer | undefined)[],
    asWritten: boolean,
  ): Promise<StoreError | null> {
    const writes: ElectionWrite[] = [];
    const written = asWritten ? this.#take([...open.keys()]) : null;
    for (const known of written ?? (await this.read([...open.keys()]))) {
      const { kept } = known;
      const { election } = kept;
      const { name, row: before } = election;
      election.isChanged = false;
      await measureForgotten(known);
      for (const index of open.get(name)!) answers[index] = changes[index].make(kept);
      if (election.isChanged) writes.push(writeOf(known, before));
      else if (written === null) open.delete(name);
    }
    let failure: StoreError | null = null;
    const results = writes.length === 0 ? [] : await this.#server.write(writes);
    for (const [index, answer] of results.entries()) {
      if (answer.type === 'failed') failure = answer.error;
      if (!isDone(writes[index], answer)) continue;
      this.#keep(writes[index], answer);
      open.delete(writes[index].key);
    }
    return failure;
  }

  #keep({ key, known }: ElectionWrite, answer: WriteAnswer): void {
    if (answer.type === 'ok') this.#written.set(key, { ...known, ...writtenAs(answer) });
  }

  /** Null if one is not known. It is taken out: another change of it, made meanwhile, must not begin with it. */
  #take(names: readonly string[]): readonly Known[] | null {
    const written = names.map((name) => this.#written.get(name));
    for (const name of names) this.#written.delete(name);
    return written.every((known) => known !== undefined) ? written : null;
  }

  /** Deletes the elections that have not changed since they were read, and returns their names. Their tokens are remembered. */
  async remove(known: readonly Known[]): Promise<readonly string[]> {
    const largest = known.reduce((most, { kept }) => max(most, kept.election.row.token), 0n);
    await this.changeSettings((settings) =>
      settings.pastToken >= largest ? settings : { ...settings, pastToken: largest },
    );
    const removed = await Promise.all(
      known.map(({ kept, revision }) => {
        this.#written.delete(kept.election.name);
        return revision !== null && this.#server.remove(kept.election.name, revision);
      }),
    );
    return known.filter((_, index) => removed[index]).map(({ kept }) => kept.election.name);
  }

  #parsed<T>(what: string, parse: () => T): T {
    try {
      return parse();
    } catch (error) {
      throw new StoreError(
        'unusable',
        `${this.#server.label}: the document of ${what} was not written by hustings; remove it, or use another prefix`,
        error,
      );
    }
  }

  #tooManyConflicts(): StoreError {
    return new StoreError(
      'busy',
      `${this.#server.label}: another process changed the document each time, ${MAX_CONFLICTS} times in a row`,
    );
  }
}

async function measureForgotten({ kept, forgottenForMs }: Known): Promise<void> {
  if (forgottenForMs !== undefined) kept.forgottenForMs = await forgottenForMs();
}

/**
 * How long a lease may last that the server has forgotten when somebody replaced it. Its holder had the TTL of this candidate: all
 * candidates of an election have the same.
 */
export const forgottenLeftMs = (
  { forgottenForMs = Number.POSITIVE_INFINITY }: KeptElection,
  ttlMs: number,
): number => Math.max(0, ttlMs + rateMarginMs(ttlMs) - forgottenForMs);

interface ElectionWrite extends DocumentWrite {
  readonly key: string;
  readonly known: Known;
}

function writeOf(known: Known, before: Row): ElectionWrite {
  const { kept, revision, incarnation } = known;
  const { election } = kept;
  const { name: key, row } = election;
  const effect = effectOf(before, row);
  if (incarnation !== undefined && isPresent(kept, effect)) kept.incarnation = incarnation;
  return { key, text: electionText(kept), revision, effect, notifies: isNews(before, row), election, known };
}

/** A document that was read before its server was replaced, and written after that, must be read again. */
const isDone = ({ known: { incarnation } }: ElectionWrite, answer: WriteAnswer): boolean =>
  answer.type === 'ok' && (incarnation === undefined || incarnation === answer.incarnation);

const writtenAs = ({ revision, incarnation }: WriteAnswer & { readonly type: 'ok' }): Omit<Known, 'kept'> =>
  incarnation === undefined ? { revision } : { revision, incarnation };

/**
 * Whether the lease is certainly what the document says after this write. Otherwise the document stays one of the incarnation before:
 * another candidate that is registered, or a lease that is released, says nothing about the leader that the server has forgotten.
 */
function isPresent(kept: KeptElection, effect: Effect): boolean {
  if (kept.incarnation === undefined) return true;
  const isHeld = effect === 'grant' || effect === 'extend';
  return isHeld && forgottenLeftMs(kept, kept.election.row.holder!.ttlMs) === 0;
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

type Row = KeptElection['election']['row'];

function effectOf(before: Row, after: Row): Effect {
  if (after.token !== before.token) return 'grant';
  if (before.holder !== null && after.holder === null) return 'end';
  const isEvicted = after.holder?.evicted !== before.holder?.evicted;
  return after.version === before.version || isEvicted ? 'none' : 'extend';
}

const isOver = ({ holder, durationMs }: Row): boolean => holder === null || durationMs === 0;

/** Whether watchers wait for this change of a row. Nobody waits for a renewal or a registration. */
export function isNews(before: Row, after: Row): boolean {
  if (isOver(after)) return !isOver(before);
  const isEvicted = after.holder!.evicted && !before.holder?.evicted;
  return isEvicted || (after.transferTo !== null && after.transferTo !== before.transferTo);
}
