/**
 * Requests to one HTTP server over connections that stay open. A pending request keeps the process alive until its time is
 * over; a stream or an idle connection does not.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { RequestTimers } from './request-timer.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Appended to the path of the base. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** That of the client by default. */
  readonly timeoutMs?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The server did not answer. `wasSent` false: the request did not reach it, so it had no effect. */
export class HttpError extends Error {
  constructor(
    /** The code of the system, such as ECONNREFUSED, or what happened. */
    readonly code: string,
    readonly wasSent: boolean,
    cause?: unknown,
  ) {
    super(code, { cause });
  }
}

/** The error without such a header. */
export const NO_DATE =
  'answers without a Date header, so no tick of a schedule is due; let the proxy between pass it on';

/** The time of the server that answered, in whole seconds. Null without a header that says it. */
export function dateOf({ headers }: Pick<HttpAnswer, 'headers'>): number | null {
  const ms = Date.parse(headers.date ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** The code of an error: too many requests of this process wait for an answer. */
export const TOO_MANY_WAIT = 'TOO_MANY_WAIT';

/** Servers limit what runs at the same time. More requests of a list wait here. */
const MAX_CONNECTIONS = 16;
export const MAX_WAITING = 2_000;

/** An answer without end, line by line. */
export interface HttpStream {
  close(): void;
}

/** What the reader of a stream is told. */
export interface HttpStreamReader {
  /** The server has begun to answer with success. */
  onOpen?(): void;
  onLine(line: string): void;
  /** Once: the answer if it is no success, or what ended the stream. */
  onEnd(end: HttpAnswer | HttpError): void;
}

export interface HttpClientOptions {
  readonly timeoutMs: number;
  readonly tls?: ConnectionOptions;
  /** A request got no answer in time: connections may be dead. */
  readonly onStall?: () => void;
}

export class HttpClient {
  /** Where requests go; the path has no slash at its end. */
  readonly #base: { readonly hostname: string; readonly port: string; readonly path: string };
  readonly #options: HttpClientOptions;
  readonly #timers = new RequestTimers(true);
  /** The open requests: how each is given up. */
  readonly #open = new Set<(code: string) => void>();
  readonly #isTls: boolean;
  #agent: HttpAgent;

  /** `base`: http://host:port or https://host:port, with a path or without. */
  constructor(base: string, options: HttpClientOptions) {
    const { hostname, pathname, port, protocol } = new URL(base);
    this.#base = { hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port, path: pathname.replace(/\/$/, '') };
    this.#options = options;
    this.#isTls = protocol === 'https:';
    this.#agent = this.#newAgent();
  }

  request(request: HttpRequest): Promise<HttpAnswer> {
    return this.#ask(request, false);
  }

  #ask(request: HttpRequest, isRepeated: boolean): Promise<HttpAnswer> {
    const { timeoutMs = this.#options.timeoutMs } = request;
    if (this.#open.size >= MAX_WAITING) return Promise.reject(new HttpError(TOO_MANY_WAIT, false));
    return new Promise((resolve, reject) => {
      let isConnected = false;
      /** Once: what happens to the request afterwards is of no interest. */
      const settle = (end: () => void): void => {
        if (!this.#open.delete(fail)) return;
        this.#timers.end(timer);
        end();
      };
      // A request that waits for a connection reports nothing when it is destroyed.
      const fail = (code: string, cause?: unknown): void =>
        settle(() => {
          sent.destroy();
          reject(new HttpError(code, isConnected, cause));
        });
      const sent = this.#send(request, this.#agent, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', (error) => fail(codeOf(error), error));
        answer.on('end', () =>
          settle(() => {
            const body = Buffer.concat(chunks).toString('utf8');
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
          }),
        );
      });
      this.#open.add(fail);
      // From now on, also if the request waits for a connection: nobody waits for its answer later.
      const timer = this.#timers.start(timeoutMs, () => {
        const hasSocket = sent.socket !== null;
        fail(`no answer within ${timeoutMs} ms`);
        if (!hasSocket) return;
        this.dropConnections();
        this.#options.onStall?.();
      });
      sent.on('socket', (socket) => {
        if (!socket.connecting) isConnected = true;
        else socket.once('connect', () => (isConnected = true));
      });
      sent.on('error', (error) => {
        if (!isRepeated && request.method === 'GET' && isStale(sent, error))
          settle(() => resolve(this.#ask(request, true)));
        else fail(codeOf(error), error);
      });
    });
  }

  /** Opens a connection of its own. The time limit is for the beginning of the answer. */
  stream(request: HttpRequest, reader: HttpStreamReader): HttpStream {
    const { timeoutMs = this.#options.timeoutMs } = request;
    let isOver = false;
    const end = (result: HttpAnswer | HttpError): void => {
      if (isOver) return;
      stop();
      reader.onEnd(result);
    };
    const sent = this.#send(request, false, (answer) => {
      clearTimeout(timer);
      answer.setEncoding('utf8');
      const status = answer.statusCode ?? 0;
      const isSuccess = status >= 200 && status < 300;
      if (isSuccess && !isOver) reader.onOpen?.();
      let rest = '';
      answer.on('data', (chunk: string) => {
        rest += chunk;
        if (!isSuccess) return;
        const lines = rest.split('\n');
        rest = lines.pop()!;
        for (const line of lines) if (line.trim() !== '' && !isOver) reader.onLine(line);
      });
      answer.on('error', (error) => end(new HttpError(codeOf(error), true, error)));
      answer.on('end', () => end({ status, headers: answer.headers, body: rest }));
    });
    const late = (): void => end(new HttpError(`no answer within ${timeoutMs} ms`, true));
    const timer = setTimeout(late, timeoutMs).unref();
    const stop = (): void => {
      isOver = true;
      clearTimeout(timer);
      sent.destroy();
    };
    sent.on('socket', (socket) => {
      socket.setKeepAlive(true, 5_000);
      socket.unref();
    });
    sent.on('error', (error) => end(new HttpError(codeOf(error), true, error)));
    return { close: stop };
  }

  /** Closes idle connections: where one is dead, the others lead the same way. Those in use end with their request. */
  dropConnections(): void {
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
    this.#agent = this.#newAgent();
  }

  close(): void {
    for (const giveUp of [...this.#open]) giveUp('closed by this process');
    this.#agent.destroy();
  }

  #newAgent(): HttpAgent {
    const keep = { keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: MAX_CONNECTIONS };
    return this.#isTls ? new HttpsAgent({ ...keep, ...this.#options.tls }) : new HttpAgent(keep);
  }

  #send(
    { method, path, headers, body }: HttpRequest,
    agent: HttpAgent | false,
    onAnswer: (answer: IncomingMessage) => void,
  ): ClientRequest {
    const { hostname, port, path: basePath } = this.#base;
    const sent = (this.#isTls ? requestHttps : requestHttp)(
      {
        ...{ method, agent, hostname, port, path: basePath + path },
        ...(agent === false ? this.#options.tls : {}),
        headers: {
          accept: 'application/json',
          'user-agent': 'hustings',
          // Node leaves the length out for DELETE.
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      },
      onAnswer,
    );
    sent.end(body);
    return sent;
  }
}

/** The server closed an idle connection just when the request was sent on it. */
const isStale = (request: ClientRequest, error: Error): boolean =>
  request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(codeOf(error));

const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? error.message;
