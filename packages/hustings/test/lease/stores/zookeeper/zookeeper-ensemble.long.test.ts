import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { runToSuccess, startProcess } from '../../../../../../test-kit/limits/child-process.ts';
import {
  describeWith,
  startTcpProxy,
  startZookeeper,
  startZookeeperEnsemble,
  type TestServer,
  zookeeperStatus,
} from '../../../../../../test-kit/servers/index.ts';
import { ZookeeperLeaseStore } from '../../../../src/lease/stores/zookeeper/zookeeper-lease-store.ts';
import { eventually, releaseOf, renew, win } from '../../contract/single-call.ts';
import { duringCampaign, ELECTION, staleLines } from '../leading.ts';
import { open, toEnd } from './open-zookeeper.ts';

async function startThree(java: readonly string[] = []): Promise<readonly TestServer[]> {
  const servers = await startZookeeperEnsemble(3, { java });
  for (const server of servers) toEnd.push(() => server.stop());
  return servers;
}

const urlOf = (servers: readonly { readonly port: number }[]): string =>
  `zookeeper://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;

/** Whether this server leads the others. */
const leads = async ({ port }: TestServer): Promise<boolean> =>
  (await zookeeperStatus(port).catch(() => '')).includes('Mode: leader');

await describeWith('zkServer.sh', 'ZooKeeper', () => {
  it('keeps the leadership through the loss of the server that has the session of the leader, and of the one that leads the others', async () => {
    const servers = await startThree();
    const proxies = await Promise.all(servers.map(({ port }) => startTcpProxy(port)));
    for (const proxy of proxies) toEnd.push(() => proxy.close());
    const a = await open(urlOf(proxies));
    const b = await open(urlOf(servers));
    const token = await win(a, 'job', 'a', 15_000);
    const again = { name: 'job', nonce: 'a-nonce', token, ttlMs: 15_000 };
    for (const kind of ['of the session', 'that leads'] as const) {
      const lost =
        kind === 'that leads'
          ? servers[(await Promise.all(servers.map(leads))).indexOf(true)]
          : servers[proxies.findIndex(({ openConnections }) => openConnections > 0)];
      const lostAtMs = performance.now();
      await lost.kill9();
      const renewed = await eventually(
        () => a.renew([again]).catch(() => undefined),
        `it is renewed after the loss of the server ${kind}`,
      );
      expect(renewed).toMatchObject([{ type: 'ok' }]);
      const afterMs = Math.round(performance.now() - lostAtMs);
      expect(afterMs).toBeLessThan(15_000);
      process.stdout.write(`ZooKeeper: renewed ${afterMs} ms after the loss of the server ${kind}\n`);
      expect(
        (await eventually(() => b.read(['job']).catch(() => undefined), 'b is answered'))[0],
      ).toMatchObject({
        token,
        holder: { id: 'a' },
      });
      await lost.restart();
    }
    expect((await b.probe()).warnings).toEqual([]);
    expect((await (await open(servers[0].url)).probe()).warnings.join()).toContain('one of several servers');
    await a.release([releaseOf('job', 'a', token)]);
    expect((await win(b, 'job', 'b')) > token).toBe(true);
  }, 300_000);

  it('elects one leader at a time while each server is lost once', async () => {
    const servers = await startThree();
    const stores = await Promise.all(
      Array.from({ length: 3 }, () => ZookeeperLeaseStore.open(`${urlOf(servers)}?timeoutMs=1000`)),
    );
    const lines = await duringCampaign(stores, 4_000, async ({ writes }) => {
      await writes();
      for (const server of servers) {
        await server.kill9();
        await writes();
        await server.restart();
        await writes();
      }
    });
    expect(staleLines(lines)).toEqual([]);
    const reader = await open(urlOf(servers));
    expect((await reader.history(ELECTION)).length).toBeGreaterThan(0);
  }, 300_000);

  it('says that there is no majority, also of a server that is read-only then, and works when it is back', async () => {
    const servers = await startThree(['-Dreadonlymode.enabled=true']);
    const store = await open(`${urlOf(servers)}?timeoutMs=1000`);
    const token = await win(store, 'job', 'a');
    await servers[0].kill9();
    await servers[1].kill9();
    const { port } = servers[2];
    await eventually(
      async () => (await zookeeperStatus(port).catch(() => '')).includes('Mode: read-only') || undefined,
      'the last server is read-only',
    );
    const alone = await open(`${servers[2].url}?timeoutMs=1000`);
    await expect(alone.read(['job'])).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('a majority of its servers'),
    });
    await expect(renew(store, 'job', 'a', token)).rejects.toMatchObject({ kind: 'unreachable' });
    await Promise.all([servers[0].restart(), servers[1].restart()]);
    const isRenewed = async () =>
      (await renew(store, 'job', 'a', token).catch(() => null))?.type === 'ok' || undefined;
    await eventually(isRenewed, 'the majority is back');
    const read = await eventually(() => alone.read(['job']).catch(() => undefined), 'the other one too');
    expect(read[0]).toMatchObject({ token, holder: { id: 'a' } });
  }, 300_000);

  it('replaces a leader that was stopped until its session expired; it learns that, and leads again later', async () => {
    const server = await startZookeeper();
    toEnd.push(() => server.stop());
    const url = `${server.url}?sessionTimeoutMs=3000`;
    const script = `import { createElector } from 'hustings';
      const elector = createElector({ store: ${JSON.stringify(url)}, name: 'job', id: 'child', ttlMs: 2000, processProof: '' });
      await elector.campaign(async (lead) => {
        console.log('leads ' + lead.token);
        await new Promise((resolve) => lead.signal.addEventListener('abort', resolve));
        console.log('lost');
      });`;
    const child = startProcess(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    toEnd.push(async () => {
      child.kill('SIGKILL');
      await exited;
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const says = (count: number, word: string): Promise<string> =>
      eventually(
        async () => (lines[count - 1]?.startsWith(word) ? lines[count - 1] : undefined),
        `the child says ${word}`,
      );
    const first = BigInt((await says(1, 'leads')).split(' ')[1]);
    const store = await open(url);
    child.kill('SIGSTOP');
    // Nobody observes the record: only the end of the session can free the lease.
    const token = await eventually(() => win(store, 'job', 'b', 2_000).catch(() => undefined), 'b leads');
    expect(token > first).toBe(true);
    child.kill('SIGCONT');
    await says(2, 'lost');
    await store.release([releaseOf('job', 'b', token)]);
    expect(BigInt((await says(3, 'leads')).split(' ')[1]) > token).toBe(true);
  }, 120_000);

  it('speaks TLS, and refuses a server that it cannot trust', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hustings-zookeeper-'));
    toEnd.push(() => rmSync(folder, { recursive: true }));
    const [key, cert, store] = ['key.pem', 'cert.pem', 'store.p12'].map((file) => join(folder, file));
    const run = (...args: string[]) => runToSuccess('openssl', args, { stdio: 'ignore' });
    run(
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
    );
    run('pkcs12', '-export', '-inkey', key, '-in', cert, '-out', store, '-passout', 'pass:changeit');
    const server = await startZookeeper({ tls: { store, password: 'changeit' } });
    toEnd.push(() => server.stop());
    // The first handshake of a Java run-time takes its time.
    const distrusting = await open(server.url, { timeoutMs: 20_000 });
    await expect(distrusting.read(['job'])).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('give its CA'),
    });
    const trusting = await open(server.url, { tls: { ca: readFileSync(cert) }, timeoutMs: 20_000 });
    await win(trusting, 'job', 'a');
    // A client that speaks plain text.
    const plain = await open(`${server.url.replace('zookeepers', 'zookeeper')}?timeoutMs=1000`);
    await expect(plain.read(['job'])).rejects.toMatchObject({ kind: 'unreachable' });
  }, 120_000);
});
