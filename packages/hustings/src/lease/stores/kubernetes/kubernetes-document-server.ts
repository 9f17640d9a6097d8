/** Documents in Lease objects: one for each election, and one for the settings. */
import { StoreError } from '../../core/store-error.ts';
import type { Probe } from '../../lease-store.ts';
import {
  type DocumentKey,
  type DocumentServer,
  type DocumentWrite,
  SETTINGS,
  type StoredDocument,
  type WriteAnswer,
} from '../document/document-server.ts';
import { parseSettings } from '../document/document-text.ts';
import { dateOf, NO_DATE } from '../http-client.ts';
import type { Asked } from './kubernetes-error.ts';
import { probeKubernetes } from './kubernetes-probe.ts';
import type { ApiReply, ApiRequest, KubernetesRequests } from './kubernetes-requests.ts';
import { KubernetesWatches } from './kubernetes-watches.ts';
import {
  KIND_LABEL,
  type LeaseObject,
  leaseObject,
  NAME,
  storedDocument,
  versionOf,
} from './lease-object.ts';
import { leasesPath, objectName, SETTINGS_OBJECT } from './object-name.ts';

const MAX_LISTED = 500;
const MAX_AT_ONCE = 16;
/** As the elector: a request takes at most 2/15 of the TTL. */
const REQUEST_OF_TTL = 2 / 15;
const MIN_TIMEOUT_MS = 250;

export class KubernetesDocumentServer implements DocumentServer {
  readonly label: string;
  readonly clockResolutionMs = 1_000;
  readonly capabilities = {
    linearizable: true,
    survivesCrash: true,
    survivesFailover: true,
    push: true,
    tickClock: 'member' as const,
    caveats: [
      'Leases survive the loss of a server if etcd has several members and clients reach several API servers.',
      'Deleting the Lease object of an election frees the lease while its holder still works. Then only a fence protects ' +
        'the resource. An older object that is created in its place is granted after one TTL.',
      'A candidate that uses client-go in the same election has no token and is not in the history, and it ignores ' +
        'priorities, reservations and the time for which a holder asked to be kept free.',
      'A role that may not read the settings (the Lease x-hustings-settings) works without them. Tokens that were raised by ' +
        'hand, or belong to deleted elections, are then exceeded only by the clock of the candidate.',
    ],
  };
  readonly maxItems = 1;
  readonly #requests: KubernetesRequests;
  readonly #wallMs: () => number;
  readonly #timeoutMs: number;
  readonly #watches: KubernetesWatches;
  #hasNamespace = false;

  constructor(requests: KubernetesRequests, timeoutMs: number, wallMs: () => number) {
    this.label = requests.label;
    this.#requests = requests;
    this.#timeoutMs = timeoutMs;
    this.#wallMs = wallMs;
    this.#watches = new KubernetesWatches(requests);
    requests.onStall = () => this.#watches.restart();
  }

  async read(keys: readonly DocumentKey[]): Promise<readonly (StoredDocument | null)[]> {
    return inTurns(keys, (key) => this.#readOne(key));
  }

  async #readOne(key: DocumentKey): Promise<StoredDocument | null> {
    const object = objectOf(key);
    const reply = await this.#send('get', object, { method: 'GET' });
    if (reply.status === 200) return storedDocument(reply.body as unknown as LeaseObject);
    if (reply.status === 404 && isOfObject(reply)) {
      if (key === SETTINGS) await this.#checkNamespace();
      return null;
    }
    // A role for one election: it has no settings.
    if (reply.status === 403 && key === SETTINGS) return null;
    throw await this.#refusal(reply, 'get', object);
  }

  async write(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    return inTurns(writes, (write) =>
      this.#writeOne(write).catch((error: StoreError): WriteAnswer => ({ type: 'failed', error })),
    );
  }

  async #writeOne(write: DocumentWrite): Promise<WriteAnswer> {
    const { key, revision, election, text, effect } = write;
    const object = objectOf(key);
    const body = leaseObject(write, object, this.#wallMs());
    const ttlMs = effect === 'none' ? undefined : election?.row.holder?.ttlMs;
    const timeoutMs =
      ttlMs === undefined
        ? this.#timeoutMs
        : Math.min(this.#timeoutMs, Math.max(MIN_TIMEOUT_MS, Math.ceil(ttlMs * REQUEST_OF_TTL)));
    const verb = revision === null ? 'create' : 'update';
    const reply = await this.#send(verb, object, {
      method: revision === null ? 'POST' : 'PUT',
      body,
      timeoutMs,
    });
    if (reply.status === 200 || reply.status === 201) {
      const { revision, incarnation } = storedDocument(reply.body as unknown as LeaseObject);
      return { type: 'ok', revision, ...(incarnation === undefined ? {} : { incarnation }) };
    }
    const isEmpty = key === SETTINGS && parseSettings(text).pastToken === 0n;
    // Settings that this role may create but not read: another try would find the same conflict.
    const isHidden = reply.status === 409 && isEmpty && revision === null && (await this.#isHidden(object));
    if (isHidden) return { type: 'ok', revision: '' };
    if (reply.status === 409) return { type: 'conflict' };
    // Deleted since it was read.
    if (reply.status === 404 && revision !== null && isOfObject(reply)) return { type: 'conflict' };
    if (reply.status === 403 && isEmpty) return { type: 'ok', revision: '' };
    throw await this.#refusal(reply, verb, object);
  }

