/**
 * Documents in etcd. A second key stands for the holder of each document. It is written when a term begins, ends, or is to end, so
 * that a watch of these keys wakes those who wait and is silent during renewals. Both are read in one transaction and written in
 * one, which compares the revision of the document and the nonce in the key of the holder: after the restore of a backup,
 * another document may have the same revision.
 *
 * No key is tied to a lease of etcd, because the end of such a lease proves nothing: etcd ends leases that are kept alive when the
 * disk of its leader hangs (etcd issue 15247), and so does an operator who revokes them. A key of a holder that is gone is a
 * reason to look at the document, and the holder writes it again with its next renewal.
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
import type { EtcdSettings } from './etcd-settings.ts';
import { after, EtcdWatch } from './etcd-watch.ts';

/** etcd allows 128 operations in a transaction by default, those of the transactions within it included. */
const AT_ONCE = 60;
/** etcd refuses a request of more than 1.5 MiB by default. */
const MAX_BYTES = 1_000_000;

/** What a write replaces. */
interface Revision {
  /** The revision in which the document was written; '0' if there is no document. */
  readonly document: string;
  /** The value of the holder's key: the nonce of the holder, '' if the lease is over. Null if there is no such key. */
  readonly holder: string | null;
}

const revisionText = (revision: Revision): string => JSON.stringify(revision);
const parseRevision = (text: string): Revision => JSON.parse(text);

export class EtcdServer implements DocumentServer {
  readonly label: string;
  readonly clockResolutionMs = 1_000;
  readonly capabilities = {
    linearizable: true,
    survivesCrash: true,
    survivesFailover: true,
    push: true,
    tickClock: 'member' as const,
    caveats: [
      'A cluster of fewer than three members does not survive the loss of one.',
      'A restored backup has forgotten terms. Its tokens still increase, unless the clocks of the candidates were set back. ' +
        'If the restored cluster has another id, the elections in the backup are granted after one TTL, and the others after one TTL to a ' +
        'process that knew the old cluster. Otherwise a forgotten lease is granted although its holder may still work.',
    ],
  };
  readonly #client: EtcdClient;
  readonly #watch: EtcdWatch;
  readonly #settingsKey: string;
  readonly #documents: string;
  readonly #holders: string;
  /** The cluster that answered the latest read. */
  #cluster: { readonly id: string | undefined; readonly sinceMs: number | null } | null = null;

  constructor(settings: EtcdSettings) {
    const { prefix } = settings;
    this.label = settings.label;
    this.#client = new EtcdClient(settings);
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
    const { header, responses = [] } = await this.#client.transaction({ success }, { isRepeatable: true });
    // A snapshot that is restored begins a cluster; its id is another one, unless token and members are those of the old cluster.
    const { cluster_id: incarnation } = header;
    const absentForMs = this.#knownForMs(incarnation);
    const found = responses.map(({ response_range }) => response_range?.kvs?.[0]);
    return keys.map((key, index) => {
      const [document, holder] = found.slice(2 * index, 2 * index + 2);
      const value = key === SETTINGS || holder === undefined ? null : decode(holder.value ?? '');
      if (document === undefined) {
        if (key === SETTINGS || absentForMs === undefined) return null;
        return { text: null, revision: revisionText({ document: '0', holder: value }), absentForMs };
      }
      const revision = revisionText({ document: document.mod_revision, holder: value });
      const text = decode(document.value ?? '');
      return incarnation === undefined ? { text, revision } : { text, revision, incarnation };
    });
  }

  /** For how long this process has known the cluster; undefined if it has known no other one before. */
  #knownForMs(id: string | undefined): (() => Promise<number>) | undefined {
    const before = this.#cluster;
    const sinceMs = before === null ? null : before.id === id ? before.sinceMs : performance.now();
    this.#cluster = { id, sinceMs };
    return sinceMs === null ? undefined : async () => Math.floor(performance.now() - sinceMs);
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
      `a transaction of etcd changes at most ${AT_ONCE} elections with ${MAX_BYTES} bytes in all, not ${writes.length} with ` +
      `${bytes}; give fewer names`;
    const error = new StoreError('unusable', `${this.label}: ${text}`);
    return writes.map(() => ({ type: 'failed', error }));
  }

  /** `isWhole`: all or none. A single write needs no transaction around it. */
  async #writeChunk(writes: readonly DocumentWrite[], isWhole = writes.length === 1): Promise<WriteAnswer[]> {
    const parts = writes.map((write) => this.#part(write));
    const transactions = parts.map(({ transaction }) => transaction);
    const whole = isWhole ? joined(transactions) : { success: transactions.map(within) };
    try {
      const answer = await this.#client.transaction(whole, shortest(writes));
      return parts.map(({ holder }, index): WriteAnswer => {
        const { succeeded } = (isWhole ? answer : answer.responses?.[index]?.response_txn) ?? {};
        if (!succeeded) return { type: 'conflict' };
        const { revision: document, cluster_id: incarnation } = answer.header;
        const revision = revisionText({ document, holder });
        return { type: 'ok', revision, ...(incarnation === undefined ? {} : { incarnation }) };
      });
    } catch (error) {
      return writes.map(() => ({ type: 'failed', error: error as StoreError }));
    }
  }

  /** The transaction of one write, and the value of the holder's key after it. */
  #part({ key, text, revision, effect, notifies, election }: DocumentWrite): {
    readonly transaction: Transaction;
    readonly holder: string | null;
  } {
    const document = encode(this.#keyOf(key));
    const before = revision === null ? null : parseRevision(revision);
    const compare: Compare[] = [
      before === null
        ? { key: document, target: 'CREATE', create_revision: '0' }
        : { key: document, target: 'MOD', mod_revision: before.document },
    ];
    const success: Operation[] = [{ request_put: { key: document, value: encode(text) } }];
    if (election === null) return { transaction: { compare, success }, holder: null };
    const holderKey = encode(this.#holderOf(key));
    if (before !== null) {
      compare.push(
        before.holder === null
          ? { key: holderKey, target: 'CREATE', create_revision: '0' }
          : { key: holderKey, target: 'VALUE', value: encode(before.holder) },
      );
    }
    const holder = election.row.holder?.nonce ?? '';
    const isMissing = effect === 'extend' && before?.holder !== holder;
    const isWritten = effect === 'grant' || effect === 'end' || notifies || isMissing;
    if (!isWritten) return { transaction: { compare, success }, holder: before?.holder ?? null };
    success.push({ request_put: { key: holderKey, value: encode(holder) } });
    return { transaction: { compare, success }, holder };
  }

  async remove(name: string, revision: string): Promise<boolean> {
    const key = encode(this.#keyOf(name));
    const deleted = [key, encode(this.#holderOf(name))];
    const { succeeded = false } = await this.#client.transaction({
      compare: [{ key, target: 'MOD', mod_revision: parseRevision(revision).document }],
      success: deleted.map((each) => ({ request_delete_range: { key: each } })),
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

  clock(isDoubted: boolean): Promise<number> {
    return this.#client.time(isDoubted);
  }

  async probe(): Promise<Omit<Probe, 'clockOffsetMs'>> {
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
    return { server: `etcd ${version}`, roundTripMs, problems: [], warnings };
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
  new Set(writes.map(({ election }) => election!.row.durationMs));

/** The shortest TTL of the holders whose leases begin or go on. */
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
    if (list === undefined || list.length === AT_ONCE || bytes + length > MAX_BYTES) {
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
