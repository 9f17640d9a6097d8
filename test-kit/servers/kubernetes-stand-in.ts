/**
 * A stand-in for a Kubernetes API server: Lease objects under resourceVersion, watches with bookmarks, pods with labels, and roles. Its answers
 * are compared with those of a real one (kubernetes-exchange.ts). It keeps every answered write in a file.
 *
 *   node kubernetes-stand-in.mjs FOLDER PORT     built from this file, with FOLDER/key.pem and FOLDER/cert.pem
 *
 * The tokens are those of the real server of the tests: admin-token may do everything, limited-token what roles grant. Paths
 * under /stand-in/ are for tests: `compact` forgets all changes, and ends watches if asked to, `refuse?status=429&times=2` refuses the next requests for
 * leases, `token?value=T` sets the token of the user limited.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';

const [, , folder, port] = process.argv;
const journal = join(folder, 'journal');
const LEASES = { group: 'coordination.k8s.io', kind: 'leases' };
const NAMESPACES = new Set(['default', 'kube-system']);
const BOOKMARK_MS = 1_000;
const timestamp = (): string => new Date().toISOString().replace(/\.\d+/, '');

interface Stored {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: Metadata;
  readonly spec?: object;
  readonly rules?: readonly Rule[];
  readonly subjects?: readonly { readonly name: string }[];
  readonly roleRef?: { readonly name: string };
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

interface Rule {
  readonly verbs: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

interface Change {
  readonly store: 'leases' | 'pods' | 'roles' | 'bindings';
  readonly key: string;
  readonly type: ChangeType;
  readonly object: Stored;
  readonly at: number;
}

interface Reply {
  readonly code: number;
  readonly body?: object;
  /** Instead of JSON. */
  readonly text?: string;
}

/** What a test may send: only what the test sends is looked at. */
// biome-ignore lint/suspicious/noExplicitAny: a body may have any form
type Body = any;

let version = 1;
/** The changes up to this version are forgotten. */
let compacted = 0;
let limitedToken = 'limited-token';
let refusals = { status: 0, times: 0 };
/** NAMESPACE/NAME to object. */
const leases = new Map<string, Stored>();
const pods = new Map<string, Stored>();
const roles = new Map<string, Stored>();
const bindings = new Map<string, Stored>();
const changes: Change[] = [];
const watchers = new Set<(change: Change) => void>();
/** End the watches, as a server does that has forgotten what it would send. */
const streams = new Set<() => void>();

if (existsSync(journal)) {
  for (const line of readFileSync(journal, 'utf8').split('\n'))
    if (line.endsWith('}')) take(JSON.parse(line));
  // What a watcher has missed while the server was down is gone.
  compacted = version;
  changes.length = 0;
}

function take(change: Change): void {
  const { store, key, type, object, at } = change;
  version = at;
  const objects = { leases, pods, roles, bindings }[store];
  if (type === 'DELETED') objects.delete(key);
  else objects.set(key, object);
  if (store === 'leases') changes.push(change);
}

function put(store: Change['store'], key: string, type: ChangeType, object: Stored): Stored {
  const at = version + 1;
  const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(at) } };
  const change: Change = { store, key, type, object: stored, at };
  appendFileSync(journal, `${JSON.stringify(change)}\n`);
  take(change);
  if (store === 'leases') for (const tell of watchers) tell(change);
  return stored;
}

const status = (code: number, reason: string, message: string, details?: object): Reply => ({
  code,
  body: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  },
});

const named = (name: string) => ({ ...(name === '' ? {} : { name }), ...LEASES });
const title = (name: string) => `leases.coordination.k8s.io "${name}"`;
const notFound = (name: string) => status(404, 'NotFound', `${title(name)} not found`, named(name));
const conflict = (name: string, text: string) =>
  status(409, 'Conflict', `Operation cannot be fulfilled on ${title(name)}: ${text}`, named(name));
const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

function userOf({ headers }: IncomingMessage): string | null {
  if (headers.authorization === 'Bearer admin-token') return 'admin';
  return headers.authorization === `Bearer ${limitedToken}` ? 'limited' : null;
}

function mayDo(user: string, verb: string, namespace: string, name: string, resource = 'leases'): boolean {
  if (user === 'admin') return true;
  return [...bindings.values()].some(({ metadata, subjects, roleRef }) => {
    if (metadata.namespace !== namespace || !subjects?.some((subject) => subject.name === user)) return false;
    const rules = roles.get(`${namespace}/${roleRef?.name}`)?.rules ?? [];
    return rules.some(
      ({ verbs, resources, resourceNames = [] }) =>
        resources.includes(resource) &&
        (verbs.includes(verb) || verbs.includes('*')) &&
        (resourceNames.length === 0 || resourceNames.includes(name)),
    );
  });
}

