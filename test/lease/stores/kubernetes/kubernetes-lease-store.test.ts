import { afterAll, beforeAll } from 'vitest';
import { storeContract } from '../../contract/store-contract.ts';
import { type KubernetesServer, startKubernetesStandIn } from '../../servers/kubernetes-server.ts';
import { kubernetesUnderTest } from './kubernetes-contract.ts';

let server: KubernetesServer;

beforeAll(async () => {
  server = await startKubernetesStandIn();
}, 60_000);
afterAll(() => server?.stop());

storeContract(
  'Kubernetes',
  kubernetesUnderTest(() => server, 5),
);
