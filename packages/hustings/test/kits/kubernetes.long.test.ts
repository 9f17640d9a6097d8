import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubernetesPrograms, startOneKubernetes } from '../../../../test-kit/servers/kube-apiserver.ts';
import type { KubernetesServer } from '../../../../test-kit/servers/kubernetes-server.ts';
import { manifestsOf, readKit } from './kit-files.ts';
import { kubernetesKit } from './kubernetes-kit.ts';

const { folder, reason } = await kubernetesPrograms();

describe.skipIf(folder === undefined)(
  `kits/kubernetes on a real API server${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    let server: KubernetesServer;
    beforeAll(async () => {
      server = await startOneKubernetes(folder!);
    }, 120_000);
    afterAll(() => server?.stop());

    kubernetesKit('a real API server', () => server);

    const PATHS: Readonly<Record<string, string>> = {
      ServiceAccount: '/api/v1/namespaces/default/serviceaccounts',
      Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
      RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
      Deployment: '/apis/apps/v1/namespaces/default/deployments',
    };

    it('has manifests that the server accepts, with every field', async () => {
      const files = ['kubernetes/rbac.yaml', 'kubernetes/deployment.yaml'];
      const manifests = files.flatMap((file) => manifestsOf(readKit(file)));
      expect(manifests.map(({ kind }) => kind).sort()).toEqual(Object.keys(PATHS).sort());
      for (const manifest of manifests) {
        const { status, body } = await server.ask('POST', PATHS[manifest.kind], manifest);
        expect(status, JSON.stringify(body)).toBe(201);
        // The server drops fields that it does not know.
        expect(body).toMatchObject(manifest);
      }
    });
  },
);