function forbidden(user: string, verb: string, namespace: string, name: string): Reply {
  const object = name === '' ? 'leases.coordination.k8s.io is' : `${title(name)} is`;
  return status(
    403,
    'Forbidden',
    `${object} forbidden: User "${user}" cannot ${verb} resource "leases" in API group "coordination.k8s.io" in the ` +
      `namespace "${namespace}"`,
    named(name),
  );
}

const ALLOWED_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function invalidName(name: string): Reply {
  const message =
    `Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or ` +
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  const causes = [{ reason: 'FieldValueInvalid', message, field: 'metadata.name' }];
  const text = `Lease.coordination.k8s.io "${name}" is invalid: metadata.name: ${message}`;
  return status(422, 'Invalid', text, { name, group: 'coordination.k8s.io', kind: 'Lease', causes });
}

function stored(metadata: Metadata, namespace: string, body: Body): Stored {
  return {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    metadata: { ...metadata, namespace },
    spec: body.spec ?? {},
  };
}

function create(namespace: string, body: Body): Reply {
  const { name } = body.metadata;
  const key = `${namespace}/${name}`;
  if (!NAMESPACES.has(namespace)) return noNamespace(namespace);
  if (!ALLOWED_NAME.test(name)) return invalidName(name);
  if (leases.has(key)) return status(409, 'AlreadyExists', `${title(name)} already exists`, named(name));
  const metadata = { ...body.metadata, uid: randomUUID(), creationTimestamp: timestamp() };
  return { code: 201, body: put('leases', key, 'ADDED', stored(metadata, namespace, body)) };
}

