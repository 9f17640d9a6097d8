/**
 * Watches of Lease objects: a few elections have a stream each; many share one of the whole namespace. A stream goes on where
 * the one before ended, by its resourceVersion, which bookmarks keep recent. If the server has forgotten that version, the new
 * stream begins with the present state, and every watcher is told that changes may have been missed.
 */
import { isPermanent, StoreError } from '../../core/store-error.ts';
import type { HttpStream } from '../http-client.ts';
import { Watchers } from '../watchers.ts';
import type { KubernetesRequests } from './kubernetes-requests.ts';
import type { LeaseObject } from './lease-object.ts';
import { leasesPath } from './object-name.ts';

/** Null: the object is gone, or changes may have been missed. */
type OnObject = (object: LeaseObject | null) => void;

/** With more elections, one stream serves all: it needs the right to watch all Lease objects of the namespace. */
const MAX_STREAMS = 8;
/** The server ends a stream after this time. One that lasts longer is dead. */
const STREAM_S = 60;
const LATE_MS = 5_000;
const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;
/** For a user without permission, which seldom changes while the process runs. */
const DENIED_WAIT_MS = 60_000;

export class KubernetesWatches {
  readonly #requests: KubernetesRequests;
  /** By the name of the object. */
  readonly #watchers = new Watchers<[LeaseObject | null]>();
  /** By the name of the object; '' for all. */
  readonly #streams = new Map<string, Stream>();

  constructor(requests: KubernetesRequests) {
    this.#requests = requests;
  }

  get isPushing(): boolean {
    const streams = [...this.#streams.values()];
    return streams.length > 0 && streams.every(({ isOpen }) => isOpen);
  }

  watch(object: string, onObject: OnObject): () => void {
    const end = this.#watchers.add(object, onObject, () => this.#arrange());
    this.#arrange();
    return end;
  }

  /** The connections may be dead: a request got no answer. */
  restart(): void {
    for (const stream of this.#streams.values()) stream.restart();
  }

  close(): void {
    this.#watchers.clear();
    this.#arrange();
  }

  #arrange(): void {
    const names = this.#watchers.names();
    const scopes = new Set(names.length > MAX_STREAMS ? [''] : names);
    for (const [scope, stream] of this.#streams) {
      if (scopes.has(scope)) continue;
      stream.close();
      this.#streams.delete(scope);
    }
    for (const scope of scopes) {
      if (this.#streams.has(scope)) continue;
      const stream = new Stream(this.#requests, scope, (name, object) => this.#notify(name, object));
      this.#streams.set(scope, stream);
    }
  }

  /** '' tells all. */
  #notify(name: string, object: LeaseObject | null): void {
    if (name === '') this.#watchers.notifyAll(object);
    else this.#watchers.notify(name, object);
  }
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: LeaseObject & { readonly code?: number };
}

class Stream {
  isOpen = false;
  readonly #requests: KubernetesRequests;
  readonly #scope: string;
  readonly #onObject: (name: string, object: LeaseObject | null) => void;
  #stream: HttpStream | null = null;
  #resourceVersion: string | null = null;
  /** Changes with each connection, so that what an older one reports is ignored. */
  #connection = 0;
  #timer: NodeJS.Timeout | undefined;
  #errors = 0;
  #isClosed = false;

  constructor(
    requests: KubernetesRequests,
    scope: string,
    onObject: (name: string, object: LeaseObject | null) => void,
  ) {
    this.#requests = requests;
    this.#scope = scope;
    this.#onObject = onObject;
    this.#connectAfter(0);
  }

  restart(): void {
    if (this.isOpen) this.#connectAfter(0);
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#connection++;
    this.isOpen = false;
    this.#stream?.close();
    this.#stream = null;
  }

  #connectAfter(ms: number): void {
    this.#drop();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#connect(), ms).unref();
  }

  #retry(error?: StoreError): void {
    const isDenied = error !== undefined && isPermanent(error.kind);
    const pauseMs = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** Math.min(this.#errors++, 16));
    this.#connectAfter(isDenied ? DENIED_WAIT_MS : pauseMs * (0.5 + Math.random() / 2));
  }

  async #connect(): Promise<void> {
    const connection = this.#connection;
    const isCurrent = (): boolean => connection === this.#connection;
    try {
      const namespace = await this.#requests.namespace();
      const query = new URLSearchParams({
        watch: 'true',
        allowWatchBookmarks: 'true',
        timeoutSeconds: String(STREAM_S),
        ...(this.#scope === '' ? {} : { fieldSelector: `metadata.name=${this.#scope}` }),
        ...(this.#resourceVersion === null ? {} : { resourceVersion: this.#resourceVersion }),
      });
      const path = `${leasesPath(namespace)}?${query}`;
      const openedMs = performance.now();
      const stream = await this.#requests.stream(path, {
        onOpen: () => {
          if (isCurrent()) this.#opened();
        },
        onLine: (line) => {
          if (isCurrent()) this.#onLine(line);
        },
        onEnd: (refusal) => {
          if (!isCurrent()) return;
          if (performance.now() - openedMs > MAX_WAIT_MS) this.#errors = 0;
          if (refusal === null) this.#retry();
          else if (refusal.status === 410) this.#forget();
          else
            this.#retry(this.#requests.refusal(refusal, { verb: 'watch', namespace, object: this.#scope }));
        },
      });
      if (isCurrent()) this.#stream = stream;
      else stream.close();
    } catch (error) {
      if (isCurrent()) this.#retry(error as StoreError);
    }
  }

  #opened(): void {
    this.isOpen = true;
    this.#timer = setTimeout(() => this.#connectAfter(0), STREAM_S * 1_000 + LATE_MS).unref();
  }

  #onLine(line: string): void {
    let event: WatchEvent;
    try {
      event = JSON.parse(line);
    } catch {
      this.#retry(new StoreError('unreachable', 'a watch was cut off'));
      return;
    }
    const { type, object } = event;
    if (type === 'ERROR') {
      if (object.code === 410) this.#forget();
      else this.#retry();
      return;
    }
    this.#errors = 0;
    this.#resourceVersion = object.metadata.resourceVersion ?? null;
    if (type === 'BOOKMARK') return;
    this.#onObject(object.metadata.name, type === 'DELETED' ? null : object);
  }

  /** The server no longer has the changes since the version that was seen last. */
  #forget(): void {
    this.#resourceVersion = null;
    this.#onObject(this.#scope, null);
    this.#retry();
  }
}
