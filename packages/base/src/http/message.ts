/** Reads requests and writes answers: JSON documents and lines of text. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body of a request; null as soon as it is longer than `maxBytes`, or says that it will be. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else resolve(null);
      // Until then the rest is read and dropped, so that a client that sends it all before it reads gets the answer.
      if (bytes > 16 * maxBytes) request.destroy();
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', reject);
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) resolve(null);
  });
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
