/** What happens to a Kubernetes API server and to its objects. */
import { leasesPath, objectName } from '../../../src/lease/stores/kubernetes/object-name.ts';
import type { KubernetesServer } from '../servers/kubernetes-server.ts';
import { type Fault, restart, type Scene, whileCutOff, withoutNotifications } from './fault.ts';

const serverOf = ({ server }: Pick<Scene, 'server'>): KubernetesServer => server as KubernetesServer;

export const KUBERNETES_FAULTS: readonly Fault[] = [
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  {
    kind: 'object deleted',
    losesTerms: true,
    allowsTwoLeaders: true,
    inflict: whileCutOff(async (scene) => {
      await serverOf(scene).ask('DELETE', `${leasesPath('default')}/${objectName(scene.name)}`);
    }),
  },
  {
    // By somebody who knows nothing of the annotations, as client-go does.
    kind: 'object labelled by others',
    async inflict(scene) {
      const path = `${leasesPath('default')}/${objectName(scene.name)}`;
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
