/**
 * The same requests for a real API server and for the stand-in. What both answered is in kubernetes-exchange.json, recorded
 * from the real one: the stand-in is held to it in `npm test`, the real one in the long test.
 */
import type { KubernetesAnswer, KubernetesServer } from './kubernetes-server.ts';

export interface Exchange {
  readonly asked: string;
  readonly status: number;
  readonly body: unknown;
}

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
const OTHER_UID = '00000000-0000-4000-8000-000000000000';
const TIME = '2026-01-02T03:04:05.000006Z';

const SPEC = {
  holderIdentity: 'a',
  leaseDurationSeconds: 15,
  acquireTime: TIME,
  renewTime: TIME,
  leaseTransitions: 0,
};

const lease = (name: string, more: object = {}, spec: object = SPEC): object => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, ...more },
  spec,
});

export async function exchanges(server: KubernetesServer): Promise<readonly Exchange[]> {
  const made: Exchange[] = [];
  const shown = new Normal();
  const ask = async (
    method: string,
    path: string,
    body?: object,
    token = 'admin-token',
  ): Promise<KubernetesAnswer> => {
    const answer = await server.ask(method, path, body, token);
    const asked = `${method} ${path.replace(/resourceVersion=\d+/, 'resourceVersion=…')} as ${token}`;
    made.push({ asked, status: answer.status, body: shown.of(answer.body) });
    return answer;
  };
  const limited = 'limited-token';
  const at = (version: string, name = 'a', spec: object = SPEC): object =>
    lease(name, { resourceVersion: version }, spec);

  await ask('GET', `${LEASES}/a`);
  const { body: first } = await ask('POST', LEASES, lease('a'));
  await ask('POST', LEASES, lease('a'));
  await ask('POST', LEASES, lease('Not Allowed'));
  await ask('POST', LEASES.replace('default', 'nowhere'), lease('a'));
  await ask('GET', LEASES.replace('default', 'nowhere'));
  await ask('GET', `${LEASES}/a`);
  const version = first.metadata.resourceVersion;
  const released = { ...SPEC, holderIdentity: '', leaseDurationSeconds: 1 };
  const { body: second } = await ask('PUT', `${LEASES}/a`, at(version, 'a', released));
  await ask('PUT', `${LEASES}/a`, at(version));
  await ask('PUT', `${LEASES}/a`, second);
  const { uid } = first.metadata;
  await ask('PUT', `${LEASES}/b`, lease('b', { resourceVersion: version, uid }));
  // Without a uid, an update creates an object that does not exist.
  await ask('PUT', `${LEASES}/d`, at(version, 'd'));
  await ask('DELETE', `${LEASES}/d`, options({}));
  await ask(
    'PUT',
    `${LEASES}/a`,
    lease('a', { resourceVersion: second.metadata.resourceVersion, uid: OTHER_UID }),
  );
  await ask('POST', LEASES, lease('b', { labels: { 'hustings/kind': 'election' } }));
  await ask('GET', `${LEASES}?labelSelector=hustings%2Fkind%3Delection&limit=500`);
  await ask('GET', `${LEASES}?fieldSelector=metadata.name%3Da`);
  await ask('GET', `${LEASES}?watch=true&fieldSelector=metadata.name%3Da&timeoutSeconds=1`);
  await ask(
    'GET',
    `${LEASES}?watch=true&fieldSelector=metadata.name%3Da&timeoutSeconds=1&resourceVersion=${version}`,
  );
  await ask('DELETE', `${LEASES}/a`, options({ resourceVersion: version, uid }));
  await ask('DELETE', `${LEASES}/a`, options({ resourceVersion: version, uid: OTHER_UID }));
  await ask('DELETE', `${LEASES}/a`, options({ resourceVersion: second.metadata.resourceVersion }));
  await ask('DELETE', `${LEASES}/a`, options({ resourceVersion: version }));
  await ask('GET', `${LEASES}/b`, undefined, 'no-such-token');

  for (const [method, path, body] of [
    ['GET', `${LEASES}/b`],
    ['GET', LEASES],
    ['GET', `${LEASES}?watch=true`],
    ['GET', `${LEASES}?watch=true&fieldSelector=metadata.name%3Db`],
    ['POST', LEASES, lease('c')],
    ['PUT', `${LEASES}/b`, lease('b')],
    ['DELETE', `${LEASES}/b`],
  ] as const) {
    await ask(method, path, body, limited);
  }
  await grant(server, 'exchange', [{ verbs: ['get', 'watch'], resourceNames: ['b'] }]);
  await ask('GET', `${LEASES}/b`, undefined, limited);
  await ask('GET', `${LEASES}/c`, undefined, limited);
  await ask(
    'GET',
    `${LEASES}?watch=true&fieldSelector=metadata.name%3Db&timeoutSeconds=1`,
    undefined,
    limited,
  );
  await ask('GET', `${LEASES}?watch=true&timeoutSeconds=1`, undefined, limited);
  await revoke(server, 'exchange');
  await ask('DELETE', `${LEASES}/b`, options({}));
  // A namespace that does not exist has no Leases; only this tells it from an empty one.
  for (const name of ['default', 'nowhere']) {
    await ask('GET', `/api/v1/namespaces/${name}`);
    await ask('GET', `/api/v1/namespaces/${name}`, undefined, limited);
  }
  return made;
}

const PODS = '/api/v1/namespaces/default/pods';

