/** Two hundred faults on a real API server, and the loss of the one that serves the holder. */
import { describe, expect, it } from 'vitest';
import {
  kubernetesPrograms,
  startKubernetes,
  startOneKubernetes,
} from '../../../../../test-kit/servers/kube-apiserver.ts';
import { createElector } from '../../../src/index.ts';
import { SERVER_FAULTS } from './fault.ts';
import { runFaults } from './fault-run.ts';
import { KUBERNETES_FAULTS } from './kubernetes-faults.ts';

const FLEETS = 2;
const FAULTS = 100;
const seed = Number(process.env.HUSTINGS_FAULT_SEED ?? Date.now() % 1_000_000);
const { folder, reason } = await kubernetesPrograms();
const title = `a real Kubernetes API server${reason === undefined ? '' : ` (${reason})`}`;

describe.skipIf(folder === undefined)(title, { concurrent: true }, () => {
  for (let fleet = 0; fleet < FLEETS; fleet++) {
    it(`goes through ${FAULTS} faults with fleet ${fleet}: one candidate leads at a time`, async () => {
      const server = await startOneKubernetes(folder!);
      try {
        const run = await runFaults({
          ...{ server, faults: FAULTS, seed: seed + fleet, ttlMs: 1_500 },
          fenceKey: 'a key for tests, of at least thirty-two bytes',
          url: () => server.url,
          storeFaults: [...SERVER_FAULTS, ...KUBERNETES_FAULTS],
        });
        const replay = `replay: HUSTINGS_FAULT_SEED=${seed} npm run test:long -- packages/hustings/test/lease/faults/kubernetes`;
        expect(run.wrongs, replay).toEqual([]);
        expect(run.staleWrites, 'too few stale writes prove nothing').toBeGreaterThanOrEqual(100);
        process.stdout.write(`faults on Kubernetes: ${JSON.stringify(run)}\n`);
      } finally {
        await server.stop();
      }
    }, 2_400_000);
  }

  it('that serves the holder may be lost: the holder goes on with the other one, in the same term', async () => {
    const { servers, stop } = await startKubernetes(folder!, 2);
    const [first, second] = servers;
    const elector = createElector({ store: first.urlOfAll(servers), name: 'survivor', ttlMs: 10_000 });
    try {
      const lead = await elector.acquire();
      const { token } = lead;
      await first.kill9();
      // Two TTLs later the term still lasts, so it was renewed on the other server.
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      expect(lead.isValid()).toBe(true);
      const { body } = await second.ask(
        'GET',
        '/apis/coordination.k8s.io/v1/namespaces/default/leases/survivor',
      );
      expect(body.metadata.annotations['hustings/token']).toBe(String(token));
      await first.restart();
      await second.kill9();
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      expect(lead.isValid()).toBe(true);
      await lead.release();
    } finally {
      await elector.close();
      await stop();
    }
  }, 300_000);
});
