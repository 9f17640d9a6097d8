/** The store on a real API server, and the stand-in held to its answers. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectKept } from '../../../../../../test-kit/golden/golden.ts';
import { kubernetesPrograms, startOneKubernetes } from '../../../../../../test-kit/servers/kube-apiserver.ts';
import { exchanges, podExchanges } from '../../../../../../test-kit/servers/kubernetes-exchange.ts';
import type { KubernetesServer } from '../../../../../../test-kit/servers/kubernetes-server.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { kubernetesBehaviour } from './kubernetes-behaviour.ts';
import { kubernetesUnderTest } from './kubernetes-contract.ts';

const { folder, reason } = await kubernetesPrograms();

describe.skipIf(folder === undefined)(
  `a real API server${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    let server: KubernetesServer;
    beforeAll(async () => {
      server = await startOneKubernetes(folder!);
    }, 120_000);
    afterAll(() => server?.stop());

    it('answers as recorded, which the stand-in is held to', async () => {
      const recorded = new URL(
        '../../../../../../test-kit/servers/kubernetes-exchange.json',
        import.meta.url,
      );
      expectKept(recorded, `${JSON.stringify(await exchanges(server), null, 2)}\n`);
      const pods = new URL('../../../../../../test-kit/servers/kubernetes-pods.json', import.meta.url);
      expectKept(pods, `${JSON.stringify(await podExchanges(server), null, 2)}\n`);
    });

    kubernetesBehaviour('a real API server', () => server);

    storeContract(
      'Kubernetes, a real API server',
      kubernetesUnderTest(() => server, 20),
    );
  },
);
