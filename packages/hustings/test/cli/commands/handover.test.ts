import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hustings, startHustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { aborted, until } from '../../../../../test-kit/until.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import type { Elector } from '../../../src/elector/elector.ts';
import { type LeaseStore, openStore } from '../../../src/lease/index.ts';
import { lead } from './lease-claim.ts';

const folder = temporaryFolder();
const env = { HUSTINGS_STORE: 'sqlite:leases.db' };
const run = (...args: string[]) => hustings(args, folder.path, env);
const start = (...args: string[]) => startHustings(args, folder.path, env);
let store: LeaseStore;

beforeAll(async () => {
  store = await openStore(`sqlite:${join(folder.path, 'leases.db')}`);
});
afterAll(() => store.close());

/** Candidates in this process, with work that lasts for the whole term. */
function campaign(name: string, ids: readonly string[], ttlMs = 10_000) {
  const ending = new AbortController();
  const electors: Elector[] = ids.map((id) => createElector({ store, name, id, ttlMs }));
  const campaigns = electors.map((elector) =>
    elector.campaign((term) => aborted(term.signal), { signal: ending.signal }),
  );
  return {
    isLed: async () => (await store.read([name]))[0].holder !== null,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all(campaigns);
    },
  };
}

/** A candidate that asks once, and stays registered for a minute. */
async function wait(name: string, id: string, priority = 0): Promise<void> {
  const [answer] = await store.acquire([
    {
      ...{ name, id, nonce: `${id} waits`, ttlMs: 60_000, priority, processProof: '' },
      ...{ goneNonce: null, staleVersion: null, holdAtLeastMs: 0, registerMs: 60_000 },
    },
  ]);
  expect(answer.type).toBe('held');
}

const leaderOf = async (name: string) => (await store.read([name]))[0].holder?.id;

describe('hustings evict', () => {
  it('forbids the leader to renew, and prints when another candidate can lead', async () => {
    const term = await lead(store, 'evicted', 'a');
    const { status, stdout, stderr } = run('evict', 'evicted');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`a may no longer renew its lease of evicted (token ${term.token}).\n`);
    expect(stdout).toMatch(
      /Another candidate can lead when a has released the lease, or in .*, when its lease expires/,
    );
    expect(stdout).toMatch(/\na stays out of the election for 1 min after that\.\n$/);
    expect(await term.renew()).toEqual({ type: 'evicted', cooldownMs: 60_000 });
    expect(await leaderOf('evicted')).toBe('a');
  });

  it('with --for says how long the evicted candidate stays out', async () => {
    const term = await lead(store, 'for', 'a');
    const { status, stdout } = run('evict', 'for', '--for', '10m', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ evicted: true, holder: 'a', standBackMs: 600_000 });
    expect(status).toBe(0);
    expect(await term.renew()).toEqual({ type: 'evicted', cooldownMs: 600_000 });
  });

  it('exits with 1 if there is no leader', () => {
    const { status, stdout } = run('evict', 'empty');
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: 'empty has no leader to evict\n',
    });
    expect(JSON.parse(run('evict', 'empty', '--json').stdout)).toEqual({ name: 'empty', evicted: false });
  });

  it('with --wait prints the next leader', async () => {
    await using candidates = campaign('waited', ['a', 'b']);
    await until(candidates.isLed);
    const [{ holder, token }] = await store.read(['waited']);
    const { status, stdout } = await start('evict', 'waited', '--wait', '--json').ended;
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ evicted: true, holder: holder!.id, token: `${token}` });
    // The evicted candidate waits for its cooldown.
    expect(answer.next.holder).toBe(holder!.id === 'a' ? 'b' : 'a');
    expect(BigInt(answer.next.token) > token).toBe(true);
    expect(status).toBe(0);
  });

  it('with --wait exits with 1 if there is no new leader in time', async () => {
    await lead(store, 'lonely', 'a');
    const { status, stdout } = run('evict', 'lonely', '--wait', '100ms');
    expect(stdout).toContain('\nThere is no new leader after 100 ms.\n');
    expect(status).toBe(1);
  });
});

