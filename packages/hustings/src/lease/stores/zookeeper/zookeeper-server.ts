/**
 * Documents in ZooKeeper. The node of an election holds its document, and a second node stands for its holder. Every change is
 * one transaction over both. The node of the holder is ephemeral: it shows operators who leads, and wakes the first waiter when
 * it vanishes. Its absence proves nothing. The leader among the servers hears of the clients of the others with a delay, which a
 * bad link makes as long as it likes, so it may end a session just after a server has answered its client. A lease is over when
 * a candidate has observed the same record for a whole TTL.
 *
 * A read begins with a transaction that changes nothing: a server that lags behind answers what follows only when it has caught
 * up with that transaction.
 */
import { randomUUID } from 'node:crypto';
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
import { ZookeeperClient } from './zookeeper-client.ts';
import { zookeeperError } from './zookeeper-error.ts';
import { ZookeeperNodes } from './zookeeper-nodes.ts';
import {
  BAD_VERSION,
  NO_NODE,
  NODE_EXISTS,
  type NodeOperation,
  ZookeeperAnswerError,
} from './zookeeper-protocol.ts';
import { ZookeeperQueue } from './zookeeper-queue.ts';
import { dataText, parseData, parseRevision, type Revision, revisionText } from './zookeeper-revision.ts';
import type { ZookeeperSession } from './zookeeper-session.ts';
import type { ZookeeperSettings } from './zookeeper-settings.ts';

/** A server refuses a request of more than 1 MiB by default, and ends the connection. */
const MAX_BYTES = 900_000;

const EPHEMERAL = 1;

const CONFLICTS: readonly number[] = [NO_NODE, BAD_VERSION, NODE_EXISTS];

export class ZookeeperServer implements DocumentServer {
  readonly label: string;
  readonly clockResolutionMs = 1;
  readonly capabilities = {
    linearizable: true,
    survivesCrash: true,
    survivesFailover: true,
    push: true,
    tickClock: 'leader' as const,
    caveats: [
      'Fewer than three servers do not survive the loss of one.',
      'The end of a session does not prove that a lease is over: a candidate observes the record for a whole TTL.',
      'A restored backup, and a server whose forceSync is off, may have forgotten terms. Tokens still increase, unless the clocks of ' +
        'the candidates were set back; a lease that was forgotten is granted although its holder may still work.',
    ],
  };
  readonly #settings: ZookeeperSettings;
  readonly #client: ZookeeperClient;
  readonly #nodes: ZookeeperNodes;
  readonly #queue: ZookeeperQueue;
  /** Elections whose holder's node may belong to this session. */
  readonly #held = new Set<string>();
  #prepared: Promise<unknown> | null = null;

