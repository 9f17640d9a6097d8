import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { runProcess } from '../../../../test-kit/limits/child-process.ts';
import { programPath } from '../../../../test-kit/programs/programs.ts';
import {
  type KubernetesServer,
  startKubernetesStandIn,
} from '../../../../test-kit/servers/kubernetes-server.ts';
import { renderTemplate } from './chart.ts';
import { type Manifest, manifestsOf, readKit } from './kit-files.ts';
import { kubernetesKit } from './kubernetes-kit.ts';

let server: KubernetesServer;
beforeAll(async () => {
  server = await startKubernetesStandIn();
});
afterAll(() => server?.stop());

kubernetesKit('a stand-in', () => server);

describe('the manifests', () => {
  it('run without rights that a container does not need', () => {
    const [deployment] = manifestsOf(readKit('kubernetes/deployment.yaml'));
    const pod = deployment.spec.template.spec;
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    const [container] = pod.containers;
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const grace = container.args[container.args.indexOf('--grace') + 1];
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number.parseInt(grace, 10));
  });
});

describe('the kustomization', () => {
  const [kustomization] = manifestsOf(readKit('kubernetes/kustomization.yaml'));
  const names = (manifests: readonly Manifest[]): string[] =>
    manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  const files: readonly string[] = kustomization.resources;

  it('has every manifest of the folder, in the namespace of the RoleBinding', () => {
    const found = readdirSync(join(ROOT, 'kits/kubernetes')).filter((file) => file !== 'kustomization.yaml');
    expect([...files].sort()).toEqual(found.sort());
    const binding = manifestsOf(readKit('kubernetes/rbac.yaml')).find(({ kind }) => kind === 'RoleBinding');
    expect(binding?.subjects[0].namespace).toBe(kustomization.namespace);
  });

  const kubectl = programPath('kubectl');
  const folder = temporaryFolder();
  it.skipIf(kubectl === undefined)(
    'changes the namespace of all objects, by kubectl if that is installed',
    () => {
      for (const file of files) writeFileSync(join(folder.path, file), readKit(`kubernetes/${file}`));
      const text = readKit('kubernetes/kustomization.yaml').replace('namespace: default', 'namespace: prod');
      writeFileSync(join(folder.path, 'kustomization.yaml'), text);
      const { stdout, stderr } = runProcess(kubectl!, ['kustomize', folder.path]);
      const manifests = manifestsOf(stdout);
      expect(names(manifests), stderr).toEqual(
        names(files.flatMap((file) => manifestsOf(readKit(`kubernetes/${file}`)))),
      );
      for (const { metadata, subjects = [] } of manifests) {
        for (const { namespace } of [metadata, ...subjects]) expect(namespace).toBe('prod');
      }
    },
  );
});

describe('the Helm chart', () => {
  const [values] = manifestsOf(readKit('helm/hustings/values.yaml'));
  const release = { Name: 'billing', Namespace: 'default' };
  const render = (file: string, changes: object = {}) =>
    manifestsOf(
      renderTemplate(readKit(`helm/hustings/templates/${file}.yaml`), release, { ...values, ...changes }),
    );

  it.each(['rbac', 'deployment'])(
    'renders, with its own values, the manifests of kits/kubernetes: %s',
    (file) => {
      expect(render(file)).toEqual(manifestsOf(readKit(`kubernetes/${file}.yaml`)));
    },
  );

  it('takes the URL of the store from a Secret, and further variables', () => {
    const env = [{ name: 'LOG', value: 'a "b"' }];
    const [deployment] = render('deployment', {
      storeSecret: 'billing-store',
      env,
      command: ['sh', '-c', 'a: b'],
    });
    const [container] = deployment.spec.template.spec.containers;
    expect(container.args.slice(-4)).toEqual(['--', 'sh', '-c', 'a: b']);
    expect(container.env).toEqual([
      { name: 'HUSTINGS_STORE', valueFrom: { secretKeyRef: { name: 'billing-store', key: 'store' } } },
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ...env,
    ]);
  });

  it('grants no rights if the lease is not in Kubernetes', () => {
    expect(render('rbac', { leaseRights: false }).map(({ kind }) => kind)).toEqual(['ServiceAccount']);
  });

  it('is rendered strictly: an unknown value is an error', () => {
    expect(() => renderTemplate('a: {{ .Values.nothing }}', release, {})).toThrow(/no \.Values\.nothing/);
    expect(() => renderTemplate('a: {{- include "x" . }}', release, {})).toThrow(/more than this renders/);
  });
});
