/** The contract suite on an API server, real or not. */

import type { KubernetesServer } from '../../../../../../test-kit/servers/kubernetes-server.ts';
import {
  type DocumentKey,
  type DocumentWrite,
  SETTINGS,
} from '../../../../src/lease/stores/document/document-server.ts';
import { KubernetesLeaseStore } from '../../../../src/lease/stores/kubernetes/kubernetes-lease-store.ts';
import {
  type LeaseObject,
  leaseObject,
  storedDocument,
} from '../../../../src/lease/stores/kubernetes/lease-object.ts';
import {
  leasesPath,
  objectName,
  SETTINGS_OBJECT,
} from '../../../../src/lease/stores/kubernetes/object-name.ts';
import type { StoreUnderTest } from '../../contract/suite.ts';
import { documentHooks } from '../document/document-contract.ts';

export const LEASES = leasesPath('default');

export function kubernetesUnderTest(server: () => KubernetesServer, runs: number): StoreUnderTest {
  let aheadMs = 0;
  const objectOf = (key: DocumentKey): string => (key === SETTINGS ? SETTINGS_OBJECT : objectName(key));
  const read = async (key: DocumentKey): Promise<LeaseObject | null> => {
    const { status, body } = await server().ask('GET', `${LEASES}/${objectOf(key)}`);
    return status === 200 ? body : null;
  };
  return {
    open: (options = {}) =>
      KubernetesLeaseStore.open(server().url, { ...options, wallMs: () => Date.now() + aheadMs }),
    advance: (ms) => {
      aheadMs += ms;
    },
    ...documentHooks({
      get: async (key) => {
        const object = await read(key);
        return object === null ? null : storedDocument(object).text;
      },
      put: async (key, text) => {
        const object = (await read(key))!;
        const { revision } = storedDocument(object);
        const write: Pick<DocumentWrite, 'text' | 'revision' | 'effect' | 'election'> = {
          ...{ text, revision, effect: 'none', election: null },
        };
        const written = leaseObject(write, objectOf(key), 0);
        const metadata = { ...written.metadata, labels: object.metadata.labels };
        const { status } = await server().ask('PUT', `${LEASES}/${objectOf(key)}`, { ...written, metadata });
        if (status !== 200) throw new Error(`the test could not write: ${status}`);
      },
    }),
    runs,
  };
}
