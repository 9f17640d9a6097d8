/** Reads kubeconfig files, as kubectl does: of several files, the first that has an entry of a name counts. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StoreError } from '../../core/store-error.ts';
import { parseBlockYaml } from './block-yaml.ts';
import type { ClusterAccess } from './cluster-access.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Named {
  readonly name: string;
  readonly fields: Fields;
  /** The folder of the file: paths in it are relative to it. */
  readonly folder: string;
}

interface Files {
  readonly currentContext: string | undefined;
  readonly contexts: readonly Named[];
  readonly clusters: readonly Named[];
  readonly users: readonly Named[];
}

/** What this store does not do for a user of a kubeconfig file, and what it is called there. */
const REFUSED_LOGINS = ['exec', 'auth-provider', 'username', 'as'];

export async function readKubeconfig(
  paths: readonly string[],
  contextName: string | undefined,
): Promise<ClusterAccess> {
  const place = paths.join(', ');
  const { currentContext, contexts, clusters, users } = await readFiles(paths);
  const wanted = contextName ?? currentContext;
  if (wanted === undefined) {
    throw unusable(`${place} has no current context; name one: kubernetes:NAMESPACE?context=NAME`);
  }
  const context = contexts.find(({ name }) => name === wanted);
  if (context === undefined) {
    const known = contexts.map(({ name }) => name).join(', ') || 'none';
    throw unusable(`${place} has no context ${wanted}; it has ${known}`);
  }
  const part = (kind: 'cluster' | 'user', list: readonly Named[]): Named => {
    const name = text(context.fields, kind);
    const found = list.find((each) => each.name === name);
    if (found !== undefined) return found;
    throw unusable(`${place} has no ${kind} ${name ?? ''} for the context ${wanted}; add it`);
  };
  const cluster = part('cluster', clusters);
  const user = part('user', users);
  const source = `the context ${wanted} of ${place}`;
  const server = await clusterAccess(cluster, source);
  const login = await userAccess(user, source);
  return {
    source,
    namespace: text(context.fields, 'namespace') ?? 'default',
    server: server.server,
    token: login.token,
    tls: { ...server.tls, ...login.tls },
  };
}

async function readFiles(paths: readonly string[]): Promise<Files> {
  const found: Files[] = [];
  for (const path of paths) {
    const content = await readFile(path, 'utf8').catch((error: { code?: string }) => {
      if (error.code === 'ENOENT' && (paths.length > 1 || found.length > 0)) return null;
      throw unusable(
        `the kubeconfig file ${path} cannot be read (${error.code}); set KUBECONFIG to its path`,
      );
    });
    if (content !== null) found.push(parseFile(path, content));
  }
  if (found.length === 0)
    throw unusable(`none of the kubeconfig files ${paths.join(', ')} exists; set KUBECONFIG`);
  return {
    currentContext: found.map(({ currentContext }) => currentContext).find((name) => name !== undefined),
    contexts: found.flatMap(({ contexts }) => contexts),
    clusters: found.flatMap(({ clusters }) => clusters),
    users: found.flatMap(({ users }) => users),
  };
}

function parseFile(path: string, content: string): Files {
  let parsed: unknown;
  try {
    parsed = parseBlockYaml(content);
  } catch (error) {
    const { message } = error as Error;
    throw unusable(
      `the kubeconfig file ${path} cannot be parsed (${message}); write it as JSON, as kubectl config view does`,
    );
  }
  const file = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Fields;
  const list = (key: string, kind: string): Named[] =>
    (Array.isArray(file[key]) ? (file[key] as Fields[]) : []).map((entry) => ({
      name: String(entry.name),
      fields: (entry[kind] ?? {}) as Fields,
      folder: dirname(resolve(path)),
    }));
  return {
    currentContext: text(file, 'current-context'),
    contexts: list('contexts', 'context'),
    clusters: list('clusters', 'cluster'),
    users: list('users', 'user'),
  };
}

async function clusterAccess(cluster: Named, source: string): Promise<Pick<ClusterAccess, 'server' | 'tls'>> {
  const { fields } = cluster;
  const address = text(fields, 'server');
  const server = address !== undefined && URL.canParse(address) ? new URL(address) : null;
  if (server === null || !/^https?:$/.test(server.protocol)) {
    throw unusable(`${source} has no server address; set it to https://HOST:PORT`);
  }
  if (text(fields, 'proxy-url') !== undefined) {
    throw unusable(
      `${source} has a proxy-url, which this store does not use; name a server that it can reach`,
    );
  }
  const ca = await fileOrData(cluster, 'certificate-authority');
  const servername = text(fields, 'tls-server-name');
  const isInsecure = String(fields['insecure-skip-tls-verify']) === 'true';
  return {
    server,
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(servername === undefined ? {} : { servername }),
      ...(isInsecure ? { rejectUnauthorized: false } : {}),
    },
  };
}

async function userAccess(user: Named, source: string): Promise<Pick<ClusterAccess, 'token' | 'tls'>> {
  const refused = REFUSED_LOGINS.find((key) => user.fields[key] !== undefined && user.fields[key] !== null);
  if (refused !== undefined) {
    throw unusable(
      `${source} logs in with "${refused}", which this store does not support; use a user with a token or a client ` +
        'certificate, or the service account of a pod',
    );
  }
  const cert = await fileOrData(user, 'client-certificate');
  const key = await fileOrData(user, 'client-key');
  const tokenFile = text(user.fields, 'tokenFile');
  const token =
    tokenFile === undefined ? text(user.fields, 'token') : await content(user, tokenFile, 'tokenFile');
  return {
    token: token?.trim() ?? null,
    tls: {
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    },
  };
}

/** The text of `KEY-data`, which is base64, or of the file that KEY names. */
async function fileOrData(named: Named, key: string): Promise<string | undefined> {
  const data = text(named.fields, `${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const path = text(named.fields, key);
  return path === undefined ? undefined : content(named, path, key);
}

async function content({ folder, name }: Named, path: string, key: string): Promise<string> {
  const file = resolve(folder, path);
  return readFile(file, 'utf8').catch((error: { code?: string }) => {
    throw unusable(`the ${key} of ${name}, ${file}, cannot be read (${error.code}); check the path`);
  });
}

function text(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const unusable = (message: string): StoreError => new StoreError('unusable', message);
