import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { formatTimestamp } from '../../../src/cli/flags/timestamp.ts';
import { momentOf } from '../../../src/lease/history-moment.ts';
import { type LeaseStore, openStore, type Term } from '../../../src/lease/index.ts';
import { lead } from './lease-claim.ts';

const folder = temporaryFolder();
const history = (...args: string[]) =>
  hustings(['history', ...args], folder.path, { HUSTINGS_STORE: 'sqlite:leases.db' });
let store: LeaseStore;
/** The token of the leader of `now`. */
let current: bigint;

const HOUR_MS = 3_600_000;
/** Three terms at round hours of a day that has been, and a gap between the last two. */
const DAY_MS = new Date(2026, 0, 10).getTime();
const TERMS = [
  { token: 1, holder: 'a', fromHour: 1, toHour: 3, cause: 'expired' },
  { token: 2, holder: 'b', fromHour: 3, toHour: 4, cause: 'evicted' },
  { token: 3, holder: 'c', fromHour: 6, toHour: 8, cause: 'gone' },
];

function writeTerms(name: string, terms: readonly (typeof TERMS)[number][]): void {
  const database = new DatabaseSync(join(folder.path, 'leases.db'), { timeout: 5_000 });
  database.prepare('DELETE FROM hustings_term WHERE name = ?').run(name);
  for (const { token, holder, fromHour, toHour, cause } of terms) {
    const [startMs, endMs] = [fromHour, toHour].map((hour) => DAY_MS + hour * HOUR_MS);
    database
      .prepare('INSERT INTO hustings_term VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)')
      .run(name, token, holder, `nonce ${token}`, startMs, endMs, cause, endMs);
  }
  database.close();
}

beforeAll(async () => {
  store = await openStore(`sqlite:${join(folder.path, 'leases.db')}`);
  for (const name of ['night', 'broken']) {
    for (const id of ['a', 'b', 'c']) await (await lead(store, name, id)).release();
  }
  writeTerms('night', TERMS);
  writeTerms('broken', [
    { ...TERMS[0], toHour: 4 },
    TERMS[2],
    { ...TERMS[1], token: 4, fromHour: 7, toHour: 9 },
  ]);
  await (await lead(store, 'now', 'a')).release();
  current = (await lead(store, 'now', 'b')).token;
});
afterAll(() => store.close());

describe('hustings history NAME', () => {
  it('lists the terms, newest first, with start, end, duration, cause and the end of the grant', () => {
    const { status, stdout, stderr } = history('night');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [titles, ...rows] = stdout.split('\n');
    expect(titles).toMatch(/^token +holder +start +end +duration +cause +granted until$/);
    expect(rows[0]).toMatch(
      /^ +3 +c +2026-01-10 06:00:00\.000 +2026-01-10 08:00:00\.000 +2 h +gone +2026-01-10 08:/,
    );
    expect(rows[1]).toMatch(/^ +2 +b .* 1 h +evicted /);
    expect(rows[2]).toMatch(/^ +1 +a .* 2 h +expired /);
  });

  it('shows the current term, stops at the limit and says so', () => {
    const { stdout } = history('now', '--limit', '1');
    expect(stdout).toMatch(/\n *\d+ +b +\S+ \S+ +leads /);
    expect(stdout).toContain(`${current} `);
    expect(stdout).toContain('There are older terms; increase --limit to see them.');
    const { terms, more } = JSON.parse(history('now', '--limit', '1', '--json').stdout);
    expect(terms).toMatchObject([
      { token: `${current}`, holder: 'b', end: null, lastedMs: null, cause: null },
    ]);
    expect(more).toBe(true);
  });

  it('exits with 1 for an election without terms, and suggests only a similar name', () => {
    const { status, stdout } = history('nothing');
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout:
        "nothing has never had a leader\n  this store has other elections: 'hustings leader' lists them\n",
    });
  });
});

