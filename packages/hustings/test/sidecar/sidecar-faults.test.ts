import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type KubernetesServer,
  startKubernetesStandIn,
} from '../../../../test-kit/servers/kubernetes-server.ts';
import { until } from '../../../../test-kit/until.ts';
import { WORKERS } from './replicas.ts';
import { expectOrder, type Pair, runFault, settle, startPair } from './sidecar-faults.ts';

// They wait most of the time. sidecar-faults.long.test.ts has all faults, in a random order.
describe.concurrent('of two replicas', () => {
  let folder: string;
  let pair: Pair;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hustings-sidecar-'));
    pair = await startPair({ folder }, [WORKERS.python, WORKERS.bash]);
  });
  afterAll(() => {
    pair?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the other leads after a fault, and not before the lease has run out; at once if the service releases', async () => {
    await runFault(pair, 'the service is stopped, its connections open');
    await runFault(pair, 'the sidecar is killed');
    await settle(pair);
    // Told to stop, the sidecar tells the service, which stops its work and releases.
    const { leader, resource } = pair;
    const { token } = resource;
    leader.sidecar.kill('SIGTERM');
    await until(() => leader.sidecar.exitCode !== null);
    expect(leader.sidecar.exitCode).toBe(0);
    await resource.newerThan(token);
    expect(leader.log).toContain('ended: released');
    expectOrder(resource);
  });
});

describe.concurrent('a store that is down', () => {
  let server: KubernetesServer;
  let pair: Pair | undefined;
  beforeAll(async () => {
    server = await startKubernetesStandIn();
  });
  afterAll(async () => {
    pair?.end();
    await server?.stop();
  });

  it('ends the lead in time, is told by 503 and never by an old leader, and one leads when it is back', async () => {
    pair = await startPair({ store: server.url }, [WORKERS.python, WORKERS.python]);
    const { leader, other, resource } = pair;
    const { token } = resource;
    await server.kill9();
    await until(() => leader.log.includes('lost:'));
    expect(await leader.isLeading()).toBe(false);
    const writes = resource.accepted.length;
    for (const replica of [leader, other]) {
      const view = await replica.leader();
      expect([view.status, view.body]).toMatchObject([503, { type: 'unknown', leads: false }]);
      expect(view.body.error).not.toContain('admin-token');
    }
    expect(resource.accepted.length).toBe(writes);
    expect([leader.sidecar.exitCode, other.sidecar.exitCode]).toEqual([null, null]);
    await server.restart();
    await resource.newerThan(token);
    expectOrder(resource);
  });
});
