/**
 * Reads the status and the steps of one member over its HTTP server on loopback, again and again until it is closed.
 *
 * Guarantees: `state` is 'up' only while the last answer is new; a member that comes back is found by itself; what a member
 * sends is checked before it is passed on.
 */
import { Agent, get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import {
  type MemberReport,
  type MemberSteps,
  readReport,
  readSteps,
  type WatchedMember,
} from '../model/cluster/cluster-snapshot.ts';

const POLL_MS = 500;
/** A process that is stopped accepts connections, and does not answer. */
const ANSWER_MS = 1_500;
const MAX_STATUS_BYTES = 1_000_000;

export interface MemberClientHost {
  /** Its state or its report has changed. */
  onChange(): void;
  onSteps(steps: MemberSteps): void;
}

export class MemberClient {
  state: WatchedMember['state'] = 'connecting';
  /** Since when it has this state. */
  since = Date.now();
  report: MemberReport | null = null;
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #ending = new AbortController();
  readonly #host: MemberClientHost;
  #text = '';
  #stream: IncomingMessage | null = null;

  /** `http` is HOST:PORT on loopback. */
  constructor(http: string, host: MemberClientHost) {
    this.#url = `http://${http}`;
    this.#host = host;
    void this.#again(() => this.#readStatus());
    void this.#again(() => this.#readSteps());
  }

  /** The stream of steps begins again, with what the member keeps. */
  repeatSteps(): void {
    this.#stream?.destroy();
  }

  close(): void {
    this.#ending.abort();
    this.#agent.destroy();
  }

  async #again(read: () => Promise<void>): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await read().catch(() => {});
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, POLL_MS);
        function done(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        }
        signal.addEventListener('abort', done);
      });
    }
  }

  async #readStatus(): Promise<void> {
    const askedAt = Date.now();
    try {
      const response = await this.#get('/status', AbortSignal.timeout(ANSWER_MS));
      let text = '';
      for await (const part of response) {
        text += part;
        if (text.length > MAX_STATUS_BYTES) throw new Error('its status is too long');
      }
      const report = readReport(JSON.parse(text));
      this.#set(report === null ? 'silent' : 'up', report);
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      this.#set(isRefused ? 'down' : 'silent', null, askedAt);
    }
  }

  /** Resolves when the stream ends. */
  async #readSteps(): Promise<void> {
    const response = await this.#get('/trace');
    this.#stream = response;
    const lines = createInterface({ input: response });
    // A stream that is destroyed has no end.
    response.once('close', () => lines.close());
    try {
      for await (const line of lines) {
        if (line.startsWith('data: ')) this.#host.onSteps(readSteps(JSON.parse(line.slice(6))));
      }
    } finally {
      // Its process may have ended: that is known before the next poll.
      void this.#readStatus();
    }
  }

  #get(path: string, limit?: AbortSignal): Promise<IncomingMessage> {
    const { signal } = this.#ending;
    return new Promise((resolve, reject) => {
      const both = limit === undefined ? signal : AbortSignal.any([signal, limit]);
      get(`${this.#url}${path}`, { agent: this.#agent, signal: both }, (response) => {
        response.setEncoding('utf8');
        if (response.statusCode === 200) return resolve(response);
        response.resume();
        reject(new Error(`${path} is answered with ${response.statusCode}`));
      }).on('error', reject);
    });
  }

  #set(state: WatchedMember['state'], report: MemberReport | null, at = Date.now()): void {
    const text = JSON.stringify([state, report]);
    if (text === this.#text) return;
    this.#text = text;
    if (state !== this.state) this.since = at;
    this.state = state;
    this.report = report;
    this.#host.onChange();
  }
}
