/**
 * One watch over the keys of all holders, which change when a term begins or ends, and when a holder is evicted or asked to hand
 * over, but not with each renewal. It begins again after an error, and after a compaction with
 * the present.
 */
import { randomUUID } from 'node:crypto';
import type { HttpStream } from '../http-client.ts';
import { Watchers } from '../watchers.ts';
import { decode, type EtcdClient, encode, type WatchMessage } from './etcd-client.ts';

const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

export class EtcdWatch {
  readonly #client: EtcdClient;
  readonly #holders: string;
  readonly #tests: string;
  readonly #watchers = new Watchers();
  #stream: HttpStream | null = null;
  #pause: NodeJS.Timeout | null = null;
  #pauseMs = MIN_PAUSE_MS;
  /** The revision from which the next watch begins; null for the present. */
  #from: string | null = null;
  #isPushing = false;
  /** Distinguishes a watch from those before it, whose late messages are ignored. */
  #generation = 0;

  /** `holders` and `tests` are prefixes of keys; the watch covers both. */
  constructor(client: EtcdClient, holders: string, tests: string) {
    this.#client = client;
    this.#holders = holders;
    this.#tests = tests;
  }

  get isPushing(): boolean {
    return this.#isPushing;
  }

  add(name: string, onChange: () => void): () => void {
    const end = this.#watchers.add(name, onChange, () => {
      if (this.#watchers.isEmpty) this.close();
    });
    if (this.#stream === null && this.#pause === null) this.#begin();
    return end;
  }

  /** Listens on a new connection, if one is open: the old one may be dead without saying so. */
  restart(): void {
    if (this.#stream !== null) this.#beginLater();
  }

  close(): void {
    this.#generation++;
    this.#isPushing = false;
    this.#stream?.close();
    this.#stream = null;
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    this.#from = null;
  }

  #begin(): void {
    const generation = ++this.#generation;
    const isCurrent = (): boolean => generation === this.#generation;
    const test = `${this.#tests}${randomUUID()}`;
    const [first, last] = [this.#tests, this.#holders].sort();
    const request = {
      key: encode(first),
      range_end: encode(after(last)),
      ...(this.#from === null ? {} : { start_revision: this.#from }),
    };
    const failed = (): void => {
      if (isCurrent()) this.#beginLater();
    };
    this.#client
      .watch(
        request,
        (message) => {
          if (isCurrent()) this.#take(message, test);
        },
        failed,
      )
      .then((stream) => {
        if (isCurrent()) this.#stream = stream;
        else stream.close();
      }, failed);
  }

  #beginLater(): void {
    this.#generation++;
    this.#isPushing = false;
    this.#stream?.close();
    this.#stream = null;
    this.#pause = setTimeout(() => {
      this.#pause = null;
      this.#begin();
    }, this.#pauseMs);
    this.#pause.unref();
    this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
  }

  #take({ result, error }: WatchMessage, test: string): void {
    if (result === undefined || error !== undefined || result.canceled) {
      // A compaction has removed the revisions from which the watch would have begun: what they changed is not known.
      if (result?.compact_revision !== undefined) {
        this.#from = null;
        this.#watchers.notifyAll();
      }
      this.#beginLater();
      return;
    }
    if (result.created) {
      if (this.#from !== null) this.#watchers.notifyAll();
      this.#client.call('/v3/kv/put', { key: encode(test), value: '' }).catch(() => undefined);
    }
    if (result.header !== undefined) this.#from = String(BigInt(result.header.revision) + 1n);
    for (const { kv } of result.events ?? []) {
      const key = decode(kv.key);
      if (key === test) {
        if (this.#isPushing) continue;
        this.#isPushing = true;
        this.#pauseMs = MIN_PAUSE_MS;
        this.#client.call('/v3/kv/deleterange', { key: encode(test) }).catch(() => undefined);
      } else if (key.startsWith(this.#holders)) this.#watchers.notify(key.slice(this.#holders.length));
    }
  }
}

/** The first key after all keys with this prefix. */
export function after(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