export const pod = (name: string, labels?: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...(labels === undefined ? {} : { labels }) },
  spec: { containers: [{ name: 'app', image: 'app' }] },
});

/** Labels of pods: of each answer what a label needs. Recorded like the others. */
export async function podExchanges(server: KubernetesServer): Promise<readonly Exchange[]> {
  const made: Exchange[] = [];
  const ask = async (method: string, path: string, body?: object, token = 'admin-token'): Promise<void> => {
    const answer = await server.ask(method, path, body, token);
    const { kind, reason, message, metadata } = answer.body;
    const seen = kind === 'Status' ? { reason, message } : { labels: metadata.labels };
    made.push({
      asked: `${method} ${path} ${JSON.stringify(body)} as ${token}`,
      status: answer.status,
      body: seen,
    });
  };
  const labels = (value: object): object => ({ metadata: { labels: value } });
  const limited = 'limited-token';
  await ask('GET', `${PODS}/web-1`);
  await ask('PATCH', `${PODS}/web-1`, labels({ role: 'leader' }));
  await ask('POST', PODS, pod('web-0', { app: 'web' }));
  await ask('GET', `${PODS}/web-0`);
  await ask('PATCH', `${PODS}/web-0`, labels({ role: 'leader' }));
  await ask('PATCH', `${PODS}/web-0`, labels({ role: 'leader' }));
  await ask('PATCH', `${PODS}/web-0`, labels({ role: null }));
  await ask('PATCH', `${PODS}/web-0`, labels({ role: null, app: null }));
  await ask('GET', `${PODS}/web-0`);
  await ask('GET', `${PODS}/web-0`, undefined, limited);
  await ask('PATCH', `${PODS}/web-0`, labels({ role: 'leader' }), limited);
  await grant(server, 'pods', [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'patch'] }]);
  await ask('GET', `${PODS}/web-0`, undefined, limited);
  await ask('PATCH', `${PODS}/web-0`, labels({ role: 'leader' }), limited);
  await revoke(server, 'pods');
  return JSON.parse(JSON.stringify(made));
}

const options = (preconditions: object): object => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  preconditions,
});

interface Rights {
  /** Leases by default. */
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Gives the user `limited` rights on leases in the namespace `default`. Resolves when the server knows them. */
export async function grant(
  server: KubernetesServer,
  name: string,
  rights: readonly Rights[],
): Promise<void> {
  const rules = rights.map((each) => ({
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    ...each,
  }));
  await server.ask('POST', `${RBAC}/roles`, { metadata: { name }, rules });
  await server.ask('POST', `${RBAC}/rolebindings`, {
    metadata: { name },
    subjects: [{ kind: 'User', name: 'limited', apiGroup: 'rbac.authorization.k8s.io' }],
    roleRef: { kind: 'Role', name, apiGroup: 'rbac.authorization.k8s.io' },
  });
  await known(server, rights[0], true);
}

export async function revoke(server: KubernetesServer, name: string): Promise<void> {
  const { body } = await server.ask('GET', `${RBAC}/roles/${name}`);
  await server.ask('DELETE', `${RBAC}/rolebindings/${name}`);
  await server.ask('DELETE', `${RBAC}/roles/${name}`);
  if (body?.rules !== undefined) await known(server, body.rules[0], false);
}

/** A server learns of rights a moment later. */
async function known(server: KubernetesServer, rights: Rights, isAllowed: boolean): Promise<void> {
  const { verbs, resourceNames = [], apiGroups = ['coordination.k8s.io'], resources = ['leases'] } = rights;
  const resourceAttributes = {
    namespace: 'default',
    verb: verbs[0],
    group: apiGroups[0],
    resource: resources[0],
    ...(resourceNames.length === 0 ? {} : { name: resourceNames[0] }),
  };
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  };
  for (let tries = 0; tries < 200; tries++) {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const { body } = await server.ask('POST', path, review, 'limited-token');
    if ((body.status?.allowed === true) === isAllowed) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the server did not learn of the role');
}

/** Answers without what differs from run to run: versions become v1, v2, … in the order in which they occur. */
class Normal {
  readonly #versions: string[] = [];

  of(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map((each) => this.of(each));
    if (typeof value === 'object' && value !== null) {
      // The version of a list depends on what else the server keeps.
      const hidden = [
        'managedFields',
        'selfLink',
        // The finalizers of a namespace: nothing here depends on them.
        'finalizers',
        ...(key === 'metadata of a list' ? ['resourceVersion'] : []),
      ];
      const isList = (value as { kind?: unknown }).kind === 'LeaseList';
      const entries = Object.entries(value)
        .filter(([name]) => !hidden.includes(name))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(
        entries.map(([name, each]) => [
          name,
          this.of(each, isList && name === 'metadata' ? 'metadata of a list' : name),
        ]),
      );
    }
    if (typeof value !== 'string') return value;
    if (key === 'uid') return 'UID';
    if (key === 'creationTimestamp') return 'TIME';
    if (key === 'resourceVersion') return this.#version(value);
    if (key !== 'message') return value;
    return value
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/(?<=ResourceVersion in [a-z ]+ \()\d+/g, (text) => this.#version(text));
  }

  #version(text: string): string {
    if (!this.#versions.includes(text)) this.#versions.push(text);
    return `v${this.#versions.indexOf(text) + 1}`;
  }
}
