/** Reads requests and writes answers: JSON documents and lines of text. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body of a request; null if it is longer than `mostBytes`. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest is read and dropped, so that the answer arrives.
    if (bytes <= mostBytes) chunks.push(chunk);
    else if (bytes > 16 * mostBytes) break;
  }
  return bytes <= mostBytes ? Buffer.concat(chunks).toString('utf8') : null;
}

/** The address of a request; null if it cannot be parsed. */
export function addressOf({ url: path = '/' }: IncomingMessage): URL | null {
  const text = `http://localhost${path}`;
  return path.startsWith('/') && URL.canParse(text) ? new URL(text) : null;
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${text}\n`);
}

export function sendJson(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(document));
}
