import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { describeWith, startRedis, type TestServer } from '../../../../test-kit/servers/index.ts';
import { type LeaseStore, openStore } from '../../../hustings/src/lease/index.ts';
import { lead } from '../../../hustings/test/cli/commands/lease-claim.ts';
import { ApiClient } from './api-client.ts';

describe('on the store of a user', () => {
  const folder = temporaryFolder();
  let path: string;
  let store: LeaseStore;
  let client: ApiClient;
  beforeAll(async () => {
    path = join(folder.path, 'leases.db');
    store = await openStore(`sqlite:${path}`);
    client = await ApiClient.start({ storeUrl: `sqlite:${path}` });
  });
  afterAll(async () => {
    await client.close();
    await store.close();
  });

  test('a store without elections is said to have none', async () => {
    void client.listen();
    await eventually('the first message', () => client.open);
    expect(client.open).toMatchObject({ elections: [], election: { type: 'none' }, demo: null });
  });

  test('the stream says who leads, until when, who waits, and why earlier terms ended', async () => {
    const first = await lead(store, 'jobs', 'a');
    await eventually('a leads', () => client.leader === 'a');
    await first.release();
    await lead(store, 'jobs', 'b');
    await lead(store, 'jobs', 'c', { registerMs: 600_000 }).catch(() => {});
    await eventually('c waits', () => {
      const election = client.open?.election;
      return election?.type === 'known' && election.candidates.length > 0;
    });
    const election = client.open!.election;
    if (election.type !== 'known') throw new Error('the election is not known');
    expect(election).toMatchObject({
      name: 'jobs',
      leader: { type: 'led', holder: 'b', ttlMs: 60_000, evicted: false },
      candidates: [{ id: 'c', priority: 0 }],
      terms: [
        { holder: 'b', endMs: null, cause: null },
        { holder: 'a', token: String(first.token), cause: 'released' },
      ],
      conflicts: 0,
    });
    const { leader, terms, nowMs } = election;
    if (leader.type !== 'led') throw new Error('nobody leads');
    expect(leader.sinceMs).toBe(terms[0].startMs);
    expect(nowMs + leader.remainingMs!).toBeGreaterThan(terms[0].startMs);
    expect(leader.remainingMs).toBeLessThanOrEqual(60_000);
  });

  test('it says who led at an instant, with the terms around it', async () => {
    const [now, before] = await store.history('jobs');
    const at = (ms: number) => client.get(`at?election=jobs&at=${ms}`);
    expect((await at(before.startMs)).body).toMatchObject({
      term: { holder: 'a' },
      before: null,
      after: { holder: 'b' },
    });
    expect((await at(now.startMs)).body).toMatchObject({ term: { holder: 'b' }, before: { holder: 'a' } });
    expect((await at(before.startMs - 1)).body).toMatchObject({ term: null, after: { holder: 'a' } });
    expect((await client.get('at?election=jobs&at=noon')).body.error).toBe(
      'at must be a time in milliseconds since 1970, not "noon"',
    );
    expect((await client.get('terms?election=jobs')).body).toMatchObject([{ holder: 'b' }, { holder: 'a' }]);
  });

  test('a change that was confirmed for an earlier term changes nothing', async () => {
    const [{ token }] = await store.read(['jobs']);
    for (const path of ['evict', 'transfer']) {
      const outdated = { election: 'jobs', token: String(token - 1n), to: 'c' };
      expect(await client.post(path, outdated)).toEqual({
        status: 409,
        body: { error: 'b leads jobs by now; nothing was changed' },
      });
    }
    expect((await store.read(['jobs']))[0].holder?.evicted).toBe(false);
    expect((await client.post('evict', { election: 'empty', token: '1' })).status).toBe(409);
    expect((await client.post('evict', { election: 'jobs' })).body.error).toBe(
      'token must be a text; add it to the request',
    );
  });

  test('transfer reaches the leader and names the candidates if the chosen one does not wait', async () => {
    const token = String((await store.read(['jobs']))[0].token);
    const unknown = await client.post('transfer', { election: 'jobs', token, to: 'z' });
    expect(unknown).toMatchObject({ status: 409 });
    expect(unknown.body.error).toContain('c');
    expect(await client.post('transfer', { election: 'jobs', token, to: 'c' })).toEqual({
      status: 200,
      body: { holder: 'b', to: 'c' },
    });
  });

  test('evict forbids the renewal, and the stream says so', async () => {
    const token = String((await store.read(['jobs']))[0].token);
    expect(await client.post('evict', { election: 'jobs', token })).toMatchObject({
      status: 200,
      body: { holder: 'b' },
    });
    await eventually('the stream says evicted', () => {
      const election = client.open?.election;
      return election?.type === 'known' && election.leader.type === 'led' && election.leader.evicted;
    });
  });

  test('faults are refused, and so is what the API does not have', async () => {
    expect((await client.post('fault', { id: 'worker-1', action: 'kill' })).body.error).toBe(
      'faults can be injected in the demo only',
    );
    expect((await client.get('at?election=')).status).toBe(400);
    expect((await client.get('nothing')).status).toBe(404);
  });

  test('a wrong method is refused with those that are allowed', async () => {
    const allowed = async (path: string, method: string): Promise<unknown> => {
      const { headers, status } = await fetch(client.base + path, { method });
      return [status, headers.get('allow')];
    };
    expect(await allowed('evict', 'GET')).toEqual([405, 'POST']);
    expect(await allowed('evict', 'HEAD')).toEqual([405, 'POST']);
    expect(await allowed('events', 'POST')).toEqual([405, 'GET, HEAD']);
  });

  test('the answer to HEAD on the stream has its headers and ends', async () => {
    const init = { method: 'HEAD', signal: AbortSignal.timeout(10_000) };
    const { headers, status } = await fetch(`${client.base}events`, init);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await (await fetch(`${client.base}terms?election=jobs`, init)).text()).toBe('');
  });

  test('a store that is away has no leader, and is read again when it is back', async () => {
    renameSync(path, `${path}.away`);
    await eventually('the leader is unknown', () => client.open?.election.type === 'unknown');
    expect(client.leader).toBeNull();
    expect(client.open).toMatchObject({ elections: ['jobs'] });
    // A file that is missing is not created.
    await eventually('it looks for the file again', () => {
      const election = client.open?.election;
      return election?.type === 'unknown' && election.reason.endsWith('does not exist; correct the path');
    });
    expect(existsSync(path)).toBe(false);
    const token = { election: 'jobs', token: '1' };
    expect((await client.post('evict', token)).status).toBe(503);
    renameSync(`${path}.away`, path);
    await eventually('the leader is known again', () => client.leader === 'b');
  });
});

