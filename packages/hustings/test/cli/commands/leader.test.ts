import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hustings, startHustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { until } from '../../../../../test-kit/until.ts';
import { plain } from '../../../../base/src/command/terminal.ts';
import { stateLines, viewLine } from '../../../src/cli/report/election-state.ts';
import { type LeaseStore, openStore } from '../../../src/lease/index.ts';
import { lead } from './lease-claim.ts';

const folder = temporaryFolder();
const env = (): NodeJS.ProcessEnv => ({ HUSTINGS_STORE: 'sqlite:./leases.db' });
const leader = (...args: string[]) => hustings(['leader', ...args], folder.path, env());
let store: LeaseStore;
/** The tokens of the elections below. */
const tokens: Record<string, bigint> = {};

beforeAll(async () => {
  store = await openStore(`sqlite:${join(folder.path, 'leases.db')}`);
  const names = { billing: 'replica-1', report: 'replica-2', kept: 'replica-2', going: 'replica-4' };
  for (const [name, id] of Object.entries(names)) {
    const term = await lead(store, name, id);
    tokens[name] = term.token;
    if (name === 'report') await term.release();
    if (name === 'kept') await term.release('replica-3');
  }
  await store.evict('going');
});
afterAll(() => store.close());

describe('hustings leader NAME', () => {
  it('prints the leader, its token, since when it leads and how long its lease lasts', () => {
    const { status, stdout, stderr } = leader('billing');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(
      /^★ replica-1 leads billing\n {2}token +\d+\n {2}since +\d{4}-.*\n {2}remaining +(1 min|\d+(\.\d+)? s)\n$/,
    );
    expect(stdout).toContain(` ${tokens.billing}\n`);
  });

  it('prints the same as JSON, with the token as text', () => {
    const { status, stdout } = leader('billing', '--json');
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({
      name: 'billing',
      type: 'led',
      holder: 'replica-1',
      token: `${tokens.billing}`,
      evicted: false,
    });
    expect(answer.remainingMs).toBeGreaterThan(0);
    expect(Date.parse(answer.since)).toBeLessThanOrEqual(Date.now());
    expect(status).toBe(0);
  });

  it('exits with 1 if there is no leader, and shows the previous term and why it ended', () => {
    const { status, stdout, stderr } = leader('report');
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(
      /^report has no leader\n {2}previous +replica-2, token \d+\n {2}until .*: released, /,
    );
    expect(stdout).toContain(`token ${tokens.report}\n`);
    expect(JSON.parse(leader('report', '--json').stdout)).toEqual({
      name: 'report',
      type: 'vacant',
      token: `${tokens.report}`,
      successor: null,
      remainingMs: 0,
      checkpoint: null,
    });
  });

  it('prints what the leader tells about itself, and the checkpoint', async () => {
    const url = 'sqlite:told.db';
    const other = await openStore(`sqlite:${join(folder.path, 'told.db')}`);
    const held = await lead(other, 'told', 'replica-1', {
      metadata: { address: '10.0.0.7:80', shards: [1, 2] },
    });
    await held.release(null, 'x'.repeat(70));
    const metadata = ['--metadata', 'address=10.0.0.8:80', '--metadata', 'zone=a=b'];
    const command = ['lead', 'told', '--store', url, '--id', 'replica-2', ...metadata];
    const leading = startHustings([...command, '--', 'sleep', '600'], folder.path);
    await until(async () => (await other.read(['told']))[0].holder?.id === 'replica-2');
    const { stdout } = leader('told', '--store', url);
    expect(stdout).toMatch(
      /\n {2}metadata {3}address=10\.0\.0\.8:80 zone=a=b\n {2}checkpoint x{60}… \(70 characters\)\n$/,
    );
    expect(JSON.parse(leader('told', '--store', url, '--json').stdout)).toMatchObject({
      metadata: { address: '10.0.0.8:80', zone: 'a=b' },
      checkpoint: 'x'.repeat(70),
    });
    expect(leader('--store', url).stdout).toMatch(/ metadata\ntold .* address=10\.0\.0\.8:80 zone=a=b\n$/);
    leading.end('SIGTERM');
    await leading.ended;
    const { terms } = JSON.parse(hustings(['history', 'told', '--store', url, '--json'], folder.path).stdout);
    expect(terms.map((term: { metadata: unknown }) => term.metadata)).toEqual([
      { address: '10.0.0.8:80', zone: 'a=b' },
      { address: '10.0.0.7:80', shards: [1, 2] },
    ]);
    await other.close();
  });

  it.each([
    ['=x', '--metadata must be KEY=VALUE, such as address=10.0.0.7:80, not "=x"'],
    ['x', 'not "x"'],
  ])('refuses --metadata %s', (pair, message) => {
    const args = ['lead', 'x', '--store', 'sqlite:told.db', '--metadata', pair, '--', 'true'];
    expect(hustings(args, folder.path)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(message),
    });
  });

  it('says for how long no new term begins, after a holder that asked for it', async () => {
    const other = await openStore(`sqlite:${join(folder.path, 'held.db')}`);
    await (await lead(other, 'held', 'replica-1', { holdAtLeastMs: 600_000 })).release();
    await other.close();
    const { status, stdout } = leader('held', '--store', 'sqlite:held.db');
    expect(stdout).toMatch(/^held has no leader\n {2}held +no new term begins for (10|9) min.*\n/);
    expect(status).toBe(1);
  });

  it('exits with 1 for an unknown election, and suggests the nearest name', () => {
    const { status, stdout } = leader('biling');
    expect(stdout).toBe('biling has never had a leader\n  did you mean billing?\n');
    expect(status).toBe(1);
  });

  it('exits with 3 and prints the error if the store cannot be read', () => {
    const { status, stdout, stderr } = leader('billing', '--json', '--store', 'redis://127.0.0.1:1');
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'HUSTINGS_STORE_UNREACHABLE', exitCode: 3 });
    expect(stderr).toMatch(/^hustings: redis:\/\/127\.0\.0\.1:1 cannot be reached .*\n$/);
    expect(status).toBe(3);
  });

  it('does not create a missing file', () => {
    const { status, stdout, stderr } = leader('billing', '--store', 'sqlite:./laeses.db');
    expect(stderr).toMatch(/^hustings: \.\/laeses\.db does not exist; /);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(existsSync(join(folder.path, 'laeses.db'))).toBe(false);
  });
});