  constructor(settings: ZookeeperSettings) {
    this.label = settings.label;
    this.#settings = settings;
    this.#client = new ZookeeperClient(settings);
    this.#nodes = new ZookeeperNodes(settings.prefix);
    this.#queue = new ZookeeperQueue(this.#client, this.#nodes, {
      holds: (name) => this.#held.has(name),
      prepare: () => this.#prepare(),
    });
  }

  read(keys: readonly DocumentKey[]): Promise<readonly (StoredDocument | null)[]> {
    return this.#errors(async () => {
      // All on one connection: the server answers them in this order.
      const { requests } = this.#client;
      const { session } = this.#client;
      const barrier = this.#barrier(session);
      const documents = keys.map((key) => {
        const document = session.request(requests.get(this.#nodes.document(key))).catch(ifNoNode(null));
        if (key === SETTINGS) return settled([document, null]);
        const holder = session.request(requests.exists(this.#nodes.holder(key))).catch(ifNoNode(null));
        return settled([document, holder]);
      });
      const [, ...found] = await settled([barrier, ...documents]);
      return keys.map((key, index) => {
        const [document, holder] = found[index] as Awaited<(typeof documents)[number]>;
        const owner = holder?.ephemeralOwner ?? null;
        if (key !== SETTINGS && owner !== session.id) this.#drop(key);
        // Somebody deleted the document, and not the node of its holder: the next holder replaces it.
        if (document === null && holder === null) return null;
        if (document === null) {
          return { text: null, revision: revisionText({ version: -1, owner, incarnation: '' }) };
        }
        const { text, incarnation } = parseData(document.data);
        return {
          text,
          revision: revisionText({ version: document.stat.version, owner, incarnation }),
        };
      });
    });
  }

  /** Whether it succeeds or not, the answers that follow on this connection see every write that was acknowledged before. */
  #barrier(session: ZookeeperSession): Promise<unknown> {
    const check = { type: 'check', path: this.#nodes.prefix, version: -1 } as const;
    return session.request(this.#client.requests.transaction([check])).catch((error: unknown) => {
      if (codeOf(error) === null) throw error;
    });
  }

  async write(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    const lists = await this.#writeLists(writes.map((write) => [write]));
    return lists.flat();
  }

  async writeAll(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    const bytes = writes.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    if (bytes <= MAX_BYTES) return (await this.#writeLists([writes])).flat();
    const text = `the documents of ${writes.length} elections have ${bytes} bytes, and a transaction of ZooKeeper at most ${MAX_BYTES}`;
    const error = new StoreError('unusable', `${this.label}: ${text}; give fewer names`);
    return writes.map(() => ({ type: 'failed', error }));
  }

  /** One transaction for each list. */
  async #writeLists(lists: readonly (readonly DocumentWrite[])[]): Promise<readonly WriteAnswer[]> {
    try {
      await this.#prepare();
      const session = await this.#client.established();
      return (await Promise.all(lists.map((list) => this.#write(session, list)))).flat();
    } catch (error) {
      const failure = zookeeperError(this.#settings, error);
      return lists.flat().map(() => ({ type: 'failed', error: failure }));
    }
  }

  /** In one transaction. */
  async #write(session: ZookeeperSession, writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    const parts = writes.map((write) => this.#transaction(session, write));
    // Before it is sent: its answer may be lost.
    const holds = (): void => {
      for (const { key, effect } of writes) {
        if (key !== SETTINGS && (effect === 'grant' || effect === 'extend')) this.#hold(key);
      }
    };
    holds();
    try {
      await session.request(this.#client.requests.transaction(parts.flatMap(({ operations }) => operations)));
      // And again: a read that was answered meanwhile may have seen the nodes before.
      holds();
    } catch (error) {
      const code = codeOf(error);
      if (code === NO_NODE) this.#prepared = null;
      if (code !== null && CONFLICTS.includes(code)) return writes.map(() => ({ type: 'conflict' }));
      const failure = zookeeperError(this.#settings, error);
      return writes.map(() => ({ type: 'failed', error: failure }));
    }
    for (const { key, effect, election } of writes) {
      if (key === SETTINGS || effect !== 'end') continue;
      this.#drop(key);
      if (election!.row.successor !== null) this.#queue.call(key);
    }
    return parts.map(({ after }) => ({ type: 'ok', revision: revisionText(after) }));
  }

  #transaction(
    session: ZookeeperSession,
    { key, text, revision, effect, notifies, election }: DocumentWrite,
  ): { readonly operations: readonly NodeOperation[]; readonly after: Revision } {
    const path = this.#nodes.document(key);
    const before = revision === null ? null : parseRevision(revision);
    const isNew = before === null || before.version < 0;
    // A new incarnation for each term: after the restore of a backup, the document of another term may have the same version.
    const incarnation = isNew || effect === 'grant' ? randomUUID() : before.incarnation;
    const data = dataText({ text, incarnation });
    const child = this.#nodes.incarnation(key, incarnation);
    const create = { type: 'create', path: child, data: '', flags: 0 } as const;
    const operations: NodeOperation[] = [];
    if (isNew) operations.push({ type: 'create', path, data, flags: 0 }, create);
    else {
      const childBefore = this.#nodes.incarnation(key, before.incarnation);
      // A document that was deleted and created again may have the version of the deleted one.
      operations.push({
        type: incarnation === before.incarnation ? 'check' : 'delete',
        path: childBefore,
        version: -1,
      });
      if (incarnation !== before.incarnation) operations.push(create);
      operations.push({ type: 'set', path, data, version: before.version });
    }
    let owner = before?.owner ?? null;
    if (key !== SETTINGS) {
      const holder = this.#nodes.holder(key);
      const nonce = election?.row.holder?.nonce ?? '';
      if (effect === 'grant' || (effect === 'extend' && owner !== session.id)) {
        // The node of another session is never adopted: it vanishes with that session.
        if (owner !== null) operations.push({ type: 'delete', path: holder, version: -1 });
        operations.push({ type: 'create', path: holder, data: nonce, flags: EPHEMERAL });
        owner = session.id;
      } else if (effect === 'extend') operations.push({ type: 'check', path: holder, version: -1 });
      else if (effect === 'end' && owner !== null) {
        operations.push({ type: 'delete', path: holder, version: -1 });
        owner = null;
      } else if (notifies && owner !== null)
        operations.push({ type: 'set', path: holder, data: nonce, version: -1 });
    }
    const after = { version: isNew ? 0 : before.version + 1, owner, incarnation };
    return { operations, after };
  }

  #hold(name: string): void {
    if (this.#held.has(name)) return;
    this.#held.add(name);
    this.#queue.arrange(name);
  }

  #drop(name: string): void {
    if (this.#held.delete(name)) this.#queue.arrange(name);
  }

  remove(name: string, revision: string): Promise<boolean> {
    return this.#errors(async () => {
      const { version, owner, incarnation } = parseRevision(revision);
      const operations: NodeOperation[] = [
        { type: 'delete', path: this.#nodes.incarnation(name, incarnation), version: -1 },
        { type: 'delete', path: this.#nodes.document(name), version },
        ...(owner === null ? [] : [{ type: 'delete', path: this.#nodes.holder(name), version: -1 } as const]),
      ];
      const removed = this.#client.ask(this.#client.requests.transaction(operations)).then(() => true);
      return removed.catch(ifCode([NO_NODE, BAD_VERSION], false));
    });
  }

  names(): Promise<readonly string[]> {
    return this.#errors(async () => {
      const { session, requests } = this.#client;
      const [, children] = await settled([
        this.#barrier(session),
        session.request(requests.children(this.#nodes.elections)).catch(ifNoNode([])),
      ]);
      return children.map((node) => this.#nodes.nameOf(node));
    });
  }

  watch(name: string, onChange: (document: StoredDocument | null) => void): () => void {
    return this.#queue.add(name, () => onChange(null));
  }

  isPushing(): boolean {
    return this.#queue.isPushing;
  }

  /** The leader among the servers writes the time into each node that is set. */
  clock(): Promise<number> {
    return this.#errors(async () => {
      await this.#prepare();
      const session = await this.#client.established();
      try {
        return (await session.request(this.#client.requests.set(this.#nodes.clock, ''))).modifiedMs;
      } catch (error) {
        if (codeOf(error) === NO_NODE) this.#prepared = null;
        throw error;
      }
    });
  }

  probe(): Promise<Omit<Probe, 'clockOffsetMs'>> {
    return this.#errors(async () => {
      const session = await this.#client.established();
      const before = performance.now();
      await this.#barrier(session);
      const roundTripMs = performance.now() - before;
      await this.read([SETTINGS]);
      return probeZookeeper(this.#settings, await this.#client.command('srvr'), roundTripMs);
    });
  }

  async close(): Promise<void> {
    await this.#queue.close();
    // A holder that was not released still works until its deadline. Its node must not vanish before that.
    await this.#client.close(this.#held.size === 0);
  }

  /** Creates the nodes above all others, if they are missing. */
  #prepare(): Promise<unknown> {
    this.#prepared ??= this.#errors(async () => {
      const { session, requests } = this.#client;
      const paths = this.#nodes.permanent();
      const found = await settled(
        paths.map((path) => session.request(requests.exists(path)).catch(ifNoNode(null))),
      );
      const missing = paths.filter((_, index) => found[index] === null);
      await settled(
        missing.map((path) => session.request(requests.create(path, 0)).catch(ifCode([NODE_EXISTS], path))),
      );
    }).catch((error: unknown) => {
      this.#prepared = null;
      throw error;
    });
    return this.#prepared;
  }

  async #errors<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    try {
      return await act();
    } catch (error) {
      throw zookeeperError(this.#settings, error) satisfies StoreError;
    }
  }
}

const codeOf = (error: unknown): number | null => (error instanceof ZookeeperAnswerError ? error.code : null);

const ifCode =
  <Value>(codes: readonly number[], value: Value) =>
  (error: unknown): Value => {
    if (codes.includes(codeOf(error) ?? 0)) return value;
    throw error;
  };

const ifNoNode = <Value>(value: Value) => ifCode([NO_NODE], value);

/** Waits for all, and then throws the first error: none is left unhandled. */
async function settled<const Values extends readonly unknown[]>(
  promises: Values,
): Promise<{ -readonly [Index in keyof Values]: Awaited<Values[Index]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises) as Promise<never>;
}

/** What `doctor` reports. `status` is the answer to the command srvr; '' if the server does not allow it. */
function probeZookeeper(
  { servers }: ZookeeperSettings,
  status: string,
  roundTripMs: number,
): Omit<Probe, 'clockOffsetMs'> {
  const version = /^Zookeeper version: ([\d.]+)/m.exec(status)?.[1] ?? '';
  const mode = /^Mode: (\S+)/m.exec(status)?.[1];
  const warnings = [
    ...(mode === 'standalone'
      ? ['the server is standalone: only three or more survive the loss of one']
      : []),
    ...(mode !== undefined && mode !== 'standalone' && servers.length === 1
      ? ['the URL names one of several servers; name all, so that the loss of one is survived']
      : []),
  ];
  return { server: `ZooKeeper ${version}`.trim(), roundTripMs, problems: [], warnings };
}