await describeWith('redis-server', 'on Redis with a password', () => {
  const PASSWORD = 'correct-horse-battery';
  let redis: TestServer;
  let client: ApiClient;
  let store: LeaseStore;
  beforeAll(async () => {
    redis = await startRedis({ password: PASSWORD });
    store = await openStore(redis.url);
    client = await ApiClient.start({ storeUrl: redis.url });
  });
  afterAll(async () => {
    await client.close();
    await store.close();
    await redis.stop();
  });

  test('a server that dies is said, with no leader and without the password, and is read again after its restart', async () => {
    await lead(store, 'jobs', 'a', { ttlMs: 3_600_000 });
    void client.listen('?election=jobs');
    await eventually('a leads', () => client.leader === 'a');
    await redis.kill9();
    await eventually('the leader is unknown', () => client.open?.election.type === 'unknown');
    expect(client.leader).toBeNull();
    expect((await client.get('terms?election=jobs')).status).toBe(503);
    await redis.restart();
    await eventually('the leader is known again', () => client.leader === 'a', 60_000);
    expect(client.open?.store).toBe(`redis://127.0.0.1:${redis.port}`);
    expect(client.heard).toContain('"holder":"a"');
    expect(client.heard).not.toContain(PASSWORD);
  });

  test('a wrong password is said, and neither it nor the right one', async () => {
    const wrong = await ApiClient.start({ storeUrl: redis.url.replace(PASSWORD, 'incorrect-donkey') });
    void wrong.listen();
    await eventually('it is said', () => wrong.open?.election.type === 'unknown');
    expect(wrong.heard).not.toMatch(/incorrect-donkey|correct-horse/);
    await wrong.close();
  });
});

describe('in the demo', () => {
  let client: ApiClient;
  let folders: () => string[];
  beforeAll(async () => {
    // A folder of its own, so that demos of other tests are not seen.
    const temporary = mkdtempSync(join(tmpdir(), 'hustings-api-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = temporary;
    folders = () => readdirSync(temporary);
    client = await ApiClient.start({
      storeUrl: null,
      demo: { ttlMs: 2_000, stepMs: 50 },
    });
    return async () => {
      await client.close();
      expect(folders()).toEqual([]);
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(temporary, { recursive: true });
    };
  });

  test('reading starts nothing; a POST starts the demo once', async () => {
    await client.listen();
    expect(client.latest).toEqual({ type: 'closed' });
    expect((await client.get('terms?election=nightly-report')).status).toBe(409);
    expect(folders()).toEqual([]);
    await Promise.all([client.post('open'), client.post('open')]);
    await client.post('open');
    expect(folders()).toHaveLength(1);
  });

  test('the stream shows the successor of a leader that was killed, and the waiting candidates', async () => {
    void client.listen();
    const first = await eventually('a process leads', () => client.leader);
    const answer = await client.post('fault', { id: first, action: 'kill' });
    expect(answer).toEqual({ status: 200, body: { id: first, action: 'kill' } });
    await eventually('another process leads', () => client.leader !== null && client.leader !== first);
    await eventually('three wait', () => {
      const election = client.open?.election;
      return election?.type === 'known' && election.candidates.length === 3;
    });
    expect(client.open?.demo?.faults[0]).toMatchObject({ id: first, type: 'killed' });
    const conflict = await client.post('fault', { id: first, action: 'pause' });
    expect(conflict.body.error).toBe(`${first} is ended; the actions that apply are restart`);
    expect((await client.post('fault', { id: first, action: 'constructor' })).status).toBe(400);
  });
});
