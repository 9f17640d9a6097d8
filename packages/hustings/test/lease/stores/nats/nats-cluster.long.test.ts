import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { afterEach, expect, it } from 'vitest';
import { describeWith, startNatsCluster } from '../../../../../../test-kit/servers/index.ts';
import { comparesEarly } from '../../../../src/lease/stores/nats/nats-connection.ts';
import { NatsLeaseStore } from '../../../../src/lease/stores/nats/nats-lease-store.ts';
import { claim, claimOf, eventually, releaseOf, renew, win } from '../../contract/single-call.ts';

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

async function open(url: string): Promise<NatsLeaseStore> {
  const store = await NatsLeaseStore.open(url, { waitAfterCreation: false });
  toEnd.push(() => store.close());
  return store;
}

const RACES = 100;

await describeWith('nats-server', 'NATS', () => {
  const start = async () => {
    const servers = await startNatsCluster(3);
    for (const server of servers) toEnd.push(() => server.stop());
    return { servers, hosts: servers.map(({ port }) => `127.0.0.1:${port}`) };
  };

  it('grants a free lease to one of several candidates that ask at once, and a term has one token', async () => {
    const { hosts } = await start();
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => open(`nats://${hosts.join(',')}?replicas=3`)),
    );
    for (const store of stores) {
      await eventually(() => store.read(['job']).catch(() => undefined), 'the cluster has a leader');
    }
    const tokens: bigint[] = [];
    for (let race = 0; race < RACES; race++) {
      const answers = await Promise.all(
        stores.map((store, index) => store.acquire([claimOf('job', `c${index}`)])),
      );
      const winners = answers.flatMap(([answer], index) =>
        answer.type === 'ok' ? [{ index, token: answer.token }] : [],
      );
      expect(winners).toHaveLength(1);
      const [{ index, token }] = winners;
      tokens.push(token);
      await stores[index].release([releaseOf('job', `c${index}`, token)]);
    }
    expect(new Set(tokens).size).toBe(RACES);
  }, 120_000);

  it('would grant it to several without the ids of its writes, if the server compares too early', async () => {
    const { hosts } = await start();
    const connections = await Promise.all(hosts.map((servers) => connect({ servers })));
    for (const connection of connections) toEnd.push(() => connection.close());
    const created = () => new Kvm(connections[0]).create('raw', { replicas: 3, allow_direct: false });
    const bucket = await eventually(() => created().catch(() => undefined), 'the cluster has a leader');
    const buckets = await Promise.all(connections.map((connection) => new Kvm(connection).open('raw')));
    let several = 0;
    let revision = await bucket.put('key', 'first');
    for (let race = 0; race < RACES; race++) {
      const answers = await Promise.all(
        buckets.map((each) => each.update('key', `${race}`, revision).catch(() => null)),
      );
      if (answers.filter((answer) => answer !== null).length > 1) several += 1;
      ({ revision } = (await bucket.get('key'))!);
    }
    const { version } = connections[0].info!;
    process.stdout.write(`NATS ${version}: ${several} of ${RACES} revisions were replaced several times\n`);
    expect(several > 0).toBe(comparesEarly(version));
  }, 120_000);

  it('goes on with the two other servers of a bucket with three replicas', async () => {
    const { servers, hosts } = await start();
    const url = `nats://${hosts.join(',')}?replicas=3`;
    const [a, b] = [await open(url), await open(url)];
    const token = await eventually(
      () => win(a, 'job', 'a', 60_000).catch(() => undefined),
      'the cluster has a leader',
    );
    const { server, problems, warnings } = await a.probe();
    expect(warnings).toEqual([]);
    expect(problems.join().includes('use NATS 2.9.21 or later')).toBe(
      comparesEarly(server.replace('NATS ', '')),
    );
    const connection = await connect({ servers: hosts });
    toEnd.push(() => connection.close());
    const { streamInfo } = await (await new Kvm(connection).open('hustings')).status();
    // The leader of the bucket.
    const leader = servers[Number(streamInfo.cluster!.leader!.slice(1)) - 1];
    await leader.kill9();
    const renewed = await eventually(
      () => renew(a, 'job', 'a', token).catch(() => undefined),
      'another server leads the bucket',
    );
    expect(renewed.type).toBe('ok');
    const held = await eventually(() => claim(b, 'job', 'b').catch(() => undefined), 'b is answered');
    expect(held).toMatchObject({ type: 'held', record: { token, holder: { id: 'a' } } });
  }, 120_000);
});
