import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { expect, it } from 'vitest';
import { startKubernetesStandIn } from './kubernetes-server.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
/** Together more than sockets buffer. */
const CHANGES = 10;
const LARGE = 'x'.repeat(1_000_000);

it('the stand-in for Kubernetes goes on after it has ended the watch of a client that does not read', async () => {
  const server = await startKubernetesStandIn();
  try {
    const headers = { authorization: 'Bearer admin-token' };
    const watch = request({
      ...{ host: '127.0.0.1', port: server.port, ca: server.ca, headers, agent: false },
      path: `${LEASES}?watch=true`,
    }).end();
    watch.on('error', () => undefined);
    const [answer] = (await once(watch, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    answer.pause();
    const metadata = { name: 'large', annotations: { large: LARGE } };
    await server.ask('POST', LEASES, { metadata });
    for (let change = 0; change < CHANGES; change++) {
      const changed = { ...metadata, labels: { change: `${change}` } };
      await server.ask('PUT', `${LEASES}/large`, { metadata: changed });
    }
    for (let times = 0; times < 2; times++) await server.ask('POST', '/stand-in/compact?endsWatches=true');
    expect((await server.ask('GET', '/version')).status).toBe(200);
    watch.destroy();
  } finally {
    await server.stop();
  }
});
