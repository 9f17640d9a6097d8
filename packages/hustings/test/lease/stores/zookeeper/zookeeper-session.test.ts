import { expect, it } from 'vitest';
import { ZookeeperClient } from '../../../../src/lease/stores/zookeeper/zookeeper-client.ts';
import { ZookeeperNodes } from '../../../../src/lease/stores/zookeeper/zookeeper-nodes.ts';
import { zookeeperSettings } from '../../../../src/lease/stores/zookeeper/zookeeper-settings.ts';
import { claimOf, eventually, releaseOf, renew, win } from '../../contract/single-call.ts';
import { FakeEnsemble, type FakeServer, type FakeServerOptions } from './fake-ensemble.ts';
import { open, toEnd } from './open-zookeeper.ts';

async function start(options?: FakeServerOptions, ensemble = new FakeEnsemble()): Promise<FakeServer> {
  const server = await ensemble.start(options);
  toEnd.push(() => server.close());
  return server;
}

function clientOf(url: string): ZookeeperClient {
  const client = new ZookeeperClient(zookeeperSettings(url));
  toEnd.push(() => client.close(false));
  return client;
}

it('shows every acknowledged term, also through a server that lags behind', async () => {
  const ensemble = new FakeEnsemble();
  const [current, lagging] = [await start({}, ensemble), await start({ lags: true }, ensemble)];
  const [a, b] = [await open(current.url), await open(lagging.url)];
  const first = await win(a, 'job', 'a');
  expect((await b.read(['job']))[0]).toMatchObject({ token: first, holder: { id: 'a' } });
  await a.release([releaseOf('job', 'a', first)]);
  const second = await win(a, 'job', 'c');
  // What the server answers to those who do not make it catch up first.
  const client = clientOf(lagging.url);
  const { data } = await client.ask(client.requests.get(new ZookeeperNodes('/hustings').document('job')));
  expect(data).toContain('"a-nonce"');
  expect(data).not.toContain(String(second));
  expect((await b.read(['job']))[0]).toMatchObject({ token: second, holder: { id: 'c' } });
  await win(a, 'another', 'a');
  expect([...(await b.names())].sort()).toEqual(['another', 'job']);
});

it('grants nothing on what a server that lags behind shows', async () => {
  const ensemble = new FakeEnsemble();
  const [current, lagging] = [await start({}, ensemble), await start({ lags: true }, ensemble)];
  const [a, b] = [await open(current.url), await open(lagging.url)];
  const token = await win(a, 'job', 'a');
  // Free, and then held again; and the version that was observed, and then renewed.
  await a.release([releaseOf('job', 'a', token)]);
  const [{ version: free }] = await b.read(['job']);
  const held = await win(a, 'job', 'c');
  const claim = (staleVersion: bigint) => b.acquire([claimOf('job', 'b', { staleVersion })]);
  expect(await claim(free)).toMatchObject([{ type: 'held', record: { token: held } }]);
  const [{ version }] = await b.read(['job']);
  expect((await renew(a, 'job', 'c', held)).type).toBe('ok');
  expect(await claim(version)).toMatchObject([{ type: 'held', record: { token: held } }]);
  expect((await renew(a, 'job', 'c', held)).type).toBe('ok');
});

it('gives up a session when an answer takes half of the session timeout, and keeps it otherwise', async () => {
  const [late, prompt] = [await start({ sessionTimeoutMs: 2_000 }), await start()];
  for (const [server, isOver] of [
    [late, true],
    [prompt, false],
  ] as const) {
    const client = clientOf(`${server.url}?timeoutMs=20000`);
    const begun = () => client.established().catch(() => undefined);
    const session = await eventually(begun, 'a session, also on a busy machine');
    server.delayMs = 1_100;
    const asked = client.ask(client.requests.exists('/'));
    if (isOver) await expect(asked).rejects.toMatchObject({ kind: 'unreachable' });
    else await asked;
    // An answer that comes later still breaks the connection first, and then the session.
    if (isOver) await eventually(async () => session.isOver || undefined, 'the session is given up');
    expect(session.isOver).toBe(isOver);
  }
});

it('begins a new session with a server whose backup was restored, which refuses the old one', async () => {
  const server = await start({ sessionTimeoutMs: 2_000 });
  const client = clientOf(server.url);
  const begun = () => client.established().catch(() => undefined);
  const { id } = await eventually(begun, 'a session, also on a busy machine');
  server.isRestored = true;
  server.disconnect();
  const isNew = async () => (await begun())?.isConnected && client.session.id !== id;
  await eventually(async () => (await isNew()) || undefined, 'a new session');
});