describe('hustings transfer', () => {
  it('asks the leader, and prints what will happen', async () => {
    const term = await lead(store, 'asked', 'a');
    await wait('asked', 'b');
    const { status, stdout, stderr } = run('transfer', 'asked', '--to', 'b');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Asked a \(token \d+\) to hand asked over to b\. It is notified at once/);
    expect(await term.renew()).toMatchObject({ type: 'ok', transferTo: 'b' });
  });

  it('with --wait prints the successor as the leader', async () => {
    await using first = campaign('planned', ['a']);
    await until(first.isLed);
    await using _others = campaign('planned', ['b', 'c']);
    await until(async () => (await store.candidates('planned')).length === 2);
    const { status, stdout } = await start('transfer', 'planned', '--to', 'c', '--wait').ended;
    expect(stdout).toMatch(/\n★ c leads planned with token \d+\.\n$/);
    expect(status).toBe(0);
  });

  it('waits for a candidate that pauses after its own term', async () => {
    await using candidates = campaign('returning', ['a', 'b']);
    await until(candidates.isLed);
    await until(async () => (await store.candidates('returning')).length === 1);
    const first = (await leaderOf('returning'))!;
    const to = ['--to', first === 'a' ? 'b' : 'a', '--wait'];
    expect((await start('transfer', 'returning', ...to).ended).status).toBe(0);
    const back = await start('transfer', 'returning', '--to', first, '--wait').ended;
    expect(back).toMatchObject({ status: 0, stderr: '' });
    expect(back.stdout).toContain(`★ ${first} leads returning`);
  });

  it('with --wait exits with 1 if another candidate leads instead', async () => {
    await using candidates = campaign('absent', ['a', 'b'], 2_000);
    await until(candidates.isLed);
    await wait('absent', 'gone since');
    const asked = await start('transfer', 'absent', '--to', 'gone since', '--wait', '--json').ended;
    expect(['a', 'b']).toContain(JSON.parse(asked.stdout).next.holder);
    expect(asked.status).toBe(1);
  });

  it('to a candidate that does not wait is an error at once, and names those that wait', async () => {
    const term = await lead(store, 'mistyped', 'a');
    expect(run('transfer', 'mistyped', '--to', 'b').stderr).toBe(
      "hustings: no candidate 'b' waits for 'mistyped'; nobody waits\n",
    );
    for (const id of ['c', 'd']) await wait('mistyped', id);
    const { status, stdout, stderr } = run('transfer', 'mistyped', '--to', 'b', '--wait');
    expect(stderr).toBe("hustings: no candidate 'b' waits for 'mistyped'; these wait: 'c', 'd'\n");
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(await term.renew()).toMatchObject({ type: 'ok', transferTo: null });
  });

  it('does nothing if that candidate already leads, and exits with 1 if there is no leader', async () => {
    await lead(store, 'already', 'b');
    expect(run('transfer', 'already', '--to', 'b')).toMatchObject({
      status: 0,
      stdout: 'b already leads already.\n',
    });
    expect(run('transfer', 'empty', '--to', 'b')).toMatchObject({
      status: 1,
      stdout: 'empty has no leader that could hand over\n',
    });
  });
});

describe('hustings candidates', () => {
  it('lists who waits, with the priority and the time of the last request', async () => {
    expect(run('candidates', 'listed')).toMatchObject({ status: 1, stdout: 'nobody waits for listed\n' });
    await lead(store, 'listed', 'a');
    expect(run('candidates', 'listed').status).toBe(1);
    await wait('listed', 'c\u0007', 3);
    await wait('listed', 'b');
    const { status, stdout } = run('candidates', 'listed');
    expect(stdout).toMatch(/^candidate +priority +asked\nb +0 +\S+ m?s ago\nc\ufffd +3 +\S+ m?s ago\n$/);
    expect(status).toBe(0);
    const { name, candidates } = JSON.parse(run('candidates', 'listed', '--json').stdout);
    expect(name).toBe('listed');
    expect(candidates).toMatchObject([
      { id: 'b', priority: 0 },
      { id: 'c\u0007', priority: 3 },
    ]);
  });
});

describe('one line, exit code 2, nothing printed', () => {
  it.each([
    [['evict'], /missing required argument 'NAME'/],
    [['evict', 'x', '--wait', '5'], /--wait must be a duration .* not '5'/],
    [['evict', 'x', '--for', 'long'], /--for must be a duration .* not 'long'/],
    [['candidates'], /missing required argument 'NAME'/],
    [['transfer', 'x'], /required option '--to <CANDIDATE>'/],
    [['transfer', 'x', '--to', ''], /the name of a candidate must not be empty/],
    [['evikt', 'x'], /did you mean evict\?/],
  ])('for hustings %j', (args, says) => {
    const { status, stdout, stderr } = run(...args);
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
