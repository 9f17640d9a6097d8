import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { describeWith, startTcpProxy, startZookeeper } from '../../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../../base/src/hustings-error.ts';
import { ZookeeperClient } from '../../../../src/lease/stores/zookeeper/zookeeper-client.ts';
import { ZookeeperLeaseStore } from '../../../../src/lease/stores/zookeeper/zookeeper-lease-store.ts';
import { ZookeeperNodes } from '../../../../src/lease/stores/zookeeper/zookeeper-nodes.ts';
import type {
  NodeStat,
  ZookeeperRequest,
} from '../../../../src/lease/stores/zookeeper/zookeeper-protocol.ts';
import { ZookeeperServer } from '../../../../src/lease/stores/zookeeper/zookeeper-server.ts';
import { zookeeperSettings } from '../../../../src/lease/stores/zookeeper/zookeeper-settings.ts';
import { claim, claimOf, eventually, releaseOf, renew, win } from '../../contract/single-call.ts';
import { open, toEnd } from './open-zookeeper.ts';

describe('a URL of ZooKeeper', () => {
  it.each([
    ['zookeeper://u:s3cr3t@', 'no host'],
    ['zookeeper://u:s3cr3t@a,,b', 'an empty host'],
    ['zookeeper://u:s3cr3t@a:99999', 'no port'],
    ['zookeeper://u:s3cr3t@a?ca=s3cr3t', 'an unknown word'],
    ['zookeeper://u:s3cr3t@a?timeoutMs=soon', 'no number'],
    ['zookeeper://u:s3cr3t%@a', 'a bare percent sign'],
    ['zookeeper://s3cr3t@a', 'a user without a password'],
    ['zookeeper://u:s3cr3t@a/zookeeper/x', 'the nodes of ZooKeeper itself'],
    ['zookeeper://u:s3cr3t@a/x%00', 'a control character'],
    ['http://u:s3cr3t@a', 'another protocol'],
  ])('is refused as %s: %s, and the password is not quoted', async (url) => {
    const error = await ZookeeperLeaseStore.open(url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).not.toContain('s3cr3t');
  });

  it('may name several servers and a path, and is shown without the password', () => {
    expect(zookeeperSettings('zookeepers://me:s3cr%2Ft@a,b:1,[::1]:2/apps/jobs/')).toMatchObject({
      label: 'zookeepers://a,b:1,[::1]:2/apps/jobs/',
      servers: [
        { host: 'a', port: 2181 },
        { host: 'b', port: 1 },
        { host: '::1', port: 2 },
      ],
      digest: 'me:s3cr/t',
      prefix: '/apps/jobs',
    });
  });
});

