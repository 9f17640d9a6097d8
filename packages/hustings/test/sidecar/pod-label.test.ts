import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grant, pod, revoke } from '../../../../test-kit/servers/kubernetes-exchange.ts';
import {
  type KubernetesServer,
  startKubernetesStandIn,
} from '../../../../test-kit/servers/kubernetes-server.ts';
import { until } from '../../../../test-kit/until.ts';
import { PodLabel } from '../../src/sidecar/pod-label.ts';
import type { Sidecar } from '../../src/sidecar/sidecar.ts';
import { openStream, post, start } from './sidecar-client.ts';

const PODS = '/api/v1/namespaces/default/pods';
let server: KubernetesServer;
beforeAll(async () => {
  server = await startKubernetesStandIn();
});
afterAll(() => server?.stop());

const labelsOf = async (name: string): Promise<Record<string, string>> =>
  (await server.ask('GET', `${PODS}/${name}`)).body.metadata.labels ?? {};

/** A replica in the pod of this name. */
function replica(
  name: string,
  storeUrl: string,
  context = 'admin',
  warnings: string[] = [],
): Promise<Sidecar> {
  const podLabel = { label: 'role=leader', pod: name, url: server.urlFor(context) };
  const log = ({ message }: { message: string }): void => void warnings.push(message);
  return start({ storeUrl, id: name, podLabel, log, stopGraceMs: 2_000 });
}

const lead = async (sidecar: Sidecar) => {
  const stream = openStream(sidecar, { proof: 'stream' });
  await until(() => stream.news.some(({ type }) => type === 'elected'));
  const [first] = stream.news;
  return { stream, campaign: first.type === 'campaign' ? first.campaign : '' };
};

describe('the label of the pod', () => {
  it('follows the lead, also if the service shows no life, and other labels stay', async () => {
    await server.ask('POST', PODS, pod('web-0', { app: 'web' }));
    // A sidecar that was killed left its label behind.
    await server.ask('POST', PODS, pod('web-1', { app: 'web', role: 'leader' }));
    const storeUrl = 'memory:pod-label';
    const [a, b] = await Promise.all([replica('web-0', storeUrl), replica('web-1', storeUrl)]);
    await until(async () => (await labelsOf('web-1')).role === undefined);
    const first = await lead(a);
    await until(async () => (await labelsOf('web-0')).role === 'leader');
    expect(await labelsOf('web-0')).toEqual({ app: 'web', role: 'leader' });
    first.stream.close();
    await until(async () => (await labelsOf('web-0')).role === undefined);
    const second = await lead(b);
    await until(async () => (await labelsOf('web-1')).role === 'leader');
    await post(b, '/release', { campaign: second.campaign });
    await until(async () => (await labelsOf('web-1')).role === undefined);
    const third = await lead(a);
    await until(async () => (await labelsOf('web-0')).role === 'leader');
    const closed = a.close();
    await until(() => third.stream.news.some(({ type }) => type === 'stopping'));
    await post(a, '/release', { campaign: third.campaign });
    await closed;
    expect(await labelsOf('web-0')).toEqual({ app: 'web' });
    await b.close();
  });

  it('is set once the role allows it, and the message has the rule that is missing', async () => {
    await server.ask('POST', PODS, pod('web-2'));
    const warnings: string[] = [];
    const sidecar = await replica('web-2', 'memory:pod-rights', 'limited', warnings);
    const { stream } = await lead(sidecar);
    await until(() => warnings.some((text) => text.includes('pods')));
    const told = warnings.filter((text) => text.includes('pods'));
    expect(told).toEqual([
      'hustings: the label of the pod web-2 cannot be set ("get": pods "web-2" is forbidden: User "limited" cannot get ' +
        'resource "pods" in API group "" in the namespace "default"); add to a Role of its namespace, and bind it: ' +
        '{apiGroups: [""], resources: [pods], verbs: [get, patch]}',
    ]);
    // One of two rights is missing.
    const reads = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
    await grant(server, 'read', [reads]);
    await until(() => warnings.some((text) => text.includes('("patch": ')));
    await revoke(server, 'read');
    // Exactly these rights suffice.
    const rights = {
      apiGroups: [''],
      resources: ['pods'],
      resourceNames: ['web-2'],
      verbs: ['get', 'patch'],
    };
    await grant(server, 'label', [rights]);
    await until(async () => (await labelsOf('web-2')).role === 'leader');
    stream.close();
    await until(async () => (await labelsOf('web-2')).role === undefined);
    await sidecar.close();
    await revoke(server, 'label');
  });

  it('that somebody else changes is corrected', async () => {
    await server.ask('POST', PODS, pod('web-3'));
    const url = server.urlFor('admin');
    const label = new PodLabel({
      label: 'example.com/role=leader',
      pod: 'web-3',
      url,
      warn: () => {},
      everyMs: 50,
    });
    label.elected();
    const role = async (): Promise<string | undefined> => (await labelsOf('web-3'))['example.com/role'];
    await until(async () => (await role()) === 'leader');
    await server.ask('PATCH', `${PODS}/web-3`, { metadata: { labels: { 'example.com/role': null } } });
    await until(async () => (await role()) === 'leader');
    await label.close(5_000);
    expect(await role()).toBeUndefined();
  });

  it.each([
    'role',
    '=leader',
    'role=',
    'role=a=b',
    'Role Of=leader',
    'role=le ader',
    `role=${'x'.repeat(64)}`,
  ])('is refused as %j', async (label) => {
    const podLabel = { label, pod: 'web-0', url: server.urlFor('admin') };
    await expect(start({ podLabel })).rejects.toThrow(/the label must be KEY=VALUE, such as role=leader/);
  });

  it('needs exactly one election', async () => {
    const podLabel = { label: 'role=leader', pod: 'web-0', url: server.urlFor('admin') };
    await expect(start({ podLabel, names: ['a', 'b'] })).rejects.toThrow(/exactly one election/);
  });
});
