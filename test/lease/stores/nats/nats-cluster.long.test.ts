import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { afterEach, expect, it } from 'vitest';
import { NatsLeaseStore } from '../../../../src/lease/stores/nats/nats-lease-store.ts';
import { claim, eventually, renew, win } from '../../contract/single-call.ts';
import { describeWith, startNatsCluster } from '../../servers/index.ts';

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

async function open(url: string): Promise<NatsLeaseStore> {
  const store = await NatsLeaseStore.open(url);
  toEnd.push(() => store.close());
  return store;
}

await describeWith('nats-server', 'NATS', () => {
  it('goes on with the two other servers of a bucket with three replicas', async () => {
    const servers = await startNatsCluster(3);
    for (const server of servers) toEnd.push(() => server.stop());
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const [a, b] = [await open(`nats://${hosts}?replicas=3`), await open(`nats://${hosts}?replicas=3`)];
    const token = await eventually(
      () => win(a, 'job', 'a', 60_000).catch(() => undefined),
      'the cluster has a leader',
    );
    expect((await a.probe()).warnings).toEqual([]);
    const connection = await connect({ servers: hosts.split(',') });
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
