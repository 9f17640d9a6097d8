/**
 * Requests to an HTTP server over connections that stay open. Neither a request nor an idle connection keeps the process alive
 * longer than its caller waits.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { ConnectionOptions } from 'node:tls';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
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

/** An answer without end, line by line. */
export interface HttpStream {
  close(): void;
}

export class HttpClient {
  readonly #base: URL;
  readonly #timeoutMs: number;
  readonly #agent: HttpAgent;
  readonly #isTls: boolean;

  /** `base`: http://host:port or https://host:port. */
  constructor(base: string, options: { readonly timeoutMs: number; readonly tls?: ConnectionOptions }) {
    this.#base = new URL(base);
    this.#timeoutMs = options.timeoutMs;
    this.#isTls = this.#base.protocol === 'https:';
    const keep = { keepAlive: true, maxSockets: 16 };
    this.#agent = this.#isTls ? new HttpsAgent({ ...keep, ...options.tls }) : new HttpAgent(keep);
  }

  request(request: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const fail = (code: string, cause?: unknown): void => {
        clearTimeout(timer);
        sent.destroy();
        reject(new HttpError(code, isConnected, cause));
      };
      let isConnected = false;
      const sent = this.#send(request, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', (error) => fail(codeOf(error), error));
        answer.on('end', () => {
          clearTimeout(timer);
          const body = Buffer.concat(chunks).toString('utf8');
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
        });
      });
      const timer = setTimeout(() => fail(`no answer for ${this.#timeoutMs} ms`), this.#timeoutMs);
      sent.on('socket', (socket) => {
        if (!socket.connecting) isConnected = true;
        else socket.once('connect', () => (isConnected = true));
      });
      sent.on('error', (error) => fail(codeOf(error), error));
    });
  }

  /** Calls `onEnd` once: with the answer if it is not a stream, or with what ended the stream. */
  stream(
    request: HttpRequest,
    onLine: (line: string) => void,
    onEnd: (end: HttpAnswer | HttpError) => void,
  ): HttpStream {
    let isOver = false;
    const end = (result: HttpAnswer | HttpError): void => {
      if (isOver) return;
      isOver = true;
      onEnd(result);
    };
    const sent = this.#send(request, (answer) => {
      answer.setEncoding('utf8');
      const status = answer.statusCode ?? 0;
      let rest = '';
      answer.on('data', (chunk: string) => {
        rest += chunk;
        if (status >= 300 || isOver) return;
        const lines = rest.split('\n');
        rest = lines.pop()!;
        for (const line of lines) if (line.trim() !== '' && !isOver) onLine(line);
      });
      answer.on('error', (error) => end(new HttpError(codeOf(error), true, error)));
      answer.on('end', () => end({ status, headers: answer.headers, body: rest }));
    });
    sent.on('socket', (socket) => socket.unref());
    sent.on('error', (error) => end(new HttpError(codeOf(error), true, error)));
    return {
      close: () => {
        isOver = true;
        sent.destroy();
      },
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ method, path, headers, body }: HttpRequest, onAnswer: (answer: IncomingMessage) => void) {
    const sent = (this.#isTls ? requestHttps : requestHttp)(
      {
        ...{ method, path, agent: this.#agent },
        hostname: this.#base.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: this.#base.port,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      },
      onAnswer,
    );
    sent.end(body);
    return sent;
  }
}

const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? error.message;
