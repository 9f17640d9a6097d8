/**
 * How the API server is reached, and who asks: from the service account of the pod, or from a kubeconfig file. Both are read
 * again while the process runs, because tokens and certificates are replaced before they expire.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../../core/store-error.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { readKubeconfig } from './kubeconfig.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';

/** Kubernetes replaces a token when a fifth of its life is left, which is minutes. */
const READ_AGAIN_MS = 10_000;

export class AccessSource {
  readonly #settings: KubernetesSettings;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #known: ClusterAccess | null = null;
  #readAtMs = 0;
  #reading: Promise<ClusterAccess> | null = null;

  constructor(settings: KubernetesSettings, env: Readonly<Record<string, string | undefined>> = process.env) {
    this.#settings = settings;
    this.#env = env;
  }

  async current(): Promise<ClusterAccess> {
    if (this.#known !== null && performance.now() - this.#readAtMs < READ_AGAIN_MS) return this.#known;
    try {
      return await this.readAgain();
    } catch (error) {
      // A file may be missing while it is replaced. What was read before is valid until the server says otherwise.
      if (this.#known === null) throw error;
      return this.#known;
    }
  }

  /** After the server has refused what was read before. */
  readAgain(): Promise<ClusterAccess> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<ClusterAccess> {
    const { kubeconfig, usualKubeconfig, context, serviceAccount } = this.#settings;
    const isInPod = kubeconfig === undefined && existsSync(join(serviceAccount, 'token'));
    const access = isInPod
      ? await this.#readServiceAccount()
      : await readKubeconfig(kubeconfig ?? usualKubeconfig, context);
    this.#known = access;
    this.#readAtMs = performance.now();
    return access;
  }

  async #readServiceAccount(): Promise<ClusterAccess> {
    const { serviceAccount: folder, hosts } = this.#settings;
    const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = this.#env;
    const file = (name: string): Promise<string> =>
      readFile(join(folder, name), 'utf8').catch((error: { code?: string }) => {
        throw new StoreError(
          'unusable',
          `${join(folder, name)} cannot be read (${error.code}); check automountServiceAccountToken of the pod`,
        );
      });
    if (host === undefined && hosts.length === 0) {
      throw new StoreError(
        'unusable',
        `${folder} has a service account, but KUBERNETES_SERVICE_HOST is not set; name the server: ` +
          'kubernetes://HOST:PORT/NAMESPACE',
      );
    }
    const name = host?.includes(':') ? `[${host}]` : (host ?? hosts[0]);
    return {
      source: `the service account in ${folder}`,
      server: new URL(`https://${name}${host === undefined ? '' : `:${port}`}`),
      namespace: (await file('namespace').catch(() => 'default')).trim(),
      token: (await file('token')).trim(),
      tls: { ca: await file('ca.crt') },
    };
  }
}
