/**
 * A store beside the pure rules of lease-row.ts: each call goes to both, and the answers must be the same. The clock of
 * the rules stands still, so leases must be long. Tokens are compared by which term they belong to, since a store may
 * leave some out.
 */
import { expect } from 'vitest';
import type { AcquireRequest, ReleaseRequest, RenewRequest } from '../../../src/lease/core/calls.ts';
import type { LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import {
  type Applied,
  acquire,
  EMPTY_ROW,
  evict,
  type LeaseRow,
  recordOf,
  release,
  renew,
  requestTransfer,
} from '../../../src/lease/core/lease-row.ts';
import { firstAhead, type Registration, registrationOf } from '../../../src/lease/core/queue.ts';
import type { LeaseStore, Term } from '../../../src/lease/lease-store.ts';
import type { StaleVersion } from './call-sequence.ts';
import { setBack } from './set-back.ts';
import { LONG_MS, type Suite } from './suite.ts';

const NOW_MS = 1_000_000;
const BACK_MS = 10 * LONG_MS;

type ExpectedTerm = Pick<Term, 'token' | 'holder' | 'nonce' | 'cause' | 'metadata'>;

export class StoreModel {
  readonly #stores: readonly LeaseStore[];
  readonly #hasClock: boolean;
  readonly #rows = new Map<string, LeaseRow>();
  readonly #terms = new Map<string, ExpectedTerm[]>();
  /** For each name the registered candidates, by nonce. */
  readonly #waiting = new Map<string, Map<string, Registration>>();
  /** For each name the store's token of each of the rules' tokens: 0, 1, 2, … */
  readonly #tokens = new Map<string, bigint[]>();
  readonly #versions = new Map<string, { expected: bigint; got: bigint }>();
  #calls = 0;

  /** Calls go to the connections in turn. */
  constructor(
    stores: readonly LeaseStore[],
    private readonly setBackIn: Suite['setBack'],
  ) {
    this.#stores = stores;
    this.#hasClock = stores[0].capabilities.expiry === 'clock';
  }

  /** How the store counts the n-th term; a token that it never gave if there was none. */
  tokenOf(name: string, term: number): bigint {
    return this.#tokens.get(name)?.[term] ?? 2n ** 60n + BigInt(term);
  }

  async acquire(requests: readonly (AcquireRequest & StaleVersion)[]): Promise<void> {
    const staleOf = (stale: StaleVersion['stale'], version: bigint | undefined): bigint | null =>
      stale === null ? null : stale === 'exact' ? (version ?? null) : -1n;
    // Both versions were read after the previous call.
    const versions = new Map(requests.map(({ name }) => [name, this.#row(name).version]));
    const claims = requests.map(({ stale, ...each }) => ({
      ...each,
      staleVersion: staleOf(stale, this.#versions.get(each.name)?.got),
    }));
    const expected = requests.map(({ stale, ...each }) => {
      const waiting = this.#waitingFor(each.name);
      const ahead = each.fair ? firstAhead(waiting.values(), each, NOW_MS) : null;
      const request = { ...each, staleVersion: staleOf(stale, versions.get(each.name)) };
      const applied = this.#apply(each.name, (row) =>
        acquire(row, request, NOW_MS, this.#hasClock, undefined, ahead),
      );
      if (applied.answer.type === 'ok') waiting.delete(each.nonce);
      else if (each.registerMs > 0) {
        waiting.set(each.nonce, registrationOf(waiting.values(), each, NOW_MS));
      }
      return applied;
    });
    const answers = await this.#next().acquire(claims);
    expect(answers).toHaveLength(claims.length);
    for (const [index, answer] of answers.entries()) {
      const { name } = claims[index];
      const wanted = expected[index].answer;
      expect(answer.type, `acquire ${name}`).toBe(wanted.type);
      if (answer.type === 'ok' && wanted.type === 'ok') {
        this.#learnToken(name, wanted.token, answer.token);
        expect(answer.checkpoint).toBe(wanted.checkpoint);
      }
      if (answer.type === 'held' && wanted.type === 'held') {
        this.#compare(answer.record, wanted.record);
        expect(answer.ahead).toBe(wanted.ahead);
      }
    }
  }

  async renew(renewals: readonly (Omit<RenewRequest, 'token'> & { term: number })[]): Promise<void> {
    const expected = renewals.map(({ term, ...rest }) =>
      this.#apply(rest.name, (row) => renew(row, { ...rest, token: BigInt(term) }, NOW_MS, this.#hasClock)),
    );
    const answers = await this.#next().renew(
      renewals.map(({ term, ...rest }) => ({ ...rest, token: this.tokenOf(rest.name, term) })),
    );
    expect(answers.map(withoutWait)).toEqual(expected.map(({ answer }) => withoutWait(answer)));
  }

  async release(releases: readonly (Omit<ReleaseRequest, 'token'> & { term: number })[]): Promise<void> {
    const expected = releases.map(({ term, ...rest }) =>
      this.#apply(rest.name, (row) => release(row, { ...rest, token: BigInt(term) }, NOW_MS, this.#hasClock)),
    );
    const answers = await this.#next().release(
      releases.map(({ term, ...rest }) => ({ ...rest, token: this.tokenOf(rest.name, term) })),
    );
    expect(answers).toEqual(expected.map(({ answer }) => answer));
  }

  async read(names: readonly string[]): Promise<void> {
    const records = await this.#next().read(names);
    expect(records).toHaveLength(names.length);
    for (const [index, name] of names.entries()) {
      this.#compare(records[index], recordOf(name, this.#row(name), NOW_MS, this.#hasClock));
      this.#compareVersion(name, records[index].version);
    }
  }

  async evict(name: string, cooldownMs?: number): Promise<void> {
    const { answer } = this.#apply(name, (row) => evict(row, cooldownMs ?? null, NOW_MS, this.#hasClock));
    expect(await this.#next().evict(name, cooldownMs)).toBe(answer);
  }

  /** By more than any duration that was granted. */
  async setBack(name: string): Promise<void> {
    const row = this.#row(name);
    if (row === EMPTY_ROW) return;
    this.#rows.set(name, setBack(row, BACK_MS));
    await this.setBackIn(name, BACK_MS);
  }

  async candidates(name: string): Promise<void> {
    const registered = await this.#next().candidates(name);
    const expected = [...this.#waitingFor(name).values()];
    expect(registered.map(({ id }) => id)).toEqual(expected.map(({ id }) => id).sort());
    expect(registered.map(({ nonce }) => nonce).sort()).toEqual(expected.map(({ nonce }) => nonce).sort());
  }

  async requestTransfer(name: string, to: string): Promise<void> {
    const isRegistered = [...this.#waitingFor(name).values()].some(({ id }) => id === to);
    const { answer } = this.#apply(name, (row) =>
      requestTransfer(row, to, isRegistered, NOW_MS, this.#hasClock),
    );
    expect(await this.#next().requestTransfer(name, to)).toBe(answer);
  }

  async history(name: string): Promise<void> {
    const terms = await this.#next().history(name);
    const expected = (this.#terms.get(name) ?? []).map((term) => ({
      ...term,
      token: this.tokenOf(name, Number(term.token)),
    }));
    const shown = terms.map(({ token, holder, nonce, cause, metadata }) => ({
      ...{ token, holder, nonce, cause, metadata },
    }));
    expect(shown).toEqual(expected.reverse());
    for (const [index, term] of terms.entries()) {
      expect(term.name).toBe(name);
      expect(term.endMs === null).toBe(term.cause === null);
      expect(term.startMs).toBeLessThanOrEqual(term.endMs ?? Number.MAX_SAFE_INTEGER);
      expect(term.startMs).toBeLessThanOrEqual(term.claimedUntilMs);
      if (index > 0) expect(term.endMs).toBeLessThanOrEqual(terms[index - 1].startMs);
    }
  }

  #next(): LeaseStore {
    return this.#stores[this.#calls++ % this.#stores.length];
  }

  #row(name: string): LeaseRow {
    return this.#rows.get(name) ?? EMPTY_ROW;
  }

  #waitingFor(name: string): Map<string, Registration> {
    const waiting = this.#waiting.get(name) ?? new Map<string, Registration>();
    this.#waiting.set(name, waiting);
    return waiting;
  }

  #apply<Answer>(name: string, rule: (row: LeaseRow) => Applied<Answer>): Applied<Answer> {
    const before = this.#row(name);
    const applied = rule(before);
    this.#rows.set(name, applied.row);
    const terms = this.#terms.get(name) ?? [];
    this.#terms.set(name, terms);
    if (applied.ended !== null) terms.push({ ...terms.pop()!, cause: applied.ended.cause });
    const { token, holder } = applied.row;
    if (token > before.token) {
      terms.push({ token, holder: holder!.id, nonce: holder!.nonce, cause: null, metadata: null });
    }
    const { metadata } = recordOf(name, applied.row, NOW_MS, this.#hasClock);
    if (holder !== null) terms.push({ ...terms.pop()!, metadata });
    return applied;
  }

  #learnToken(name: string, expected: bigint, got: bigint): void {
    const tokens = this.#tokensOf(name);
    const known = tokens[Number(expected)];
    if (known !== undefined) {
      expect(got, `the token of ${name} is kept`).toBe(known);
      return;
    }
    const latest = tokens.at(-1)!;
    expect(got > latest, `${got} after ${latest}`).toBe(true);
    tokens[Number(expected)] = got;
  }

  /** The first is the token of an election without a term: the least token of the store. */
  #tokensOf(name: string): bigint[] {
    const tokens = this.#tokens.get(name) ?? [0n];
    this.#tokens.set(name, tokens);
    return tokens;
  }

  /** The remaining time is between half of what the rules say and all of it: time passes for a store. */
  #compare(got: LeaseRecord, expected: LeaseRecord): void {
    const { token, remainingMs, version: _, ...rest } = expected;
    expect(got).toMatchObject(rest);
    const tokens = this.#tokensOf(expected.name);
    if (token === 0n && tokens.length === 1) tokens[0] = got.token;
    expect(got.token).toBe(tokens[Number(token)]);
    if (remainingMs === null || remainingMs === 0) expect(got.remainingMs).toBe(remainingMs);
    else {
      expect(got.remainingMs).toBeLessThanOrEqual(remainingMs);
      expect(got.remainingMs).toBeGreaterThan(remainingMs / 2);
    }
  }

  #compareVersion(name: string, got: bigint): void {
    const expected = this.#row(name).version;
    const last = this.#versions.get(name);
    if (last !== undefined && last.expected !== expected) expect(got).not.toBe(last.got);
    this.#versions.set(name, { expected, got });
  }
}

function withoutWait<Answer extends { readonly type: string; readonly challenger?: unknown }>(
  answer: Answer,
) {
  if (answer.type !== 'ok' || answer.challenger === null || answer.challenger === undefined) return answer;
  const { waitedMs, ...challenger } = answer.challenger as { waitedMs: number };
  expect(waitedMs).toBeGreaterThanOrEqual(0);
  return { ...answer, challenger };
}
