import { afterAll, beforeAll } from 'vitest';
import {
  type KubernetesServer,
  startKubernetesStandIn,
} from '../../../../../../test-kit/servers/kubernetes-server.ts';
import { storeContract } from '../../contract/store-contract.ts';
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
