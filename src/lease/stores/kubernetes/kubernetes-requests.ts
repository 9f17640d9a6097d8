/**
 * Requests to the API servers of a cluster over HTTP/1.1 and TLS, on connections that stay open. A request that a server
 * cannot have received is sent to the next one. Any other failure is reported, because the request may have taken effect.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { StoreError } from '../../core/store-error.ts';
import { RequestTimers } from '../request-timer.ts';
import type { AccessSource } from './access-source.ts';
import type { ClusterAccess } from './cluster-access.ts';
import {
  type Asked,
  codeOf,
  connectionError,
  isCertificateError,
  type RefusedReply,
  refusalError,
} from './kubernetes-error.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly timeoutMs?: number;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Parsed JSON, or null for anything else. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Where the credentials came from. */
  readonly source: string;
}

/** The servers limit what runs at the same time. More requests of a list wait here. */
const MOST_CONNECTIONS = 16;
const MOST_WAITING = 2_000;

/** The server closed an idle connection just when the request was sent on it. */
const isStale = (request: http.ClientRequest, error: unknown): boolean =>
  request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(codeOf(error));

const NOT_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];

export class KubernetesRequests {
  readonly label: string;
  /** Called when connections may be dead: a request got no answer in time. */
  onStall: () => void = () => undefined;
  readonly #settings: KubernetesSettings;
  readonly #access: AccessSource;
  /** The open requests: how each is given up. */
  readonly #open = new Set<(error: Error) => void>();
  readonly #timers = new RequestTimers(true);
  #agent: http.Agent | null = null;
  #agentFor = '';
  /** The place of the server in use, in the list of hosts. */
  #server = 0;
  #isClosed = false;

  constructor(settings: KubernetesSettings, access: AccessSource) {
    this.label = settings.label;
    this.#settings = settings;
    this.#access = access;
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
      if (isCertificateError(error)) await this.#access.readAgain().catch(() => undefined);
      throw connectionError(this.label, access.source, error);
    }
  }

  /** The error for an answer that is not what the caller can use. */
  refusal(reply: ApiReply, asked: Asked): StoreError {
    return refusalError(this.label, reply.source, asked, refusalOf(reply));
  }

  /** Opens a connection of its own for an answer that does not end. Destroy the answer to end it. */
  async stream(path: string, timeoutMs: number): Promise<{ answer: http.IncomingMessage; source: string }> {
    const access = await this.#access.current();
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        this.#server++;
        reject(connectionError(this.label, access.source, error));
      };
      const request = this.#request(access, { method: 'GET', path }, undefined);
      request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      request.on('error', fail);
      request.on('socket', (socket) => {
        socket.setKeepAlive(true, 5_000);
        socket.unref();
      });
      request.on('response', (answer) => {
        request.setTimeout(0);
        resolve({ answer, source: access.source });
      });
      request.end();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const fail of [...this.#open]) fail(new Error('closed by this process'));
    this.#agent?.destroy();
  }

  async #sendAs(access: ClusterAccess, request: ApiRequest): Promise<ApiReply> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#sendOnce(access, request);
      } catch (error) {
        this.#server++;
        const isUnsent = NOT_CONNECTED.includes(codeOf(error));
        if (this.#isClosed || !isUnsent || tries >= this.#settings.hosts.length) throw error;
      }
    }
  }

  #sendOnce(access: ClusterAccess, request: ApiRequest, isRepeated = false): Promise<ApiReply> {
    const { timeoutMs = this.#settings.timeoutMs, method } = request;
    if (this.#open.size >= MOST_WAITING) {
      throw new StoreError(
        'busy',
        `${this.label} is slower than this process asks: ${MOST_WAITING} requests wait; hold fewer leases, or use a longer TTL`,
      );
    }
    const text = request.body === undefined ? undefined : JSON.stringify(request.body);
    return new Promise<ApiReply>((resolve, reject) => {
      const sent = this.#request(access, request, this.#agentOf(access), text);
      /** Once: what happens to the request afterwards is of no interest. */
      const settle = (end: () => void): void => {
        if (!this.#open.delete(fail)) return;
        this.#timers.end(timer);
        end();
      };
      // A request that waits for a connection reports nothing when it is destroyed.
      const fail = (error: Error): void =>
        settle(() => {
          reject(error);
          sent.destroy();
        });
      this.#open.add(fail);
      // From now on, also if the request waits for a connection: nobody waits for its answer later.
      const timer = this.#timers.start(timeoutMs, () => {
        const isSent = sent.socket !== null;
        fail(new Error(`no answer within ${timeoutMs} ms`));
        if (!isSent) return;
        // Idle connections lead the same way.
        this.#dropAgent();
        this.onStall();
      });
      sent.on('error', (error) =>
        settle(() => {
          if (method === 'GET' && !isRepeated && isStale(sent, error)) {
            resolve(this.#sendOnce(access, request, true));
          } else reject(error);
        }),
      );
      sent.on('response', (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('error', fail);
        answer.on('end', () =>
          settle(() =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: parsedBody(Buffer.concat(pieces)),
              source: access.source,
            }),
          ),
        );
      });
      sent.end(text);
    });
  }

  #request(
    access: ClusterAccess,
    { method, path }: ApiRequest,
    agent: http.Agent | undefined,
    text?: string,
  ): http.ClientRequest {
    const { server, token, tls } = access;
    const { hosts } = this.#settings;
    const address = new URL(server);
    if (hosts.length > 0) address.host = hosts[this.#server % hosts.length];
    const { hostname, port, pathname, protocol } = address;
    const options = {
      method,
      path: `${pathname.replace(/\/$/, '')}${path}`,
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      agent: agent ?? false,
      headers: {
        accept: 'application/json',
        'user-agent': 'hustings',
        ...(text === undefined
          ? {}
          : // Node leaves the length out for DELETE.
            { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
    };
    return protocol === 'https:' ? https.request({ ...options, ...tls }) : http.request(options);
  }

  /** Connections that were opened with another certificate or CA are not used again. */
  #agentOf({ server, tls }: ClusterAccess): http.Agent {
    const key = JSON.stringify([server.protocol, tls]);
    if (this.#agent !== null && this.#agentFor === key) return this.#agent;
    this.#dropAgent();
    const options = { keepAlive: true, maxSockets: MOST_CONNECTIONS, maxFreeSockets: MOST_CONNECTIONS };
    this.#agent = server.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
    this.#agentFor = key;
    return this.#agent;
  }

  /** Closes idle connections. Those in use end with their request. */
  #dropAgent(): void {
    if (this.#agent !== null) this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent?.freeSockets ?? {})) {
      for (const socket of sockets ?? []) socket.destroy();
    }
    this.#agent = null;
  }
}

export function parsedBody(bytes: Buffer): ApiReply['body'] {
  try {
    const body = JSON.parse(bytes.toString('utf8'));
    return typeof body === 'object' ? body : null;
  } catch {
    return null;
  }
}

function refusalOf({ status, headers, body }: Omit<ApiReply, 'source'>): RefusedReply {
  const message = body?.kind === 'Status' ? String(body.message ?? body.reason ?? '') : '';
  return { status, message, retryAfter: headers['retry-after'] };
}
