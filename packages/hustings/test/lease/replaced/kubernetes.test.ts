import { describe, expect } from 'vitest';
import {
  type KubernetesServer,
  startKubernetesStandIn,
} from '../../../../../test-kit/servers/kubernetes-server.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import { leasesPath } from '../../../src/lease/stores/kubernetes/object-name.ts';
import { replacedStore, type Scene } from './replaced-store.ts';

type KubernetesScene = Scene<KubernetesServer>;

interface LeaseOf {
  readonly metadata: { readonly name: string; readonly [field: string]: unknown };
}

const LEASES = leasesPath('default');

const backups = new WeakMap<KubernetesServer, readonly LeaseOf[]>();

const objects = async ({ server }: KubernetesScene): Promise<readonly LeaseOf[]> =>
  (await server.ask('GET', LEASES)).body.items;

async function backUp(scene: KubernetesScene): Promise<void> {
  backups.set(scene.server, await objects(scene));
}

async function deleteAll(scene: KubernetesScene): Promise<void> {
  for (const { metadata } of await objects(scene)) {
    const { status } = await scene.server.ask('DELETE', `${LEASES}/${metadata.name}`);
    expect(status).toBe(200);
  }
}

/** As a tool that restores objects sends them: without what belongs to the objects that were there. */
const ofBackup = ({ metadata: { uid: _, resourceVersion: __, ...metadata }, ...rest }: LeaseOf): LeaseOf => ({
  ...rest,
  metadata,
});

describe('a Kubernetes store that was replaced, on a stand-in', () => {
  replacedStore('Kubernetes', {
    start: () => startKubernetesStandIn(),
    stop: (server: KubernetesServer) => server.stop(),
    open: ({ server }) => openStore(server.url),
    replacements: {
      'the Lease objects are deleted': { replace: deleteAll },
      'older Lease objects are created in their place': {
        backUp,
        async replace(scene) {
          await deleteAll(scene);
          for (const object of backups.get(scene.server)!) {
            expect((await scene.server.ask('POST', LEASES, ofBackup(object))).status).toBe(201);
          }
        },
      },
      'the older content is written into the Lease objects': {
        backUp,
        async replace({ server }) {
          for (const object of backups.get(server)!) {
            const path = `${LEASES}/${object.metadata.name}`;
            const { uid, resourceVersion } = (await server.ask('GET', path)).body.metadata;
            const older = { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
            expect((await server.ask('PUT', path, older)).status).toBe(200);
          }
        },
      },
    },
  });
});
