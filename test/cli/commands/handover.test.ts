import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createElector, type Elector } from '../../../src/elector/create-elector.ts';
import { type LeaseStore, openStore } from '../../../src/lease/index.ts';
import { aborted, until } from '../../elector/until.ts';
import { buildBefore, hustings, startHustings, temporaryFolder } from '../command.ts';
import { lead } from './lease-claim.ts';

buildBefore();
const folder = temporaryFolder();
const env = { HUSTINGS_STORE: 'sqlite:leases.db' };
const run = (...args: string[]) => hustings(args, folder.path, env);
const start = (...args: string[]) => startHustings(args, folder.path, env);
let store: LeaseStore;

beforeAll(async () => {
  store = await openStore(`sqlite:${join(folder.path, 'leases.db')}`);
});
afterAll(() => store.close());

/** Candidates of this process, with work that lasts as long as their terms. */
function stand(name: string, ids: readonly string[], ttlMs = 10_000) {
  const ending = new AbortController();
  const electors: Elector[] = ids.map((id) => createElector({ store, name, id, ttlMs }));
  const over = electors.map((elector) =>
    elector.run((term) => aborted(term.signal), { signal: ending.signal }),
  );
  return {
    isLed: async () => (await store.read([name]))[0].holder !== null,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all(over);
    },
  };
}

const leaderOf = async (name: string) => (await store.read([name]))[0].holder?.id;

describe('hustings evict', () => {
  it('forbids the leader to renew, and says when another may lead', async () => {
    const term = await lead(store, 'evicted', 'a');
    const { status, stdout, stderr } = run('evict', 'evicted');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^a may not renew its lease of evicted any more \(token 1\)\.\n/);
    expect(stdout).toMatch(
      /Another may lead as soon as a has stopped and given it back, or in .*, when its lease ends/,
    );
    expect(await term.renew()).toEqual({ kind: 'evicted' });
    expect(await leaderOf('evicted')).toBe('a');
  });

  it('exits with 1 where nobody leads', () => {
    const { status, stdout } = run('evict', 'empty');
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: 'nobody leads empty: there is nobody to evict\n',
    });
    expect(JSON.parse(run('evict', 'empty', '--json').stdout)).toEqual({ name: 'empty', evicted: false });
  });

  it('with --wait shows who leads next', async () => {
    await using candidates = stand('waited', ['a', 'b']);
    await until(candidates.isLed);
    const before = await leaderOf('waited');
    const { status, stdout } = await start('evict', 'waited', '--wait', '--json').ended;
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ evicted: true, holder: before, token: '1', next: { token: '2' } });
    expect(['a', 'b']).toContain(answer.next.holder);
    expect(status).toBe(0);
  });

  it('with --wait exits with 1 when nobody follows in time', async () => {
    await lead(store, 'lonely', 'a');
    const { status, stdout } = run('evict', 'lonely', '--wait', '100ms');
    expect(stdout).toContain('\nNobody has followed within 100 ms.\n');
    expect(status).toBe(1);
  });
});

describe('hustings transfer', () => {
  it('asks the leader, and says what will happen', async () => {
    const term = await lead(store, 'asked', 'a');
    const { status, stdout, stderr } = run('transfer', 'asked', '--to', 'b');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Asked a \(token 1\) to hand asked over to b: it is told at once/);
    expect(await term.renew()).toMatchObject({ kind: 'ok', transferTo: 'b' });
  });

  it('with --wait shows that the other one leads', async () => {
    await using first = stand('planned', ['a']);
    await until(first.isLed);
    await using _others = stand('planned', ['b', 'c']);
    const { status, stdout } = await start('transfer', 'planned', '--to', 'c', '--wait').ended;
    expect(stdout).toMatch(/\n★ c leads planned with token 2\.\n$/);
    expect(status).toBe(0);
  });

  it('with --wait exits with 1 when another one leads instead', async () => {
    await using candidates = stand('absent', ['a', 'b'], 2_000);
    await until(candidates.isLed);
    const { status, stdout } = await start('transfer', 'absent', '--to', 'nobody', '--wait', '--json').ended;
    const { next } = JSON.parse(stdout);
    expect(['a', 'b']).toContain(next.holder);
    expect(status).toBe(1);
  });

  it('has nothing to do where that one leads already, and exits with 1 where nobody leads', async () => {
    await lead(store, 'already', 'b');
    expect(run('transfer', 'already', '--to', 'b')).toMatchObject({
      status: 0,
      stdout: 'b leads already already.\n',
    });
    expect(run('transfer', 'empty', '--to', 'b')).toMatchObject({
      status: 1,
      stdout: 'nobody leads empty: there is nothing to hand over\n',
    });
  });
});

describe('one line, exit code 2, nothing printed', () => {
  it.each([
    [['evict'], /missing required argument 'NAME'/],
    [['evict', 'x', '--wait', '5'], /--wait expects a duration .* got '5'/],
    [['transfer', 'x'], /required option '--to <CANDIDATE>'/],
    [['transfer', 'x', '--to', ''], /expected the name of a candidate, got an empty text/],
    [['evikt', 'x'], /did you mean evict\?/],
  ])('for hustings %j', (args, says) => {
    const { status, stdout, stderr } = run(...args);
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
