/**
 * The server of the lab: the files of the page, and the APIs that need this machine.
 *
 * Guarantees: listens on 127.0.0.1 alone; refuses what does not come from its own page (request-guard.ts); GET changes
 * nothing; after `close` no connection, stream or port is left.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type ExitCategory, HustingsError } from '@hustings/base';
import {
  addressOf,
  closeServer,
  LOOPBACK,
  listenOnLoopback,
  loopbackHosts,
  readBody,
  refusalOf,
  sendJson,
  sendText,
} from '@hustings/base/http';
import type { LabApi } from './lab-api.ts';
import { PAGE_FOLDER, readPageFile } from './page-files.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface LabServerOptions {
  /** The first port to try; 0 for any. */
  readonly port: number;
  /** By name: mounted under /api/NAME/. */
  readonly apis?: Readonly<Record<string, LabApi>>;
  /** The compressed files of the page. */
  readonly folder?: string;
}

export interface LabServer {
  readonly url: string;
  readonly port: number;
  /** What the page sends with each change. */
  readonly token: string;
  close(): Promise<void>;
}

/** How many ports are tried if the first is in use. */
const MAX_PORTS = 32;
const MAX_BODY_BYTES = 65_536;

/** The lab cannot be served: its page is not built. */
class LabError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_LAB', cause });
  }

  override get exitCategory(): ExitCategory {
    return 'environment';
  }
}

/** Starts the server at the first free port. */
export async function startLabServer(options: LabServerOptions): Promise<LabServer> {
  const { apis = {}, folder = PAGE_FOLDER } = options;
  if (!existsSync(join(folder, 'index.html.br'))) {
    throw new LabError('the page of the lab is not built: run npm run build');
  }
  const token = randomBytes(24).toString('hex');
  const server = createServer();
  const port = await listenOnLoopback(server, options.port, MAX_PORTS);
  server.on('request', (request, response) => {
    answer(request, response, { port, token, apis, folder }).catch(() => fail(response));
  });
  server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n'),
  );
  return {
    url: `http://${LOOPBACK}:${port}/`,
    port,
    token,
    close: () => closeServer(server, () => Promise.all(Object.values(apis).map((api) => api.close()))),
  };
}

interface Site {
  readonly port: number;
  readonly token: string;
  readonly apis: Readonly<Record<string, LabApi>>;
  readonly folder: string;
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  const { method = '', headers, headersDistinct } = request;
  const url = addressOf(request);
  if (url === null) return sendText(response, 400, 'the address cannot be read');
  const identity = { hosts: loopbackHosts(site.port), hasPages: true, token: site.token };
  const isApi = url.pathname.startsWith('/api/');
  const refusal = refusalOf({ method, isApi, headers, headersDistinct }, identity);
  if (refusal !== null) {
    if (refusal.allow !== undefined) response.setHeader('allow', refusal.allow);
    return sendText(response, refusal.status, refusal.text);
  }
  const [, name, path] = /^\/api\/([^/]+)\/?(.*)$/.exec(url.pathname) ?? [];
  if (name !== undefined) {
    return answerApi(request, response, site, { name, path, query: url.searchParams });
  }
  const acceptsBrotli = /\bbr\b/.test(String(headers['accept-encoding'] ?? ''));
  const file = await readPageFile(site.folder, url.pathname, acceptsBrotli);
  if (file === undefined) return sendText(response, 404, 'there is no such file');
  response.writeHead(200, { ...file.headers, 'content-length': file.content.length });
  response.end(method === 'HEAD' ? undefined : file.content);
}

async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  { token, apis }: Site,
  { name, path, query }: { readonly name: string; readonly path: string; readonly query: URLSearchParams },
): Promise<void> {
  const { method } = request;
  if (name === 'session' && path === '') {
    // Another site cannot read the answer, and the guard has refused it already.
    if (method !== 'POST') return sendJson(response, 200, { token, apis: Object.keys(apis) });
    response.setHeader('allow', 'GET, HEAD');
    return sendJson(response, 405, { error: 'the session is read with GET' });
  }
  const api = Object.hasOwn(apis, name) ? apis[name] : undefined;
  if (api === undefined) return sendJson(response, 404, { error: `there is no API '${name}'` });
  if (method !== 'POST') {
    return api.handle({ method: method === 'HEAD' ? 'HEAD' : 'GET', path, query, body: undefined }, response);
  }
  const text = await readBody(request, MAX_BODY_BYTES);
  if (text === null) {
    return sendJson(response, 413, { error: `the request must be at most ${MAX_BODY_BYTES} bytes` });
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return sendJson(response, 400, { error: 'the request must be a JSON document' });
  }
  return api.handle({ method, path, query, body }, response);
}

function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else sendText(response, 500, 'the lab failed to answer');
}
