/** Server-sent events: one JSON document per message. */
import type { ServerResponse } from 'node:http';

/** A reader that is further behind is disconnected. It connects again, and gets the newest state as a whole. */
const MAX_UNREAD_BYTES = 1_000_000;
/** How long a browser waits before it connects again. */
const RETRY_MS = 1_000;

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/** Answers HEAD with headers only: a GET would stream without end. */
export function answerStreamHead(response: ServerResponse): void {
  response.writeHead(200, HEADERS).end();
}

export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, onClose: () => void) {
    this.#response = response;
    response.writeHead(200, HEADERS);
    response.write(`retry: ${RETRY_MS}\n\n`);
    response.once('close', onClose);
  }

  send(message: unknown): void {
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
    else this.#response.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  /** What was sent and is not yet with the reader's machine. */
  get unreadBytes(): number {
    return this.#response.writableLength;
  }

  /** Sends a comment line, which tells a waiting reader that the server runs. */
  keepAlive(): void {
    if (this.#response.writableLength <= MAX_UNREAD_BYTES) this.#response.write(': keep-alive\n\n');
  }

  end(): void {
    this.#response.end();
  }
}