describe('hustings history NAME --at', () => {
  it('prints the leader at that time, why its term ended, and the terms before and after', () => {
    const { status, stdout } = history('night', '--at', '2026-01-10T03:30');
    expect(stdout.split('\n').slice(0, 7)).toEqual([
      '★ b led night at 2026-01-10 03:30:00.000',
      '  token    2',
      '  from     2026-01-10 03:00:00.000',
      '  until    2026-01-10 04:00:00.000, after 1 h',
      '  ended    evicted: an operator evicted the leader',
      '  before   a, token 1, until 2026-01-10 03:00:00.000 (expired: the holder did not renew the lease in time)',
      '  then     c, token 3, from 2026-01-10 06:00:00.000, 2 h later',
    ]);
    expect(status).toBe(0);
  });

  it('exits with 1 if there was no leader, and shows the terms around that time', () => {
    const { status, stdout } = history('night', '--at', '2026-01-10 05:00', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      at: new Date(DAY_MS + 5 * HOUR_MS).toISOString(),
      term: null,
      before: { token: '2', cause: 'evicted' },
      after: { token: '3', holder: 'c', lastedMs: 2 * HOUR_MS },
    });
    expect(status).toBe(1);
    expect(history('night', '--at', '2026-01-09').stdout).toMatch(
      /^night had no leader at .*\n {2}then +a, token 1,/,
    );
  });

  it('accepts a relative time, and says that the current leader still leads', () => {
    const { status, stdout } = history('now', '--at', '0s ago');
    expect(stdout).toContain(` ${current}\n`);
    expect(stdout).toMatch(/^★ b led now at .*\n {2}token +\d+\n {2}from .*\n {2}until +now: it still leads/);
    expect(status).toBe(0);
  });

  it('finds the neighbours of a term by token', () => {
    const terms = TERMS.map(
      ({ token, fromHour, toHour }) =>
        ({ token: BigInt(token), startMs: fromHour, endMs: toHour }) as unknown as Term,
    ).reverse();
    const tokens = (term: Term | null, atMs: number) =>
      Object.values(momentOf(term, terms, atMs)).map((each) => each?.token ?? null);
    expect(tokens(terms[2], 1)).toEqual([1n, null, 2n]);
    expect(tokens(terms[0], 7)).toEqual([3n, 2n, null]);
    expect(tokens(null, 9)).toEqual([null, 3n, null]);
  });
});

describe('hustings history NAME --check', () => {
  it('accepts terms that do not overlap', () => {
    const { status, stdout } = history('night', '--check');
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: '✓ 3 terms of night: no two overlap, and tokens increase\n',
    });
  });

  it('exits with 1 and names two terms that overlap', () => {
    const { status, stdout } = history('broken', '--check');
    const from = (hour: number) => formatTimestamp(DAY_MS + hour * HOUR_MS);
    expect(stdout).toContain(
      `✗ two leaders at once for 1 h: c, token 3, from ${from(6)}, and b, token 4, from ${from(7)}`,
    );
    expect(status).toBe(1);
    const { terms, conflicts } = JSON.parse(history('broken', '--check', '--json').stdout);
    expect(terms).toBe(3);
    expect(conflicts).toMatchObject([
      { type: 'overlap', byMs: HOUR_MS, earlier: { token: '3' }, later: { token: '4' } },
    ]);
  });
});

describe('one line, exit code 2, nothing printed', () => {
  it.each([
    [[], /missing required argument 'NAME'/],
    [['night', '--at', 'soon'], /--at must be a date, a time or both, .* not 'soon'/],
    [['night', '--at', '2999-01-01'], /--at must be in the past/],
    [['night', '--limit', '0'], /--limit must be a whole number from 1, not '0'/],
    [['night', '--limit', 'all'], /--limit must be a number, as in 20, not 'all'/],
    [['night', '--limit', '3', '--check'], /--limit and --check exclude each other/],
  ])('for hustings history %j', (args, says) => {
    const { status, stdout, stderr } = history(...args);
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
