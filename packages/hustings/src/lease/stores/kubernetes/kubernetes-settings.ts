/**
 * The settings of a Kubernetes store, from its URL and its options: `kubernetes:NAMESPACE?context=NAME`, or
 * `kubernetes://HOST:PORT,HOST:PORT/NAMESPACE` to name API servers instead of the one that the credentials name. Credentials
 * are never in the URL: they come from the service account of the pod, or from a kubeconfig file.
 */
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { InputError } from '@hustings/base';
import { parseAddress } from '../../store-url.ts';
import type { DocumentStoreOptions } from '../document/document-lease-store.ts';
import { checkQuery, wholeSetting } from '../url-setting.ts';

/** The options of `KubernetesLeaseStore.open`. An option overrides the same setting in the URL. */
export interface KubernetesStoreOptions extends DocumentStoreOptions {
  /** The context of the kubeconfig file; its current context by default. Also `?context=` in the URL. */
  readonly context?: string;
  /** The path of the kubeconfig file; $KUBECONFIG or ~/.kube/config by default. Also `?kubeconfig=` in the URL. */
  readonly kubeconfig?: string;
  /** The folder of the service account, for a pod that mounts it elsewhere. Also `?serviceAccount=` in the URL. */
  readonly serviceAccount?: string;
  /** The timeout of a request, 5,000 by default; also in the URL. Renewals with a short TTL have a shorter one. */
  readonly timeoutMs?: number;
}

export interface KubernetesSettings {
  readonly label: string;
  /** '' for the namespace of the service account or of the context. */
  readonly namespace: string;
  /** HOST or HOST:PORT, instead of the server of the credentials; empty to use that server. */
  readonly hosts: readonly string[];
  readonly context: string | undefined;
  /** Explicit files, in the order in which they count; undefined to use the service account, or else the usual files. */
  readonly kubeconfig: readonly string[] | undefined;
  readonly usualKubeconfig: readonly string[];
  readonly serviceAccount: string;
  readonly timeoutMs: number;
}

const IN_URL = ['context', 'kubeconfig', 'serviceAccount', 'timeoutMs'];
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const FORM =
  'write kubernetes:NAMESPACE, kubernetes:NAMESPACE?context=NAME or kubernetes://HOST:PORT/NAMESPACE';

export function kubernetesSettings(
  text: string,
  options: KubernetesStoreOptions = {},
  env: Readonly<Record<string, string | undefined>> = process.env,
): KubernetesSettings {
  const { label } = parseAddress(text, 'namespace');
  const parts = /^kubernetes:(?:\/\/([^/?#]*)(?:\/|$))?([^/?#]*)(?:\?([^#]*))?$/i.exec(text);
  if (parts === null) throw new InputError(`the URL of a Kubernetes store cannot be parsed; ${FORM}`);
  const [, authority = '', namespace, query = ''] = parts;
  if (authority.includes('@')) {
    throw new InputError(
      'the URL of a Kubernetes store must not have a user or a password; put credentials into a kubeconfig file',
    );
  }
  if (!/^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$/.test(namespace)) {
    throw new InputError(
      `the namespace must have up to 63 of the characters a-z, 0-9 and -, not ${JSON.stringify(namespace)}; ${FORM}`,
    );
  }
  const hosts = authority === '' ? [] : authority.split(',');
  for (const host of hosts) checkHost(host);
  const settings = new URLSearchParams(query);
  checkQuery(settings, 'a Kubernetes', IN_URL);
  const setting = (key: string): string | undefined => settings.get(key) ?? undefined;
  const context = options.context ?? setting('context');
  const file = options.kubeconfig ?? setting('kubeconfig');
  const usual = env.KUBECONFIG?.split(delimiter).filter((path) => path !== '') ?? [];
  const usualKubeconfig = usual.length > 0 ? usual : [join(env.HOME ?? homedir(), '.kube', 'config')];
  return {
    ...{ label, namespace, hosts, context, usualKubeconfig },
    kubeconfig: file !== undefined ? [file] : context !== undefined ? usualKubeconfig : undefined,
    serviceAccount: options.serviceAccount ?? setting('serviceAccount') ?? SERVICE_ACCOUNT,
    timeoutMs: wholeSetting('timeoutMs', options.timeoutMs ?? setting('timeoutMs') ?? 5_000, 1),
  };
}

function checkHost(host: string): void {
  try {
    const { host: parsed, pathname } = new URL(`https://${host}`);
    if (parsed !== '' && pathname === '/') return;
  } catch {
    // The same advice.
  }
  throw new InputError(`${JSON.stringify(host)} must be a host with an optional port; ${FORM}`);
}
