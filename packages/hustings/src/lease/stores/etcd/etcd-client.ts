/**
 * Calls of etcd's JSON gateway. Keys and values are base64, numbers of 64 bits are decimal text. A call goes to one member; the
 * next member is tried at once if the call cannot have taken effect at the first one or may be repeated, and is used from then on.
 */
import { StoreError } from '../../core/store-error.ts';
import { httpFailure } from '../connection-error.ts';
import {
  dateOf,
  type HttpAnswer,
  HttpClient,
  HttpError,
  type HttpRequest,
  type HttpStream,
  NO_DATE,
} from '../http-client.ts';
import { ServerChoice } from '../server-choice.ts';
import { adviceOn, messageOf, refused } from './etcd-error.ts';
import type { EtcdSettings } from './etcd-settings.ts';

export interface KeyValue {
  readonly key: string;
  readonly value?: string;
  readonly create_revision: string;
  readonly mod_revision: string;
}

export interface Compare {
  readonly key: string;
  readonly target: 'MOD' | 'CREATE' | 'VALUE';
  readonly mod_revision?: string;
  readonly create_revision?: string;
  readonly value?: string;
}

export type Operation =
  | {
      readonly request_range: {
        readonly key: string;
        readonly range_end?: string;
        readonly keys_only?: boolean;
      };
    }
  | { readonly request_put: { readonly key: string; readonly value: string } }
  | { readonly request_delete_range: { readonly key: string } }
  | { readonly request_txn: Transaction };

export interface Transaction {
  readonly compare?: readonly Compare[];
  readonly success: readonly Operation[];
}

export interface TransactionAnswer {
  readonly header: { readonly revision: string; readonly cluster_id?: string };
  readonly succeeded?: boolean;
  readonly responses?: readonly {
    readonly response_range?: { readonly kvs?: readonly KeyValue[] };
    readonly response_txn?: TransactionAnswer;
  }[];
}

export const encode = (text: string): string => Buffer.from(text).toString('base64');
export const decode = (text: string): string => Buffer.from(text, 'base64').toString();

const AUTH_ENDED = /invalid auth token|auth: token is not provided|user name is empty/;

/** How a call is sent. */
export interface CallOptions {
  /** The call only reads, or has the same effect twice as once: the next member may be asked if one has not answered. */
  readonly isRepeatable?: boolean;
  /** The elector waits for an answer for a fraction of this time. */
  readonly ttlMs?: number;
}

const REPEATABLE: CallOptions = { isRepeatable: true };
/** As the elector: a request takes at most 2/15 of the TTL. */
const REQUEST_OF_TTL = 2 / 15;

export class EtcdClient {
  readonly #settings: EtcdSettings;
  readonly #members: readonly HttpClient[];
  /** Called when connections may be dead: a request got no answer in time. */
  onStall: () => void = () => undefined;
  readonly #choice: ServerChoice;
  #isClosed = false;
  #auth: Promise<string> | null = null;

