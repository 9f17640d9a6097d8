import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LeaseApi, type LeaseApiOptions } from '../../dist/server/lease-api.js';
import type { LeaseSnapshot } from '../../src/model/leases/lease-snapshot.ts';

type Open = Extract<LeaseSnapshot, { type: 'open' }>;

/** An answer; `body` is the document, whose fields the tests name. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The lease API behind a plain server, and a client that keeps all that it was told. */
export class ApiClient {
  /** Every byte of every answer. */
  heard = '';
  /** The latest message of the stream. */
  latest: LeaseSnapshot | null = null;
  readonly #ending = new AbortController();

  private constructor(
    readonly base: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(options: LeaseApiOptions): Promise<ApiClient> {
    const api = new LeaseApi(options);
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const part of request) text += part;
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://lab');
      const path = pathname.slice('/api/leases/'.length);
      const body = text === '' ? null : JSON.parse(text);
      const method = request.method === 'POST' || request.method === 'HEAD' ? request.method : 'GET';
      await api.handle({ method, path, query: searchParams, body }, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/leases/`;
    const client: ApiClient = new ApiClient(base, async () => {
      client.#ending.abort();
      await api.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return client;
  }

  get open(): Open | null {
    return this.latest?.type === 'open' ? this.latest : null;
  }

  /** The holder that the latest message names as the current leader. */
  get leader(): string | null {
    const election = this.open?.election;
    return election?.type === 'known' && election.leader.type === 'led' ? election.leader.holder : null;
  }

  /** Reads the stream until it ends. */
  async listen(query = ''): Promise<void> {
    try {
      const answer = await fetch(`${this.base}events${query}`, { signal: this.#ending.signal });
      let rest = '';
      for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
        this.heard += part;
        const messages = (rest + part).split('\n\n');
        rest = messages.pop() ?? '';
        for (const message of messages) {
          if (message.startsWith('data: ')) this.latest = JSON.parse(message.slice(6));
        }
      }
    } catch (error) {
      if (!this.#ending.signal.aborted) throw error;
    }
  }

  get(path: string): Promise<Answer> {
    return this.#ask(path);
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body) });
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(`${this.base}${path}`, init);
    const text = await answer.text();
    this.heard += text;
    return { status: answer.status, body: JSON.parse(text) };
  }
}
