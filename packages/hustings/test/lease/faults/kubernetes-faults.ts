/** What happens to a Kubernetes API server and to its objects. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesServer } from '../../../../../test-kit/servers/kubernetes-server.ts';
import { leasesPath, objectName } from '../../../src/lease/stores/kubernetes/object-name.ts';
import { anotherTerm, type Fault, restart, type Scene, whileCutOff, withoutNotifications } from './fault.ts';

const serverOf = ({ server }: Pick<Scene, 'server'>): KubernetesServer => server as KubernetesServer;

const pathOf = ({ name }: Pick<Scene, 'name'>): string => `${leasesPath('default')}/${objectName(name)}`;
const backupOf = ({ folder }: Pick<Scene, 'folder'>): string => join(folder, 'older-object.json');

export const KUBERNETES_FAULTS: readonly Fault[] = [
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  {
    kind: 'object deleted',
    losesTerms: true,
    allowsTwoLeaders: true,
    inflict: whileCutOff(async (scene) => {
      await serverOf(scene).ask('DELETE', pathOf(scene));
    }),
  },
  {
    kind: 'older object restored',
    losesTerms: true,
    allowsTwoLeaders: true,
    async prepare(scene) {
      const { body } = await serverOf(scene).ask('GET', pathOf(scene));
      writeFileSync(backupOf(scene), JSON.stringify(body));
      await anotherTerm(scene);
    },
    inflict: whileCutOff(async (scene) => {
      const older = JSON.parse(readFileSync(backupOf(scene), 'utf8'));
      for (let status = 0; status !== 200; ) {
        const { uid, resourceVersion } = (await serverOf(scene).ask('GET', pathOf(scene))).body.metadata;
        const restored = { ...older, metadata: { ...older.metadata, uid, resourceVersion } };
        // Others write meanwhile.
        ({ status } = await serverOf(scene).ask('PUT', pathOf(scene), restored));
      }
    }),
  },
  {
    // By somebody who knows nothing of the annotations, as client-go does.
    kind: 'object labelled by others',
    async inflict(scene) {
      const path = pathOf(scene);
      for (let tries = 0; tries < 20; tries++) {
        const { body, status } = await serverOf(scene).ask('GET', path);
        if (status !== 200) return;
        const labels = { ...body.metadata.labels, changed: `at-${Date.now()}` };
        const changed = { ...body, metadata: { ...body.metadata, labels } };
        if ((await serverOf(scene).ask('PUT', path, changed)).status === 200) return;
      }
    },
  },
];

/** What the stand-in can be told to do. */
export const STAND_IN_FAULTS: readonly Fault[] = [
  ...KUBERNETES_FAULTS,
  {
    kind: 'changes forgotten',
    inflict: (scene) =>
      withoutNotifications(scene, () => serverOf(scene).ask('POST', '/stand-in/compact?endsWatches=true')),
  },
  {
    kind: 'too many requests',
    async inflict(scene) {
      await serverOf(scene).ask('POST', '/stand-in/refuse?status=429&times=40');
    },
  },
];