  constructor(settings: EtcdSettings) {
    this.#settings = settings;
    const { timeoutMs, tls } = settings;
    this.#choice = new ServerChoice(settings.endpoints.length);
    this.#members = settings.endpoints.map(
      (each) => new HttpClient(each, { timeoutMs, tls, onStall: () => this.onStall() }),
    );
  }

  /** Rejects with a `StoreError`. */
  async call<Answer>(path: string, body: object, options: CallOptions = {}): Promise<Answer> {
    return this.#post(path, JSON.stringify(body), this.#settings.user !== '', options);
  }

  transaction(transaction: Transaction, options?: CallOptions): Promise<TransactionAnswer> {
    return this.call('/v3/kv/txn', transaction, options);
  }

  async range(key: string, end?: string, keysOnly = false): Promise<readonly KeyValue[]> {
    const request = {
      key: encode(key),
      ...(end === undefined ? {} : { range_end: encode(end) }),
      keys_only: keysOnly,
    };
    type Found = { readonly kvs?: readonly KeyValue[] };
    const { kvs = [] } = await this.call<Found>('/v3/kv/range', request, REPEATABLE);
    return kvs;
  }

  async version(): Promise<string> {
    const { answer } = await this.#answered({ method: 'GET', path: '/version' }, REPEATABLE);
    return String(this.#parsed(answer, 'etcdserver').etcdserver);
  }

  /**
   * The time of the member that answers, in whole seconds; of all that answer the median if `isDoubted`, so that the clock of one
   * decides nothing.
   */
  async time(isDoubted: boolean): Promise<number> {
    const request = { method: 'GET', path: '/version' } as const;
    const timeoutMs = this.#choice.attemptMs(this.#settings.timeoutMs);
    const answers = isDoubted
      ? await Promise.allSettled(this.#members.map((member) => member.request({ ...request, timeoutMs })))
      : [];
    const times = answers.flatMap((each) => (each.status === 'fulfilled' ? (dateOf(each.value) ?? []) : []));
    if (times.length > 0) return times.sort((a, b) => a - b)[Math.floor((times.length - 1) / 2)];
    const time = dateOf((await this.#answered(request, REPEATABLE)).answer);
    if (time !== null) return time;
    throw new StoreError('unusable', `${this.#settings.label} ${NO_DATE}`);
  }

  /** Watches a range of keys. `onEnd` is called once, when the stream has ended or could not begin. */
  async watch(
    request: object,
    onMessage: (message: WatchMessage) => void,
    onEnd: () => void,
  ): Promise<HttpStream> {
    const headers = await this.#headers(this.#settings.user !== '');
    const body = JSON.stringify({ create_request: request });
    const { chosen } = this.#choice;
    const timeoutMs = this.#choice.attemptMs(this.#settings.timeoutMs);
    return this.#members[chosen].stream(
      { method: 'POST', path: '/v3/watch', headers, body, timeoutMs },
      {
        onLine: (line) => onMessage((jsonOf(line) ?? { error: {} }) as WatchMessage),
        onEnd: (end) => {
          if (end instanceof HttpError) this.#choice.failed(chosen);
          else if (AUTH_ENDED.test(messageOf(end.body))) this.#auth = null;
          onEnd();
        },
      },
    );
  }

  close(): void {
    this.#isClosed = true;
    for (const member of this.#members) member.close();
  }

  async #post<Answer>(path: string, body: string, withAuth: boolean, options: CallOptions): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const headers = await this.#headers(withAuth);
      const { answer, member } = await this.#answered({ method: 'POST', path, headers, body }, options);
      if (answer.status === 200) return this.#parsed(answer, 'header') as Answer;
      // The token has expired, or the server has restarted; it did nothing.
      const isOver = withAuth && attempt === 0 && AUTH_ENDED.test(messageOf(answer.body));
      if (!isOver) {
        if (answer.status >= 500) this.#choice.failed(member);
        throw refused(this.#settings, answer);
      }
      this.#auth = null;
    }
  }

  async #answered(
    request: HttpRequest,
    { isRepeatable = false, ttlMs }: CallOptions,
  ): Promise<{ readonly answer: HttpAnswer; readonly member: number }> {
    const { label, timeoutMs } = this.#settings;
    try {
      return await this.#choice.ask({
        timeoutMs,
        usefulMs: ttlMs === undefined ? undefined : ttlMs * REQUEST_OF_TTL,
        send: async (member, limitMs) => {
          const answer = await this.#members[member].request({ ...request, timeoutMs: limitMs });
          return { answer, member };
        },
        mayRepeat: ({ wasSent }) => !this.#isClosed && (isRepeatable || !wasSent),
      });
    } catch (error) {
      const failure = error as HttpError;
      throw httpFailure(label, failure, adviceOn(this.#settings, failure.code));
    }
  }

  async #headers(withAuth: boolean): Promise<Readonly<Record<string, string>>> {
    if (!withAuth) return {};
    this.#auth ??= this.#authenticate();
    const auth = this.#auth;
    try {
      return { authorization: await auth };
    } catch (error) {
      if (this.#auth === auth) this.#auth = null;
      throw error;
    }
  }

  async #authenticate(): Promise<string> {
    const { user, password } = this.#settings;
    const body = JSON.stringify({ name: user, password });
    const { token } = await this.#post<{ token: string }>('/v3/auth/authenticate', body, false, REPEATABLE);
    return token;
  }

  /** The object with this field that each answer of etcd to such a request is. */
  #parsed(answer: HttpAnswer, field: string): Readonly<Record<string, unknown>> {
    const object: unknown = answer.status === 200 ? jsonOf(answer.body) : null;
    if (typeof object === 'object' && object !== null && field in object) return { ...object };
    throw refused(this.#settings, answer);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A message of a watch. */
export interface WatchMessage {
  readonly result?: {
    readonly header?: { readonly revision: string };
    readonly created?: boolean;
    readonly canceled?: boolean;
    readonly compact_revision?: string;
    readonly events?: readonly { readonly type?: 'PUT' | 'DELETE'; readonly kv: KeyValue }[];
  };
  readonly error?: { readonly message?: string };
}
