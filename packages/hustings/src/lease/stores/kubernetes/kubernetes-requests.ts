/**
 * Requests to the API servers of a cluster. A request that a server cannot have received, or that only reads, is sent to the
 * next one. Any other failure is reported, because the request may have taken effect.
 */
import type { StoreError } from '../../core/store-error.ts';
import { isCertificateCode } from '../connection-error.ts';
import {
  type HttpAnswer,
  HttpClient,
  HttpError,
  type HttpRequest,
  type HttpStream,
  type HttpStreamReader,
} from '../http-client.ts';
import { ServerChoice } from '../server-choice.ts';
import type { AccessSource } from './access-source.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { type Asked, connectionError, type RefusedReply, refusalError } from './kubernetes-error.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';

export interface ApiRequest {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly body?: object;
  readonly timeoutMs?: number;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: HttpAnswer['headers'];
  /** Parsed JSON, or null for anything else. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Where the credentials came from. */
  readonly source: string;
}

const NOT_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];

export class KubernetesRequests {
  readonly label: string;
  /** Called when connections may be dead: a request got no answer in time. */
  onStall: () => void = () => undefined;
  readonly #settings: KubernetesSettings;
  readonly #access: AccessSource;
  /** One for each server, all with the certificates of `#clientsFor`. */
  readonly #clients = new Map<string, HttpClient>();
  #clientsFor = '';
  /** Among the hosts of the URL. */
  readonly #choice: ServerChoice;
  #isClosed = false;

  constructor(settings: KubernetesSettings, access: AccessSource) {
    this.label = settings.label;
    this.#settings = settings;
    this.#access = access;
    this.#choice = new ServerChoice(Math.max(1, settings.hosts.length));
  }

  async namespace(): Promise<string> {
    return this.#settings.namespace || (await this.#access.current()).namespace;
  }

  async send(request: ApiRequest): Promise<ApiReply> {
    const access = await this.#access.current();
    try {
      const reply = await this.#sendAs(access, request);
      // The token may have been replaced since it was read.
      if (reply.status !== 401) return reply;
      const fresh = await this.#access.readAgain().catch(() => access);
      return fresh.token === access.token && fresh.tls.cert === access.tls.cert
        ? reply
        : await this.#sendAs(fresh, request);
    } catch (error) {
      // The CA may have been replaced. The next request uses the new one.
      if (isCertificateCode((error as HttpError).code)) await this.#access.readAgain().catch(() => undefined);
      throw connectionError(this.label, access.source, error as HttpError);
    }
  }

  /** The error for an answer that is not what the caller can use. */
  refusal(reply: ApiReply, asked: Asked): StoreError {
    return refusalError(this.label, reply.source, asked, refusalOf(reply));
  }

  /** An answer that does not end. `onEnd`: with the answer if the server refuses, with null if the stream ended or broke. */
  async stream(
    path: string,
    reader: Pick<HttpStreamReader, 'onOpen' | 'onLine'> & {
      readonly onEnd: (refusal: ApiReply | null) => void;
    },
  ): Promise<HttpStream> {
    const access = await this.#access.current();
    const { chosen } = this.#choice;
    const timeoutMs = this.#choice.attemptMs(this.#settings.timeoutMs);
    return this.#client(access, chosen).stream(
      { method: 'GET', path, headers: headersOf(access), timeoutMs },
      {
        ...reader,
        onEnd: (end) => {
          const isAnswer = !(end instanceof HttpError);
          if (!isAnswer) this.#choice.failed(chosen);
          reader.onEnd(isAnswer && end.status >= 300 ? replyOf(end, access) : null);
        },
      },
    );
  }

  close(): void {
    this.#isClosed = true;
    for (const client of this.#clients.values()) client.close();
  }

  async #sendAs(access: ClusterAccess, { body, ...request }: ApiRequest): Promise<ApiReply> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...headersOf(access), ...(request.method === 'PATCH' && MERGE_PATCH) };
    const answer = await this.#choice.ask({
      timeoutMs: request.timeoutMs ?? this.#settings.timeoutMs,
      send: (server, timeoutMs) =>
        this.#client(access, server).request({ ...request, ...text, headers, timeoutMs }),
      mayRepeat: ({ code }) => !this.#isClosed && (request.method === 'GET' || NOT_CONNECTED.includes(code)),
    });
    return replyOf(answer, access);
  }

  /** Connections that were opened with another certificate or CA are not used again. */
  #client({ server, tls }: ClusterAccess, chosen: number): HttpClient {
    const { hosts, timeoutMs } = this.#settings;
    const address = new URL(server);
    if (hosts.length > 0) address.host = hosts[chosen];
    const key = JSON.stringify([server.protocol, tls]);
    if (this.#clientsFor !== key) {
      for (const client of this.#clients.values()) client.dropConnections();
      this.#clients.clear();
      this.#clientsFor = key;
    }
    let client = this.#clients.get(address.href);
    if (client === undefined) {
      client = new HttpClient(address.href, { timeoutMs, tls, onStall: () => this.onStall() });
      this.#clients.set(address.href, client);
    }
    return client;
  }
}

/** The form of a patch that gives each changed field its new value. */
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

const headersOf = ({ token }: ClusterAccess): Readonly<Record<string, string>> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

const replyOf = ({ status, headers, body }: HttpAnswer, { source }: ClusterAccess): ApiReply => ({
  ...{ status, headers, source },
  body: parsedBody(body),
});

function parsedBody(text: string): ApiReply['body'] {
  try {
    const body = JSON.parse(text);
    return typeof body === 'object' ? body : null;
  } catch {
    return null;
  }
}

function refusalOf({ status, headers, body }: Omit<ApiReply, 'source'>): RefusedReply {
  const message = body?.kind === 'Status' ? String(body.message ?? body.reason ?? '') : '';
  return { status, message, retryAfter: headers['retry-after'] };
}