describe('hustings leader without a name', () => {
  it('lists all elections of the store', () => {
    const { status, stdout } = leader();
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^election +leader +token +remaining$/);
    expect(lines[1]).toMatch(/^billing +replica-1 +\d+ /);
    expect(lines[2]).toMatch(/^going +replica-4 +\d+ .*, evicted$/);
    expect(lines[3]).toMatch(/^kept +nobody(, reserved for replica-3)? +\d+$/);
    expect(lines[4]).toMatch(/^report +nobody +\d+$/);
    for (const [index, name] of ['billing', 'going', 'kept', 'report'].entries()) {
      expect(lines[index + 1]).toContain(` ${tokens[name]}`);
    }
    expect(status).toBe(0);
  });

  it('lists them as JSON', () => {
    const { store: label, elections } = JSON.parse(leader('--json').stdout);
    expect(label).toBe('sqlite:./leases.db');
    expect(elections.map(({ name }: { name: string }) => name)).toEqual([
      'billing',
      'going',
      'kept',
      'report',
    ]);
  });
});

describe('hustings leader --watch', () => {
  it('prints each change once, as lines of JSON, until it is interrupted', async () => {
    const watch = startHustings(['leader', 'watched', '--watch', '--json'], folder.path, env());
    const states = () => watch.lines().map((line) => JSON.parse(line));
    await until(() => states().length === 1);
    const first = await lead(store, 'watched', 'a');
    await until(() => states().length === 2);
    await first.release();
    await until(() => states().length === 3);
    const second = await lead(store, 'watched', 'b');
    await until(() => states().length === 4);
    watch.end('SIGINT');
    const { status, stderr } = await watch.ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(states().map(({ type, holder, token }) => [type, holder, token])).toEqual([
      ['vacant', undefined, '0'],
      ['led', 'a', `${first.token}`],
      ['vacant', undefined, `${first.token}`],
      ['led', 'b', `${second.token}`],
    ]);
    for (const { at, name } of states()) expect([name, Date.parse(at) > 0]).toEqual(['watched', true]);
  });

  it('prints unknown with the reason if the store cannot be read', async () => {
    const watch = startHustings(['leader', 'x', '--watch', '--store', 'redis://127.0.0.1:1'], folder.path);
    await until(() => watch.lines().length === 1);
    watch.end('SIGTERM');
    expect((await watch.ended).status).toBe(0);
    expect(watch.lines()[0]).toMatch(
      /^[\d-]+ [\d:.]+ {2}unknown: redis:\/\/127\.0\.0\.1:1 cannot be reached/,
    );
  });
});

