/**
 * Documents in etcd. A document and the key of its holder are read in one transaction and written in one. The key of the
 * holder is tied to a lease of etcd: when etcd has deleted it, the holder's session has ended.
 *
 * The writes of a list are transactions within one transaction: a compare that fails affects its own document alone.
 */
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
import {
  type CallOptions,
  type Compare,
  decode,
  EtcdClient,
  encode,
  type Operation,
  type Transaction,
} from './etcd-client.ts';
import { isLeaseGone } from './etcd-error.ts';
import { EtcdSessions } from './etcd-sessions.ts';
import type { EtcdSettings } from './etcd-settings.ts';
import { after, EtcdWatch } from './etcd-watch.ts';

/** etcd allows 128 operations in a transaction by default, those of the transactions within it included. */
const AT_ONCE = 60;
/** etcd refuses a request of more than 1.5 MiB by default. */
const MOST_BYTES = 1_000_000;

/** The lease of etcd to which the key of a holder is tied, and whether the present write ties it. */
interface HolderSession {
  readonly ttlMs: number;
  readonly id: string;
  readonly isNew: boolean;
}

export class EtcdServer implements DocumentServer {
  readonly label: string;
  readonly capabilities = {
    linearizable: true,
    survivesCrash: true,
    survivesFailover: true,
    push: true,
    caveats: [
      'A cluster of fewer than three members does not survive the loss of one.',
      'A restored backup has forgotten terms. Its tokens still increase, unless the clocks of the candidates were set back; ' +
        'a lease that it has forgotten is granted although its holder may still work.',
    ],
  };
  readonly #client: EtcdClient;
  readonly #sessions: EtcdSessions;
  readonly #watch: EtcdWatch;
  readonly #settingsKey: string;
  readonly #documents: string;
  readonly #holders: string;
  /** The session to which the key of each held election is tied. */
  readonly #sessionOf = new Map<string, HolderSession>();

  constructor(settings: EtcdSettings) {
    const { prefix } = settings;
    this.label = settings.label;
    this.#client = new EtcdClient(settings);
    this.#sessions = new EtcdSessions(this.#client);
    this.#settingsKey = `${prefix}settings`;
    this.#documents = `${prefix}election/`;
    this.#holders = `${prefix}holder/`;
    this.#watch = new EtcdWatch(this.#client, this.#holders, `${prefix}holder-test/`);
    this.#client.onStall = () => this.#watch.restart();
  }

