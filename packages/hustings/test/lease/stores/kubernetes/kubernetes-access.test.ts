/** Credentials and what goes wrong with them: each error says what to do, and the store recovers by itself. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grant } from '../../../../../../test-kit/servers/kubernetes-exchange.ts';
import {
  type KubernetesServer,
  kubeconfig,
  startKubernetesStandIn,
  writeCertificate,
} from '../../../../../../test-kit/servers/kubernetes-server.ts';
import { startTcpProxy } from '../../../../../../test-kit/servers/tcp-proxy.ts';
import { InputError } from '../../../../../base/src/hustings-error.ts';
import type { LeaseStore } from '../../../../src/lease/lease-store.ts';
import { AccessSource } from '../../../../src/lease/stores/kubernetes/access-source.ts';
import { parseBlockYaml } from '../../../../src/lease/stores/kubernetes/block-yaml.ts';
import { readKubeconfig } from '../../../../src/lease/stores/kubernetes/kubeconfig.ts';
import {
  KubernetesLeaseStore,
  type KubernetesStoreOptions,
} from '../../../../src/lease/stores/kubernetes/kubernetes-lease-store.ts';
import { kubernetesSettings } from '../../../../src/lease/stores/kubernetes/kubernetes-settings.ts';
import { objectName } from '../../../../src/lease/stores/kubernetes/object-name.ts';
import { parseStoreUrl } from '../../../../src/lease/stores/registry.ts';
import { claimOf } from '../../contract/single-call.ts';

const LONG = { ttlMs: 60_000 };
let server: KubernetesServer;
let folder: string;

beforeAll(async () => {
  server = await startKubernetesStandIn();
  await grant(server, 'all', [{ verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'] }]);
  folder = mkdtempSync(join(tmpdir(), 'hustings-kubernetes-'));
}, 60_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function withStore(
  url: string,
  act: (store: LeaseStore) => Promise<unknown>,
  options: KubernetesStoreOptions = {},
): Promise<void> {
  const store = await KubernetesLeaseStore.open(url, options);
  try {
    await act(store);
  } finally {
    await store.close();
  }
}

const claim = (store: LeaseStore, name: string) => store.acquire([claimOf(name, 'a', LONG)]);

describe('a URL of Kubernetes', () => {
  it.each([
    ['kubernetes:a/b', 'cannot be parsed'],
    ['kubernetes:Jobs', 'the namespace must have up to 63'],
    ['kubernetes://u:s3cr3t@host/jobs', 'must not have a user or a password'],
    ['kubernetes://host:99999/jobs', 'must be a host with an optional port'],
    ['kubernetes:jobs?token=s3cr3t', 'can only have context, kubeconfig'],
    ['kubernetes:jobs?timeoutMs=soon', 'timeoutMs must be a whole number'],
  ])('is refused as %s: %s', async (url, reason) => {
    const error = await KubernetesLeaseStore.open(url).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).toContain(reason);
    expect(inspect(error)).not.toContain('s3cr3t');
    expect(parseStoreUrl(url).label).not.toContain('s3cr3t');
  });

  it('names a namespace, a context, and several servers', () => {
    expect(kubernetesSettings('kubernetes:', {}, { HOME: '/h' })).toMatchObject({
      ...{ namespace: '', hosts: [], kubeconfig: undefined, usualKubeconfig: ['/h/.kube/config'] },
    });
    expect(kubernetesSettings('kubernetes:jobs?context=a%2Fb', {}, { KUBECONFIG: '/x:/y' })).toMatchObject({
      ...{ namespace: 'jobs', context: 'a/b', kubeconfig: ['/x', '/y'], label: 'kubernetes:jobs' },
    });
    const listed = kubernetesSettings('kubernetes://a:6443,b,[::1]:1/jobs?kubeconfig=f');
    expect(listed.hosts).toEqual(['a:6443', 'b', '[::1]:1']);
    expect(listed.label).toBe('kubernetes://a:6443,b,[::1]:1/jobs');
  });
});

describe('the name of the object of an election', () => {
  it('is the name of the election if Kubernetes allows it', () => {
    for (const name of ['billing-cron', 'a.b', 'x-hustings', '0']) expect(objectName(name)).toBe(name);
  });

  it('is allowed and different for every other name', () => {
    const names = [
      'Billing',
      'billing cron',
      'billing_cron',
      'a..b',
      '-a',
      'é',
      '日本',
      'x-hustings-settings',
      '.',
    ];
    const objects = [...names, `${'x'.repeat(199)}Y`].map(objectName);
    for (const object of objects) {
      expect(object).toMatch(/^x-hustings-([a-z0-9-]*[a-z0-9]-)?[0-9a-f]{40}$/);
      expect(object.length).toBeLessThanOrEqual(253);
    }
    expect(new Set(objects).size).toBe(objects.length);
  });
});

describe('kubeconfig files', () => {
  it('are read as kubectl writes them', () => {
    const text =
      `# comment\napiVersion: v1\nclusters:\n- cluster:\n    server: https://h:1 # here\n  name: "a\\u0062"\n` +
      `empty: {}\nlist:\n  - one\n  - 'it''s'\nnested:\n  key: |\n    line 1\n     line 2\n\n  other: ~\n`;
    expect(parseBlockYaml(text)).toEqual({
      apiVersion: 'v1',
      clusters: [{ cluster: { server: 'https://h:1' }, name: 'ab' }],
      empty: {},
      list: ['one', "it's"],
      nested: { key: 'line 1\n line 2\n', other: null },
    });
    expect(parseBlockYaml('{"a": [1]}')).toEqual({ a: [1] });
    for (const wrong of ['a: &x 1\nb: *x', 'a\n', 'a: 1\n   b: 2', 'a: [1'])
      expect(() => parseBlockYaml(wrong)).toThrow(SyntaxError);
  });

  const write = (text: string): string => {
    const file = join(folder, `config-${Math.random()}`);
    writeFileSync(file, text);
    return file;
  };
  const config = (cluster: string, user: string): string =>
    `clusters:\n- name: c\n  cluster:\n${cluster}users:\n- name: u\n  user:\n${user}` +
    'contexts:\n- name: x\n  context:\n    cluster: c\n    user: u\n    namespace: jobs\ncurrent-context: x\n';

  it('give the server, the CA, and the login by token, file or certificate', async () => {
    writeFileSync(join(folder, 'ca.pem'), 'CA');
    const data = Buffer.from('CERT').toString('base64');
    const file = write(
      config(
        '    server: https://h:1/k8s\n    certificate-authority: ca.pem\n    tls-server-name: other\n',
        `    client-certificate-data: ${data}\n    client-key: ca.pem\n    tokenFile: ca.pem\n`,
      ),
    );
    expect(await readKubeconfig(['/nowhere/config', file], undefined)).toEqual({
      source: `the context x of /nowhere/config, ${file}`,
      namespace: 'jobs',
      server: new URL('https://h:1/k8s'),
      token: 'CA',
      tls: { ca: 'CA', cert: 'CERT', key: 'CA', servername: 'other' },
    });
  });

  it.each([
    ['exec', '    exec:\n      command: aws\n', /logs in with "exec", which this store does not support/],
    [
      'auth-provider',
      '    auth-provider:\n      name: gcp\n',
      /use a user with a token or a client certificate/,
    ],
    ['a missing key', '    client-key: none.pem\n', /none\.pem, cannot be read \(ENOENT\)/],
  ])('are refused with %s', async (_, user, reason) => {
    const file = write(config('    server: https://h\n', user));
    await expect(readKubeconfig([file], undefined)).rejects.toThrow(reason);
  });

  it('are refused without the file, the context, or the server', async () => {
    await expect(readKubeconfig(['/nowhere/config'], undefined)).rejects.toThrow(/ENOENT.*set KUBECONFIG/);
    const file = write(config('    other: 1\n', '    token: t\n'));
    await expect(readKubeconfig([file], 'y')).rejects.toThrow(/has no context y; it has x/);
    await expect(readKubeconfig([file], 'x')).rejects.toThrow(/has no server address/);
    await expect(readKubeconfig([write('a: &b 1')], 'x')).rejects.toThrow(/cannot be parsed \(line 1/);
  });
});

describe('the service account of a pod', () => {
  const account = (token: string): { readonly place: string; readonly set: (token: string) => void } => {
    const place = mkdtempSync(join(folder, 'account-'));
    const set = (text: string): void => writeFileSync(join(place, 'token'), `${text}\n`);
    writeFileSync(join(place, 'ca.crt'), readFileSync(join(server.folder, 'cert.pem')));
    writeFileSync(join(place, 'namespace'), 'default');
    set(token);
    return { place, set };
  };

  it('is used if there is one, with the address in the environment', async () => {
    const { place } = account('t');
    const settings = kubernetesSettings('kubernetes:', { serviceAccount: place }, {});
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
    const access = await new AccessSource(settings, env).current();
    expect(access).toMatchObject({ namespace: 'default', token: 't' });
    expect(access.server.href).toBe('https://[fd00::1]:6443/');
    await expect(new AccessSource(settings, {}).current()).rejects.toThrow(
      /KUBERNETES_SERVICE_HOST is not set/,
    );
  });

  it('may get a new token while the store is open, also after the old one has expired', async () => {
    const { place, set } = account('first');
    const url = `kubernetes://127.0.0.1:${server.port}/`;
    await server.ask('POST', '/stand-in/token?value=first');
    try {
      await withStore(
        url,
        async (store) => {
          expect((await claim(store, 'rotated'))[0].type).toBe('ok');
          await server.ask('POST', '/stand-in/token?value=second');
          const error = await claim(store, 'rotated').catch((reason: unknown) => reason);
          expect(error).toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
          expect(String(error)).toMatch(
            /refuses the token or certificate of the service account in .*; renew it/,
          );
          expect(inspect(error)).not.toContain('Bearer');
          set('second');
          expect((await claim(store, 'rotated'))[0].type).toBe('ok');
        },
        { serviceAccount: place },
      );
    } finally {
      await server.ask('POST', '/stand-in/token?value=limited-token');
    }
  });
});

describe('a server of Kubernetes that', () => {
  it('has another CA is not trusted, until the right one is in the file', async () => {
    const other = mkdtempSync(join(folder, 'ca-'));
    writeCertificate(other);
    const file = join(other, 'kubeconfig');
    const write = (ca: string): void =>
      writeFileSync(file, kubeconfig(server.port, readFileSync(join(ca, 'cert.pem'), 'utf8')));
    write(other);
    await withStore(`kubernetes:default?kubeconfig=${file}`, async (store) => {
      const error = await claim(store, 'trust').catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'HUSTINGS_STORE_UNUSABLE' });
      expect(String(error)).toMatch(/cannot be trusted \(.*CERT.*\); check the CA of the context admin/);
      write(server.folder);
      await claim(store, 'trust').catch(() => undefined);
      expect((await claim(store, 'trust'))[0].type).toBe('ok');
    });
  });

  it('has too many requests is busy, and is not asked again by the store', async () => {
    await withStore(server.url, async (store) => {
      await store.init();
      await server.ask('POST', '/stand-in/refuse?status=429&times=1');
      const error = await store.read(['x']).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'HUSTINGS_STORE_BUSY' });
      expect(String(error)).toContain('too many requests and asks for 1 s without any');
      expect((await store.read(['x']))[0].token).toBe(0n);
    });
  });

  it.each([500, 503])('answers %d may have done what was asked', async (status) => {
    await withStore(server.url, async (store) => {
      await store.init();
      await server.ask('POST', `/stand-in/refuse?status=${status}&times=1`);
      const error = await store.read(['x']).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'HUSTINGS_STORE_UNREACHABLE' });
    });
  });

  it('is restarted is used again, without a failed read on the old connection', async () => {
    const restarted = await startKubernetesStandIn();
    try {
      await withStore(restarted.url, async (store) => {
        expect((await claim(store, 'x'))[0].type).toBe('ok');
        await restarted.kill9();
        await expect(store.read(['x'])).rejects.toThrow(/cannot be reached \(ECONNREFUSED\)/);
        await restarted.restart();
        expect((await store.read(['x']))[0].holder?.id).toBe('a');
      });
    } finally {
      await restarted.stop();
    }
  });

  it('refuses connections is passed over for the next in the URL', async () => {
    const proxy = await startTcpProxy(server.port);
    const { port } = proxy;
    await proxy.close();
    const url = server.url.replace('//', `//127.0.0.1:${port},`);
    await withStore(url, async (store) => {
      expect((await claim(store, 'listed'))[0].type).toBe('ok');
    });
  });

  it('does not answer is given up after the timeout, and a new connection is opened', async () => {
    const proxy = await startTcpProxy(server.port);
    try {
      const url = `${proxy.url(server.url)}&timeoutMs=300`;
      await withStore(url, async (store) => {
        expect((await claim(store, 'silent'))[0].type).toBe('ok');
        // Several connections, of which three are idle when the fourth gets no answer.
        await store.read(['silent', 'a', 'b', 'c']);
        const { connections } = proxy;
        proxy.set('blackhole');
        await expect(store.read(['silent'])).rejects.toThrow(/no answer within 300 ms/);
        expect(proxy.connections).toBe(connections);
        await expect(store.read(['silent'])).rejects.toThrow(/no answer within 300 ms/);
        expect(proxy.connections).toBe(connections + 1);
        proxy.set('pass');
        expect((await store.read(['silent']))[0].holder?.id).toBe('a');
      });
    } finally {
      await proxy.close();
    }
  });

  it('is too slow for what is asked is busy, and what waits is given up with the timeout', async () => {
    const proxy = await startTcpProxy(server.port);
    try {
      await withStore(`${proxy.url(server.url)}&timeoutMs=2000`, async (store) => {
        await store.init();
        proxy.set('blackhole');
        const names = Array.from({ length: 2_000 }, (_, index) => `n${index}`);
        const waiting = names.map((name) => store.read([name]).catch((error: Error) => error.message));
        // Until all of them wait.
        await new Promise((resolve) => setTimeout(resolve, 50));
        const error = await store.read(['one more']).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: 'HUSTINGS_STORE_BUSY' });
        expect(new Set(await Promise.all(waiting))).toEqual(
          new Set([expect.stringContaining('no answer within 2000 ms')]),
        );
        proxy.set('pass');
        expect((await store.read(['one more']))[0].token).toBe(0n);
      });
    } finally {
      await proxy.close();
    }
  });

  it('is no API server is named as such', async () => {
    const file = join(folder, 'other-server');
    const ca = readFileSync(join(server.folder, 'cert.pem'), 'utf8');
    const text = kubeconfig(server.port, ca).replace(`:${server.port}`, `:${server.port}/elsewhere`);
    writeFileSync(file, text);
    await withStore(`kubernetes:default?kubeconfig=${file}`, async (store) => {
      await expect(claim(store, 'x')).rejects.toThrow(/does not answer like a Kubernetes API server/);
    });
  });
});
