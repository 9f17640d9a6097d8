/**
 * Leases in Kubernetes: one Lease object for each election. Every change is one update under the resourceVersion of the object.
 * The API server has no clock that a request could use, so a challenger observes the record on its own clock.
 *
 * Guaranteed: P1 and P3, as long as nobody deletes the Lease object. Its standard fields are those of client-go, so other
 * programs can take part in the election by the rules of client-go.
 */
import { DocumentLeaseStore } from '../document/document-lease-store.ts';
import { AccessSource } from './access-source.ts';
import { KubernetesDocumentServer } from './kubernetes-document-server.ts';
import { KubernetesRequests } from './kubernetes-requests.ts';
import { type KubernetesStoreOptions, kubernetesSettings } from './kubernetes-settings.ts';

export type { KubernetesStoreOptions } from './kubernetes-settings.ts';

/** A store in Kubernetes. */
export class KubernetesLeaseStore extends DocumentLeaseStore {
  /** Reads the credentials and connects with the first call, not here. */
  static async open(url: string, options: KubernetesStoreOptions = {}): Promise<KubernetesLeaseStore> {
    const settings = kubernetesSettings(url, options);
    const requests = new KubernetesRequests(settings, new AccessSource(settings));
    const wallMs = options.wallMs ?? Date.now;
    return new KubernetesLeaseStore(
      new KubernetesDocumentServer(requests, settings.timeoutMs, wallMs),
      options,
    );
  }
}