  async read(keys: readonly DocumentKey[]): Promise<readonly (StoredDocument | null)[]> {
    const lists = await Promise.all(chunks(keys, AT_ONCE).map((chunk) => this.#readChunk(chunk)));
    return lists.flat();
  }

  async #readChunk(keys: readonly DocumentKey[]): Promise<(StoredDocument | null)[]> {
    const range = (key: string): Operation => ({ request_range: { key: encode(key) } });
    const success = keys.flatMap((key) => [range(this.#keyOf(key)), range(this.#holderOf(key))]);
    const { responses = [] } = await this.#client.transaction({ success }, { isRepeatable: true });
    const found = responses.map(({ response_range }) => response_range?.kvs?.[0]);
    return keys.map((key, index) => {
      const [document, holder] = found.slice(2 * index, 2 * index + 2);
      // Perhaps another connection of the holder has tied the key to its own session: the next renewal ties it again.
      if (this.#sessionOf.get(String(key))?.id !== holder?.lease) this.#sessionOf.delete(String(key));
      if (document === undefined) return null;
      const isGone = key !== SETTINGS && holder === undefined;
      return {
        text: decode(document.value ?? ''),
        revision: document.mod_revision,
        ...(isGone ? { holder: { type: 'gone' } as const } : {}),
      };
    });
  }

  async write(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    const lists = await Promise.all(writeLists(writes).map((list) => this.#writeChunk(list)));
    return lists.flat();
  }

  /** In one chunk, which has as many compares as etcd allows. */
  async writeAll(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    if (writeLists(writes).length <= 1) return this.#writeChunk(writes, true);
    const bytes = writes.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const text =
      `a transaction of etcd changes at most ${AT_ONCE} elections with ${MOST_BYTES} bytes in all, not ${writes.length} with ` +
      `${bytes}; give fewer names`;
    const error = new StoreError('unusable', `${this.label}: ${text}`);
    return writes.map(() => ({ type: 'failed', error }));
  }

  /** `isWhole`: all or none. A single write needs no transaction around it. */
  async #writeChunk(writes: readonly DocumentWrite[], isWhole = writes.length === 1): Promise<WriteAnswer[]> {
    let sessions: ReadonlyMap<DocumentWrite, HolderSession> = new Map();
    try {
      sessions = await this.#sessionsOf(writes);
      const parts = writes.map((write) => this.#transaction(write, sessions.get(write)));
      // Both must succeed: see etcd-sessions.ts.
      const [answer, ended] = await Promise.all([
        this.#client.transaction(isWhole ? joined(parts) : { success: parts.map(within) }, shortest(writes)),
        this.#ended([...sessions.values()].filter(({ isNew }) => !isNew)),
      ]);
      return writes.map((write, index): WriteAnswer => {
        const { key, effect } = write;
        const { succeeded } = (isWhole ? answer : answer.responses?.[index]?.response_txn) ?? {};
        const session = sessions.get(write);
        const hasEnded = session !== undefined && ended.has(session.id);
        if (effect === 'end' || hasEnded) this.#sessionOf.delete(String(key));
        else if (succeeded && session !== undefined) this.#sessionOf.set(String(key), session);
        return succeeded && !hasEnded
          ? { type: 'ok', revision: answer.header.revision }
          : { type: 'conflict' };
      });
    } catch (error) {
      if (!isLeaseGone(error)) return writes.map(() => ({ type: 'failed', error: error as StoreError }));
      this.#sessions.forget([...sessions.values()].map(({ id }) => id));
      return writes.map(() => ({ type: 'conflict' }));
    }
  }

  /** Of the holders whose leases begin or go on. */
  async #sessionsOf(writes: readonly DocumentWrite[]): Promise<ReadonlyMap<DocumentWrite, HolderSession>> {
    const held = writes.filter(({ effect }) => effect === 'grant' || effect === 'extend');
    // Looked up before anything is awaited: an answer that arrives meanwhile changes them.
    const known = new Map(held.map((write) => [write, this.#knownSession(write)]));
    const fresh = new Map<number, string>();
    await Promise.all(
      [...ttlsOf(held.filter((write) => known.get(write) === undefined))].map(async (ttlMs) => {
        fresh.set(ttlMs, await this.#sessions.fresh(ttlMs));
      }),
    );
    return new Map(
      held.map((write): [DocumentWrite, HolderSession] => {
        const ttlMs = write.election!.row.spanMs;
        const session = known.get(write);
        if (session !== undefined) return [write, { ...session, isNew: false }];
        return [write, { ttlMs, id: fresh.get(ttlMs)!, isNew: true }];
      }),
    );
  }

  /** Undefined if the write must tie the key to one: with a new term, from another connection, or with a new TTL. */
  #knownSession({ key, effect, election }: DocumentWrite): HolderSession | undefined {
    const session = this.#sessionOf.get(String(key));
    return effect === 'extend' && session?.ttlMs === election!.row.spanMs ? session : undefined;
  }

  async #ended(sessions: readonly HolderSession[]): Promise<ReadonlySet<string>> {
    const ended = new Set<string>();
    const ttlOf = new Map(sessions.map(({ id, ttlMs }) => [id, ttlMs]));
    await Promise.all(
      [...ttlOf].map(async ([id, ttlMs]) => {
        if (!(await this.#sessions.kept(id, ttlMs))) ended.add(id);
      }),
    );
    return ended;
  }

  #transaction(
    { key, text, revision, effect, notifies, election }: DocumentWrite,
    session: HolderSession | undefined,
  ): Transaction {
    const documentKey = encode(this.#keyOf(key));
    const holderKey = encode(this.#holderOf(key));
    const compare: Compare[] = [
      revision === null
        ? { key: documentKey, target: 'CREATE', create_revision: '0' }
        : { key: documentKey, target: 'MOD', mod_revision: revision },
    ];
    const success: Operation[] = [{ request_put: { key: documentKey, value: encode(text) } }];
    const value = encode(election?.row.holder?.nonce ?? '');
    const isHeld: Compare = { key: holderKey, target: 'VALUE', value };
    if (effect === 'end') success.push({ request_delete_range: { key: holderKey } });
    else if (session?.isNew) {
      if (effect === 'extend') compare.push(isHeld);
      success.push({ request_put: { key: holderKey, value, lease: session.id } });
    } else if (session !== undefined) {
      compare.push({ key: holderKey, target: 'LEASE', lease: session.id });
    } else if (notifies) {
      // A touch, so that watchers are notified.
      compare.push(isHeld);
      success.push({ request_put: { key: holderKey, ignore_value: true, ignore_lease: true } });
    }
    return { compare, success };
  }

  async remove(name: string, revision: string): Promise<boolean> {
    const key = encode(this.#keyOf(name));
    const { succeeded = false } = await this.#client.transaction({
      compare: [{ key, target: 'MOD', mod_revision: revision }],
      success: [{ request_delete_range: { key } }],
    });
    return succeeded;
  }

  async names(): Promise<readonly string[]> {
    const found = await this.#client.range(this.#documents, after(this.#documents), true);
    return found.map(({ key }) => decode(key).slice(this.#documents.length));
  }

  watch(name: string, onChange: (document: StoredDocument | null) => void): () => void {
    return this.#watch.add(name, () => onChange(null));
  }

  isPushing(): boolean {
    return this.#watch.isPushing;
  }

  async probe(): Promise<Probe> {
    const before = performance.now();
    const version = await this.#client.version();
    const roundTripMs = performance.now() - before;
    await this.read([SETTINGS]);
    const { members = [] } = await this.#client
      .call<{ members?: object[] }>('/v3/cluster/member/list', {})
      .catch(() => ({ members: undefined }));
    const warnings =
      members.length === 0 || members.length >= 3
        ? []
        : [`the cluster has ${members.length} of at least 3 members that survive the loss of one`];
    return { server: `etcd ${version}`, roundTripMs, clockOffsetMs: 0, problems: [], warnings };
  }

  async close(): Promise<void> {
    this.#watch.close();
    this.#client.close();
  }

  #keyOf(key: DocumentKey): string {
    return key === SETTINGS ? this.#settingsKey : this.#documents + key;
  }

  #holderOf(key: DocumentKey): string {
    return key === SETTINGS ? this.#settingsKey : this.#holders + key;
  }
}

const within = (part: Transaction): Operation => ({ request_txn: part });

const joined = (parts: readonly Transaction[]): Transaction => ({
  compare: parts.flatMap(({ compare = [] }) => compare),
  success: parts.flatMap(({ success = [] }) => success),
});

const ttlsOf = (writes: readonly DocumentWrite[]): Set<number> =>
  new Set(writes.map(({ election }) => election!.row.spanMs));

/** Of the holders whose leases begin or go on. */
function shortest(writes: readonly DocumentWrite[]): CallOptions {
  const ttls = ttlsOf(writes.filter(({ effect }) => effect === 'grant' || effect === 'extend'));
  return ttls.size === 0 ? {} : { ttlMs: Math.min(...ttls) };
}

/** Each fits into one transaction and one request. */
function writeLists(writes: readonly DocumentWrite[]): DocumentWrite[][] {
  const lists: DocumentWrite[][] = [];
  let bytes = 0;
  for (const write of writes) {
    const list = lists.at(-1);
    const length = Buffer.byteLength(write.text);
    if (list === undefined || list.length === AT_ONCE || bytes + length > MOST_BYTES) {
      lists.push([write]);
      bytes = length;
    } else {
      list.push(write);
      bytes += length;
    }
  }
  return lists;
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