await describeWith('zkServer.sh', 'ZooKeeper', async () => {
  const server = await startZookeeper();
  const client = new ZookeeperClient(zookeeperSettings(server.url));
  afterAll(async () => {
    await client.close(true);
    await server.stop();
  });
  const { requests } = client;
  /** Each test has nodes of its own. */
  let tests = 0;
  const fresh = () => {
    const path = `test${++tests}`;
    return { path, url: `${server.url}/${path}`, nodes: new ZookeeperNodes(`/${path}`) };
  };
  const stat = (path: string): Promise<NodeStat | null> =>
    client.ask(requests.exists(path)).catch(() => null);
  const vanishes = (path: string): Promise<unknown> =>
    eventually(async () => ((await stat(path)) === null ? true : undefined), `${path} is deleted`);
  const proxied = async () => {
    const proxy = await startTcpProxy(server.port);
    toEnd.push(() => proxy.close());
    return proxy;
  };

  it('does not take the end of a session as the end of a lease', async () => {
    const { url, path, nodes } = fresh();
    const proxy = await proxied();
    const a = await open(`zookeeper://127.0.0.1:${proxy.port}/${path}?sessionTimeoutMs=3000`);
    const b = await open(url);
    const token = await win(a, 'job', 'a', 2_000);
    proxy.set('cut');
    await vanishes(nodes.holder('job'));
    expect((await claim(b, 'job', 'b', 1_000)).type).toBe('held');
    proxy.set('pass');
    const ask = () => renew(a, 'job', 'a', token).catch(() => undefined);
    expect((await eventually(ask, 'a has a new session')).type).toBe('ok');
  });

  it('ties the lease to the session that renewed it last, and never to an earlier one', async () => {
    const { url, nodes } = fresh();
    const [a, b] = [await open(url), await open(url)];
    const token = await win(a, 'job', 'x', 1_000);
    const first = (await stat(nodes.holder('job')))!.ephemeralOwner;
    expect(first).not.toBe(0n);
    // The same candidate, by another connection.
    const again = { name: 'job', nonce: 'x-nonce', token, ttlMs: 1_000 };
    expect(await b.renew([again])).toMatchObject([{ type: 'ok' }]);
    const second = (await stat(nodes.holder('job')))!.ephemeralOwner;
    expect(second).not.toBe(first);
    expect(await a.renew([again])).toMatchObject([{ type: 'ok' }]);
    expect((await stat(nodes.holder('job')))!.ephemeralOwner).toBe(first);
  });

  it('leaves the session of a holder alone when its store is closed, and ends it otherwise', async () => {
    const { url, nodes } = fresh();
    const holder = await ZookeeperLeaseStore.open(`${url}?sessionTimeoutMs=5000`);
    await win(holder, 'job', 'a', 1_000);
    await holder.close();
    expect(await stat(nodes.holder('job'))).not.toBeNull();
    const watcher = await ZookeeperLeaseStore.open(url);
    watcher.watch!('idle', () => undefined);
    await eventually(async () => watcher.isPushing() || undefined, 'the watch stands');
    await watcher.close();
    expect(await client.ask(requests.children(nodes.queue('idle')))).toEqual([]);
  });

  it('does not write over a document that was deleted and created again', async () => {
    const { url } = fresh();
    const documents = new ZookeeperServer(zookeeperSettings(url));
    toEnd.push(() => documents.close());
    const write = async (text: string, revision: string | null) => {
      const rest = { effect: 'none', notifies: false, election: null } as const;
      return (await documents.write([{ key: 'job', text, revision, ...rest }]))[0].type;
    };
    expect(await write('1', null)).toBe('ok');
    const [read] = await documents.read(['job']);
    expect(await documents.remove('job', read!.revision)).toBe(true);
    expect(await write('2', null)).toBe('ok');
    // Both had the version 0.
    expect(await write('3', read!.revision)).toBe('conflict');
    expect(await documents.remove('job', read!.revision)).toBe(false);
    expect((await documents.read(['job']))[0]!.text).toBe('2');
  });

  it('grants a lease whose document was deleted, although the node of its holder is still there', async () => {
    const { url, nodes } = fresh();
    const [a, b] = [await open(url), await open(url)];
    const token = await win(a, 'job', 'a');
    const document = nodes.document('job');
    for (const child of await client.ask(requests.children(document))) {
      await client.ask(requests.delete(`${document}/${child}`));
    }
    await client.ask(requests.delete(document));
    const answer = await claim(b, 'job', 'b');
    expect(answer.type === 'ok' && answer.token > token).toBe(true);
    expect((await renew(a, 'job', 'a', token)).type).toBe('lost');
  });

  it('notifies one waiting process that a lease is free, and the next one only if the first does not acquire it', async () => {
    const { url } = fresh();
    const [holder, ...waiting] = await Promise.all(Array.from({ length: 4 }, () => open(url)));
    /** Who was notified of the release, with a first process in the queue that acquires the lease or only observes. */
    const notified = async (
      name: string,
      acquires: boolean,
    ): Promise<(atLeast: number) => Promise<number>> => {
      const token = await win(holder, name, 'h');
      const counted = new Set<ZookeeperLeaseStore>();
      for (const [index, store] of waiting.entries()) {
        const acquire = async () => void (await store.acquire([claimOf(name, 'w')]));
        store.watch!(name, () => {
          counted.add(store);
          if (acquires && index === 0) acquire().catch(() => undefined);
        });
        await eventually(async () => store.isPushing() || undefined, 'it has its place in the queue');
      }
      counted.clear();
      await holder.release([releaseOf(name, 'h', token)]);
      return (atLeast) =>
        eventually(
          async () => (counted.size >= atLeast ? counted.size : undefined),
          `${atLeast} are notified`,
        );
    };
    // On a busy machine the first one may be so slow that its turn ends.
    let round = 0;
    await eventually(async () => {
      const name = `job ${++round}`;
      const count = await notified(name, true);
      await eventually(
        async () => (await holder.read([name]))[0].holder?.id === 'w' || undefined,
        'the first one leads',
      );
      return (await count(1)) === 1 || undefined;
    }, 'no other one was notified');
    expect(await (await notified('observed', false))(3)).toBe(3);
  });

  it('notifies the last process of the queue too: the one before it has left, and the lease is free', async () => {
    const { url } = fresh();
    const [holder, first, last] = [await open(url), await open(url), await open(url)];
    const token = await win(holder, 'job', 'h');
    let isReleased = false;
    const unwatch = first.watch!('job', () => isReleased && unwatch());
    await eventually(async () => first.isPushing() || undefined, 'the first one has its place in the queue');
    let isNotified = false;
    last.watch!('job', () => {
      isNotified = true;
    });
    await eventually(async () => last.isPushing() || undefined, 'the last one has its place in the queue');
    isReleased = true;
    isNotified = false;
    await holder.release([releaseOf('job', 'h', token)]);
    await eventually(async () => isNotified || undefined, 'the last one is notified');
  });

  it('notifies a holder that is evicted, and a successor anywhere in the queue', async () => {
    const { url } = fresh();
    const [holder, first, second] = [await open(url), await open(url), await open(url)];
    const notified = new Set<string>();
    for (const [name, store] of Object.entries({ holder, first, second })) {
      store.watch!('job', () => notified.add(name));
      await eventually(async () => store.isPushing() || undefined, 'it has its place in the queue');
    }
    const token = await win(holder, 'job', 'h');
    await second.acquire([claimOf('job', 's', { registerMs: 60_000 })]);
    await eventually(async () => holder.isPushing() || undefined, 'the holder watches its node');
    notified.clear();
    expect(await first.requestTransfer('job', 's')).toBe('requested');
    await eventually(async () => notified.has('holder') || undefined, 'the holder is notified');
    notified.clear();
    await holder.release([releaseOf('job', 'h', token, { successor: 's', reserveMs: 60_000 })]);
    await eventually(async () => notified.has('second') || undefined, 'the successor is notified');
    expect((await claim(first, 'job', 'f')).type).toBe('held');
    await win(second, 'job', 's');
  });

  it('refuses a wrong password and missing rights, and works once the rights are given', async () => {
    const { path } = fresh();
    const at = (login: string): string => `zookeeper://${login}127.0.0.1:${server.port}/${path}`;
    const owner = await open(at('app:p%40ss%2Fword@'));
    const token = await win(owner, 'job', 'a');
    const stranger = await open(at(''));
    await expect(stranger.read(['job'])).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('give the user and the password'),
    });
    const wrong = await open(at('app:secret1@'));
    const error = await win(wrong, 'job', 'b').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'denied', message: expect.stringContaining('check the user') });
    expect(String(error)).not.toContain('secret1');
    await expect(renew(wrong, 'job', 'a', token)).rejects.toMatchObject({ kind: 'denied' });
    // The owner opens its nodes to everybody.
    const app = new ZookeeperClient(zookeeperSettings(at('app:p%40ss%2Fword@')));
    toEnd.push(() => app.close(true));
    const openAll = async (node: string): Promise<void> => {
      await app.ask(opened(node));
      for (const child of await app.ask(requests.children(node))) await openAll(`${node}/${child}`);
    };
    await openAll(`/${path}`);
    expect((await wrong.read(['job']))[0].holder?.id).toBe('a');
    expect((await renew(stranger, 'job', 'a', token)).type).toBe('ok');
  });

  it('says that a server does not answer, accepts no sessions or is none, and works when it is back', async () => {
    const { path } = fresh();
    const proxy = await proxied();
    const store = await open(`zookeeper://127.0.0.1:${proxy.port}/${path}?timeoutMs=500`);
    const token = await win(store, 'job', 'a');
    const isRenewed = async () =>
      (await renew(store, 'job', 'a', token).catch(() => null))?.type === 'ok' || undefined;
    for (const [mode, words] of [
      ['blackhole', 'no answer'],
      ['cut', 'a majority of its servers'],
    ] as const) {
      proxy.set(mode);
      await eventually(async () => {
        const error = await renew(store, 'job', 'a', token).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ kind: 'unreachable' });
        return String(error).includes(words) || undefined;
      }, `an error with "${words}"`);
      proxy.set('pass');
      await eventually(isRenewed, 'it is renewed again');
    }
    const other = createServer((_, answer) => answer.end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    toEnd.push(() => other.close());
    const { port } = other.address() as AddressInfo;
    const wrong = await open(`zookeeper://127.0.0.1:${port}?timeoutMs=500`);
    await expect(wrong.read(['job'])).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('goes on in the same term after the server was restarted', async () => {
    const { url, nodes } = fresh();
    const store = await open(`${url}?timeoutMs=500&sessionTimeoutMs=60000`);
    const token = await win(store, 'job', 'a', 1_000);
    const again = { name: 'job', nonce: 'a-nonce', token, ttlMs: 15_000 };
    const owner = (await stat(nodes.holder('job')))!.ephemeralOwner;
    await server.kill9();
    await eventually(async () => {
      const error = await store.read(['job']).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ kind: 'unreachable' });
      return String(error).includes('ECONNREFUSED') || undefined;
    }, 'the error says that nobody listens');
    await server.restart();
    const renewed = await eventually(() => store.renew([again]).catch(() => undefined), 'it is renewed');
    expect(renewed).toMatchObject([{ type: 'ok' }]);
    await eventually(async () => (await stat(nodes.holder('job'))) ?? undefined, 'the client is back');
    expect((await stat(nodes.holder('job')))!.ephemeralOwner).toBe(owner);
  });

  it('refuses a document that somebody else wrote, and reports a server that stands alone', async () => {
    const { url, nodes } = fresh();
    const store = await open(url);
    await store.init();
    await client.ask(requests.create(nodes.document('job'), 0));
    await expect(store.read(['job'])).rejects.toMatchObject({ kind: 'unusable' });
    const { server: program, warnings } = await store.probe();
    expect(program).toMatch(/^ZooKeeper 3\./);
    expect(warnings).toMatchObject([expect.stringContaining('standalone')]);
  });
});

/** Gives everybody all rights on a node. */
const opened = (path: string): ZookeeperRequest<unknown> => ({
  code: 7,
  encode: (writer) => writer.text(path).int(1).int(31).text('world').text('anyone').int(-1),
  decode: () => undefined,
});