  async #isHidden(object: string): Promise<boolean> {
    return (await this.#send('get', object, { method: 'GET' })).status === 403;
  }

  async remove(name: string, revision: string): Promise<boolean> {
    const object = objectName(name);
    const reply = await this.#send('delete', object, {
      method: 'DELETE',
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: versionOf(revision) },
    });
    if (reply.status === 200) return true;
    if (reply.status === 409 || (reply.status === 404 && isOfObject(reply))) return false;
    throw await this.#refusal(reply, 'delete', object);
  }

  async names(): Promise<readonly string[]> {
    const names: string[] = [];
    for (let next = ''; ; ) {
      const query = new URLSearchParams({
        labelSelector: `${KIND_LABEL}=election`,
        limit: String(MAX_LISTED),
        ...(next === '' ? {} : { continue: next }),
      });
      const reply = await this.#send('list', '', { method: 'GET' }, `?${query}`);
      if (reply.status === 410) {
        // The list took too long, and the server has forgotten its beginning.
        names.length = 0;
        next = '';
        continue;
      }
      if (reply.status !== 200) throw await this.#refusal(reply, 'list', '');
      const { items, metadata } = reply.body as unknown as {
        items: readonly LeaseObject[] | null;
        metadata: { continue?: string };
      };
      for (const { metadata: each } of items ?? []) names.push(each.annotations?.[NAME] ?? each.name);
      next = metadata.continue ?? '';
      if (next !== '') continue;
      if (names.length === 0) await this.#checkNamespace();
      return names;
    }
  }

  watch(name: string, onChange: (document: StoredDocument | null) => void): () => void {
    return this.#watches.watch(objectName(name), (object) =>
      onChange(object === null ? null : storedDocument(object)),
    );
  }

  isPushing(): boolean {
    return this.#watches.isPushing;
  }

  /** Each answer says it, also a refusal. */
  async clock(): Promise<number> {
    const time = dateOf(await this.#requests.send({ method: 'GET', path: '/version' }));
    if (time !== null) return time;
    throw new StoreError('unusable', `${this.label} ${NO_DATE}`);
  }

  probe(): Promise<Omit<Probe, 'clockOffsetMs'>> {
    return probeKubernetes(this.#requests);
  }

  async close(): Promise<void> {
    this.#watches.close();
    this.#requests.close();
  }

  /** Reads in a namespace that does not exist find nothing. A user that may not look is told with the first write. */
  async #checkNamespace(): Promise<void> {
    if (this.#hasNamespace) return;
    const path = `/api/v1/namespaces/${await this.#requests.namespace()}`;
    const reply = await this.#requests.send({ method: 'GET', path });
    if (reply.status === 404) throw await this.#refusal(reply, 'get', '');
    this.#hasNamespace = reply.status === 200 || reply.status === 403;
  }

  /** `object` is '' for all Lease objects of the namespace. */
  async #send(
    verb: Asked['verb'],
    object: string,
    request: Omit<ApiRequest, 'path'>,
    query = '',
  ): Promise<ApiReply> {
    const namespace = await this.#requests.namespace();
    const place = verb === 'create' || object === '' ? '' : `/${object}`;
    return this.#requests.send({ ...request, path: `${leasesPath(namespace)}${place}${query}` });
  }

  async #refusal(reply: ApiReply, verb: Asked['verb'], object: string): Promise<StoreError> {
    return this.#requests.refusal(reply, { verb, object, namespace: await this.#requests.namespace() });
  }
}

/** A few at a time, so that no request of a long list times out while it waits for a connection. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await act(items[index]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, items.length) }, work));
  return results;
}

const objectOf = (key: DocumentKey): string => (key === SETTINGS ? SETTINGS_OBJECT : objectName(key));

/** Whether the answer says that this object is missing, and not its namespace or the whole API. */
function isOfObject({ body }: ApiReply): boolean {
  const details = body?.details as { readonly kind?: string; readonly name?: string } | undefined;
  return body?.kind === 'Status' && details?.kind === 'leases';
}