function update(namespace: string, name: string, body: Body): Reply {
  const key = `${namespace}/${name}`;
  const before = leases.get(key);
  const expected = body.metadata.resourceVersion;
  const wrongUid = (found: string | undefined): Reply =>
    conflict(
      name,
      `StorageError: invalid object, Code: 4, Key: /registry/leases/${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
        `Precondition failed: UID in precondition: ${body.metadata.uid}, UID in object meta: ${found ?? ''}`,
    );
  // The real server creates a Lease that is updated and does not exist, unless the update names its uid.
  if (before === undefined)
    return body.metadata.uid === undefined ? create(namespace, body) : wrongUid(undefined);
  const { uid, creationTimestamp, resourceVersion } = before.metadata;
  if (body.metadata.uid !== undefined && body.metadata.uid !== uid) return wrongUid(uid);
  if (expected !== undefined && expected !== resourceVersion) return conflict(name, MODIFIED);
  const after = stored({ ...body.metadata, uid, creationTimestamp, resourceVersion }, namespace, body);
  if (JSON.stringify(after) === JSON.stringify(before)) return { code: 200, body: before };
  return { code: 200, body: put('leases', key, 'MODIFIED', after) };
}

function remove(namespace: string, name: string, options: Body): Reply {
  const key = `${namespace}/${name}`;
  const before = leases.get(key);
  if (before === undefined) return notFound(name);
  const { uid, resourceVersion } = options?.preconditions ?? {};
  const { metadata } = before;
  const differs = (what: string, expected: string, found: string | undefined, advice: string): Reply =>
    status(
      409,
      'Conflict',
      `Operation cannot be fulfilled on Lease.coordination.k8s.io "${name}": the ${what} in the precondition ` +
        `(${expected}) does not match the ${what} in record (${found}). The object might have been ${advice}`,
      { ...named(name), kind: 'Lease' },
    );
  if (uid !== undefined && uid !== metadata.uid) {
    return differs('UID', uid, metadata.uid, 'deleted and then recreated');
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    return differs('ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified');
  }
  put('leases', key, 'DELETED', before);
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...named(name), uid: metadata.uid },
  };
  return { code: 200, body };
}

function selected(query: URLSearchParams): (namespace: string, object: Stored) => boolean {
  const [, field] = (query.get('fieldSelector') ?? '').split('metadata.name=');
  const [label, value] = (query.get('labelSelector') ?? '').split('=');
  return (namespace, { metadata }) =>
    metadata.namespace === namespace &&
    (field === undefined || metadata.name === field) &&
    (label === '' || metadata.labels?.[label] === value);
}

function list(namespace: string, query: URLSearchParams): Reply {
  const isSelected = selected(query);
  const all = [...leases.values()]
    .filter((object) => isSelected(namespace, object))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const from = Number(query.get('continue') ?? 0);
  const limit = Number(query.get('limit') ?? all.length);
  const items = all.slice(from, from + limit).map(({ kind: _, apiVersion: __, ...object }) => object);
  const left = all.length - from - items.length;
  const rest = left > 0 ? { continue: String(from + limit), remainingItemCount: left } : {};
  const metadata = { resourceVersion: String(version), ...rest };
  return { code: 200, body: { kind: 'LeaseList', apiVersion: 'coordination.k8s.io/v1', metadata, items } };
}

function watch(namespace: string, query: URLSearchParams, response: ServerResponse): void {
  const isSelected = selected(query);
  // A client that does not read keeps a response open that has ended: it is not written to again.
  const send = (type: string, object: object | undefined): void => {
    if (!response.writableEnded) response.write(`${JSON.stringify({ type, object })}\n`);
  };
  const since = query.get('resourceVersion') ?? '';
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  if (since !== '' && since !== '0' && Number(since) < compacted) {
    const text = `too old resource version: ${since} (${version})`;
    send('ERROR', status(410, 'Expired', text).body);
    response.end();
    return;
  }
  if (since === '' || since === '0') {
    for (const object of leases.values()) if (isSelected(namespace, object)) send('ADDED', object);
  } else {
    for (const { at, type, object } of changes) {
      if (at > Number(since) && isSelected(namespace, object)) send(type, object);
    }
  }
  const tell = ({ type, object }: Change): void => {
    if (isSelected(namespace, object)) send(type, object);
  };
  watchers.add(tell);
  const end = (): void => {
    send('ERROR', status(410, 'Expired', 'too old resource version').body);
    response.end();
  };
  streams.add(end);
  const timers = [
    setTimeout(() => response.end(), Number(query.get('timeoutSeconds') ?? 1_800) * 1_000),
    setInterval(() => {
      if (query.get('allowWatchBookmarks') !== 'true') return;
      const metadata = { resourceVersion: String(version), creationTimestamp: null };
      send('BOOKMARK', { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata, spec: {} });
    }, BOOKMARK_MS),
  ];
  response.on('close', () => {
    watchers.delete(tell);
    streams.delete(end);
    for (const timer of timers) clearInterval(timer);
  });
}

const noNamespace = (name: string) =>
  status(404, 'NotFound', `namespaces "${name}" not found`, { name, kind: 'namespaces' });

function onNamespace(user: string, name: string): Reply {
  if (user !== 'admin') {
    const text = `namespaces "${name}" is forbidden: User "${user}" cannot get resource "namespaces" in API group "" in the namespace "${name}"`;
    return status(403, 'Forbidden', text, { name, kind: 'namespaces' });
  }
  if (!NAMESPACES.has(name)) return noNamespace(name);
  const metadata = { name, uid: randomUUID(), resourceVersion: '1', creationTimestamp: timestamp() };
  const body = { kind: 'Namespace', apiVersion: 'v1', metadata };
  return { code: 200, body: { ...body, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } } };
}

/** Pods, as far as a label needs them. */
function onPods(user: string, method: string, namespace: string, name: string, body: Body): Reply {
  const key = `${namespace}/${name || body?.metadata?.name}`;
  const before = pods.get(key);
  const verb = VERBS[method];
  if (!mayDo(user, verb, namespace, name, 'pods')) {
    const text = `pods "${name}" is forbidden: User "${user}" cannot ${verb} resource "pods" in API group "" in the namespace "${namespace}"`;
    return status(403, 'Forbidden', text, { name, kind: 'pods' });
  }
  if (method === 'POST') return { code: 201, body: put('pods', key, 'ADDED', body) };
  if (before === undefined) {
    return status(404, 'NotFound', `pods "${name}" not found`, { name, kind: 'pods' });
  }
  if (method === 'GET') return { code: 200, body: before };
  const merged = Object.entries({ ...before.metadata.labels, ...body.metadata?.labels }).filter(
    ([, value]) => value !== null,
  );
  const { labels: _, ...metadata } = before.metadata;
  const labels = merged.length === 0 ? {} : { labels: Object.fromEntries(merged) as Record<string, string> };
  return {
    code: 200,
    body: put('pods', key, 'MODIFIED', { ...before, metadata: { ...metadata, ...labels } }),
  };
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

function onLeases(
  request: IncomingMessage,
  user: string,
  namespace: string,
  name: string,
  query: URLSearchParams,
  body: Body,
  response: ServerResponse,
): Reply | null {
  if (refusals.times > 0) {
    refusals.times--;
    const { status: code } = refusals;
    if (code === 429) response.setHeader('retry-after', '1');
    const text = code === 429 ? 'too many requests, please try again later' : 'refused by the test';
    return code === 429 ? { code, text } : status(code, 'Refused', text);
  }
  const isWatch = query.get('watch') === 'true' || query.get('watch') === '1';
  const verb =
    name === '' && request.method === 'GET' ? (isWatch ? 'watch' : 'list') : VERBS[request.method ?? ''];
  // A selector of one name counts as that name.
  const [, field = ''] = (query.get('fieldSelector') ?? '').split('metadata.name=');
  const object = verb === 'watch' || verb === 'list' ? field : name;
  if (!mayDo(user, verb, namespace, object)) return forbidden(user, verb, namespace, object);
  switch (verb) {
    case 'get':
      return leases.has(`${namespace}/${name}`)
        ? { code: 200, body: leases.get(`${namespace}/${name}`)! }
        : notFound(name);
    case 'create':
      return create(namespace, body);
    case 'update':
      return update(namespace, name, body);
    case 'delete':
      return remove(namespace, name, body);
    case 'list':
      return list(namespace, query);
    default:
      watch(namespace, query, response);
      return null;
  }
}

function onRbac(request: IncomingMessage, kind: string, namespace: string, name: string, body: Body): Reply {
  const store = kind === 'roles' ? 'roles' : 'bindings';
  if (request.method === 'GET') {
    const found = (store === 'roles' ? roles : bindings).get(`${namespace}/${name}`);
    return found === undefined
      ? status(404, 'NotFound', `${kind} "${name}" not found`)
      : { code: 200, body: found };
  }
  if (request.method === 'DELETE') {
    put(store, `${namespace}/${name}`, 'DELETED', { metadata: { name } });
    return { code: 200, body: { kind: 'Status', status: 'Success' } };
  }
  const object = { ...body, metadata: { ...body.metadata, namespace } };
  return { code: 201, body: put(store, `${namespace}/${body.metadata.name}`, 'ADDED', object) };
}

function onReview(user: string, body: Body): Reply {
  const { namespace, verb, name = '', resource } = body.spec.resourceAttributes;
  return { code: 201, body: { ...body, status: { allowed: mayDo(user, verb, namespace, name, resource) } } };
}

function onTest(path: string, query: URLSearchParams): Reply {
  if (path === 'compact') {
    compacted = version;
    changes.length = 0;
    if (query.get('endsWatches') === 'true') for (const end of streams) end();
  }
  if (path === 'refuse') {
    refusals = { status: Number(query.get('status')), times: Number(query.get('times')) };
  }
  if (path === 'token') limitedToken = query.get('value') ?? '';
  return { code: 200, body: {} };
}

function answer(request: IncomingMessage, text: string, response: ServerResponse): Reply | null {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'https://x');
  const user = userOf(request);
  if (user === null) return status(401, 'Unauthorized', 'Unauthorized');
  const body = text === '' ? undefined : JSON.parse(text);
  if (pathname.startsWith('/stand-in/')) return onTest(pathname.slice(10), query);
  const [, podNamespace, pod = ''] =
    /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\/([^/]+))?$/.exec(pathname) ?? [];
  if (podNamespace !== undefined) return onPods(user, request.method ?? '', podNamespace, pod, body);
  const [, place] = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(pathname) ?? [];
  if (place !== undefined) return onNamespace(user, place);
  if (pathname === '/version') return { code: 200, body: { gitVersion: 'v1.20.2' } };
  if (pathname === '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews') return onReview(user, body);
  const [, group, namespace = '', kind = '', name = ''] =
    /^\/apis\/([^/]+)\/v1\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  if (group === 'coordination.k8s.io' && kind === 'leases') {
    return onLeases(request, user, namespace, name, query, body, response);
  }
  if (group === 'rbac.authorization.k8s.io') return onRbac(request, kind, namespace, name, body);
  return { code: 404, text: '404 page not found\n' };
}

const server = createServer(
  {
    key: readFileSync(join(folder, 'key.pem')),
    cert: readFileSync(join(folder, 'cert.pem')),
    keepAliveTimeout: 90_000,
  },
  (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const reply = answer(request, Buffer.concat(pieces).toString('utf8'), response);
      if (reply === null) return;
      const isText = reply.text !== undefined;
      response.writeHead(reply.code, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? reply.text : `${JSON.stringify(reply.body)}\n`);
    });
  },
);
server.listen(Number(port), '127.0.0.1');
