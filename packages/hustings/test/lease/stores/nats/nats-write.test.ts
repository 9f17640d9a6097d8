import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { afterEach, expect, it } from 'vitest';
import { copyData, restoreData } from '../../../../../../test-kit/servers/data-copy.ts';
import { describeWith, startNats, startTcpProxy } from '../../../../../../test-kit/servers/index.ts';
import { comparesEarly } from '../../../../src/lease/stores/nats/nats-connection.ts';
import { NatsIncarnation } from '../../../../src/lease/stores/nats/nats-incarnation.ts';
import { NatsLeaseStore } from '../../../../src/lease/stores/nats/nats-lease-store.ts';
import { eventually, renew, win } from '../../contract/single-call.ts';
import { openAround, WRITE } from './open-around.ts';

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

it.each([
  ['2.9.10', true],
  ['2.9.20', true],
  ['2.8.99', true],
  ['2.9.21', false],
  ['2.10.0', false],
  ['2.12.0-RC.1', false],
  ['3.0.0', false],
  ['unknown', false],
])('a server of version %s compares the revision too early: %s', (version, isEarly) => {
  expect(comparesEarly(version)).toBe(isEarly);
});

await describeWith('nats-server', 'a write to NATS', () => {
  async function start() {
    const server = await startNats();
    toEnd.push(() => server.stop());
    const connection = await connect({ servers: server.url });
    toEnd.push(() => connection.close());
    const open = async (url: string) => {
      const store = await NatsLeaseStore.open(url, { waitAfterCreation: false });
      toEnd.push(() => store.close());
      return store;
    };
    return { server, connection, open };
  }

  it('has the key, the number and a digest of what it replaces as its id, where the server compares too early', async () => {
    const { server, connection, open } = await start();
    const store = await open(server.url);
    const token = await win(store, 'job', 'a');
    const { id } = await NatsIncarnation.read(await new Kvm(connection).open('hustings'));
    const key = `election.${id}.=${Buffer.from('job').toString('base64url')}`;
    const latest = async () => {
      const request = JSON.stringify({ last_by_subj: `$KV.hustings.${key}` });
      const answer = await connection.request('$JS.API.STREAM.MSG.GET.KV_hustings', request);
      const { message } = answer.json<{ message: { seq: number; hdrs: string; data: string } }>();
      const [headers, text] = [message.hdrs, message.data].map((part) =>
        Buffer.from(part, 'base64').toString(),
      );
      const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16);
      return { headers, seq: message.seq, id: `Nats-Msg-Id: ${key} ${message.seq} ${digest}\r\n` };
    };
    const first = await latest();
    await renew(store, 'job', 'a', token);
    const second = await latest();
    expect(second.headers).toContain(`Nats-Expected-Last-Subject-Sequence: ${first.seq}\r\n`);
    expect(second.headers.includes(first.id)).toBe(comparesEarly(connection.info!.version));
  });

  it('that no server takes at the moment may be repeated, and ends no candidacy', async () => {
    const { server, connection } = await start();
    let isOver = false;
    const store = await openAround(server.url, (request) => async (subject, ...more) => {
      // As while the servers of a bucket elect its leader: nobody listens to its subjects.
      if (isOver && subject.startsWith(WRITE)) {
        await connection.request('$JS.API.STREAM.DELETE.KV_hustings');
      }
      return request(subject, ...more);
    });
    toEnd.push(() => store.close());
    const token = await win(store, 'job', 'a');
    isOver = true;
    await expect(renew(store, 'job', 'a', token)).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringContaining('no server that leads the bucket'),
    });
  });

  it('goes to another server when its own has become silent', async () => {
    const { server, open } = await start();
    const proxies = [await startTcpProxy(server.port), await startTcpProxy(server.port)];
    toEnd.push(...proxies.map((proxy) => () => proxy.close()));
    const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const store = await open(`nats://${hosts}?timeoutMs=300`);
    const token = await eventually(() => win(store, 'job', 'a').catch(() => undefined), 'a has the lease');
    proxies.find(({ openConnections }) => openConnections > 0)!.set('blackhole');
    const renewed = await eventually(
      () => renew(store, 'job', 'a', token).catch(() => undefined),
      'it is renewed',
    );
    expect(renewed.type).toBe('ok');
  }, 60_000);

  it('replaces nothing that a server was restored with after the reading, though it has the number that was read', async () => {
    const { server, open } = await start();
    const folder = mkdtempSync(join(tmpdir(), 'hustings-nats-'));
    toEnd.push(() => rmSync(folder, { recursive: true, force: true }));
    let resume = (): void => undefined;
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let isPausing = false;
    let isPaused = false;
    const a = await openAround(server.url, (request) => async (subject, ...more) => {
      const answer = await request(subject, ...more);
      if (!isPausing || !subject.startsWith('$JS.API.STREAM.MSG.GET')) return answer;
      isPausing = false;
      isPaused = true;
      await resumed;
      return answer;
    });
    toEnd.push(() => a.close());
    const b = await open(server.url);
    await b.init();
    await copyData({ server, folder });
    const old = await eventually(() => win(a, 'job', 'a').catch(() => undefined), 'a leads');
    isPausing = true;
    const renewed = renew(a, 'job', 'a', old);
    await eventually(async () => isPaused || undefined, 'a has read its lease');
    await restoreData({ server, folder });
    const token = await eventually(() => win(b, 'job', 'b').catch(() => undefined), 'b leads');
    await eventually(() => a.read(['job']).catch(() => undefined), 'a is connected again');
    resume();
    expect(await renewed).toEqual({ type: 'lost' });
    expect(await b.read(['job'])).toMatchObject([{ holder: { id: 'b' }, token }]);
    expect(await renew(b, 'job', 'b', token)).toMatchObject({ type: 'ok' });
  }, 60_000);
});