describe('text from the store', () => {
  it('cannot control the terminal', () => {
    const holder = { id: 'a\u001b[2J', nonce: '', ttlMs: 1, priority: 0, processProof: '', evicted: true };
    const record = {
      name: 'x\u0007',
      token: 2n ** 60n,
      holder,
      remainingMs: null,
      durationMs: 1,
      version: 1n,
      successor: null,
      metadata: null,
      checkpoint: null,
    };
    const lines = stateLines({ record, term: null }, { paint: plain, width: 80 });
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
    expect(lines).toContain('  token      1152921504606846976');
    expect(viewLine({ type: 'vacant', token: 3n, successor: '\u001bc' })).not.toContain('\u001b');
  });
});

/** Names that a store or a terminal could misread. */
const REJECTED = ['', 'a\u001b[2Jb', 'e\u0301'];
const DISTINCT = [
  '<b>x</b>',
  "x' OR '1'='1",
  '*',
  'hustings:{x}',
  '../x',
  '__proto__',
  'Billing',
  'billing ',
  'é',
];

describe('names', () => {
  it.each(REJECTED)('%j is rejected in one line, with exit code 2', (name) => {
    const { status, stdout, stderr } = leader(name);
    expect(stderr).toMatch(/^hustings: the name of an election must [^\n]*\n$/);
    expect(stderr).not.toContain('\u001b');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it('that look similar are distinct elections', async () => {
    const given: bigint[] = [];
    for (const name of DISTINCT) given.push((await lead(store, name, `leader of ${name}`)).token);
    const { elections } = JSON.parse(leader('--json').stdout);
    for (const [index, name] of DISTINCT.entries()) {
      const found = elections.filter((each: { name: string }) => each.name === name);
      expect(found).toMatchObject([{ holder: `leader of ${name}`, token: `${given[index]}` }]);
    }
    expect(leader("x' OR '1'='1").stdout).toContain("★ leader of x' OR '1'='1 leads");
  });
});

describe('one line, exit code 2, nothing printed', () => {
  it.each([
    [['leader', '--watch'], /--watch needs the name of an election/],
    [['leadr', 'a'], /did you mean leader\?|did you mean lead\?/],
    [['leader', 'a', '--store', 'ftp://host'], /cannot have the scheme "ftp:"; give sqlite:PATH/],
    [['leader', 'a', '--store', ''], /must not be empty/],
    [['leader', 'a', '--store', 'memory:x'], /the memory store is not shared/],
    [['leader', 'a'], /^hustings: HUSTINGS_STORE: the redis:\/\/ URL cannot be parsed/],
    [['leader', 'a', '--store', 'redis://:hunter2@host'], /must not contain a password.*HUSTINGS_STORE/],
    [
      ['leader', 'a', '--store', 'postgres://h/d?password=hunter2'],
      /must not contain a password.*HUSTINGS_STORE/,
    ],
    [['leader', 'a', '--store', 'postgres://u:hun@ter2:h/d'], /must not contain a password.*HUSTINGS_STORE/],
  ])('for hustings %j', (args, says) => {
    const wrong = { HUSTINGS_STORE: 'redis://:hunter2@host:port' };
    const { status, stdout, stderr } = hustings(args, folder.path, wrong);
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/hunter2|hun@ter2/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
