import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchanges, podExchanges } from '../../../../../../test-kit/servers/kubernetes-exchange.ts';
import {
  type KubernetesServer,
  startKubernetesStandIn,
} from '../../../../../../test-kit/servers/kubernetes-server.ts';
import { kubernetesBehaviour } from './kubernetes-behaviour.ts';

let server: KubernetesServer;

beforeAll(async () => {
  server = await startKubernetesStandIn();
}, 60_000);
afterAll(() => server?.stop());

it('the stand-in answers as a real API server answered', async () => {
  const recorded = new URL('../../../../../../test-kit/servers/kubernetes-exchange.json', import.meta.url);
  expect(await exchanges(server)).toEqual(JSON.parse(readFileSync(recorded, 'utf8')));
  const pods = new URL('../../../../../../test-kit/servers/kubernetes-pods.json', import.meta.url);
  expect(await podExchanges(server)).toEqual(JSON.parse(readFileSync(pods, 'utf8')));
});

kubernetesBehaviour('the stand-in', () => server);
