/**
 * Decides whether a request may be answered by a server on loopback.
 *
 * Guarantees: a page of another site reads nothing and changes nothing, also if its name resolves to this machine (DNS
 * rebinding), and also by a form. Does not guard reads against other users of this machine: they can connect to the port as
 * well. A change needs the token.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export interface Refusal {
  readonly status: 403 | 405 | 415;
  /** One sentence, for the reader of the answer. */
  readonly text: string;
  /** The methods that are answered, with 405. */
  readonly allow?: string;
}

export interface GuardedRequest {
  readonly method: string;
  /** Whether the path belongs to an API: only there a POST is answered, and no link of another site leads there. */
  readonly isApi: boolean;
  readonly headers: IncomingHttpHeaders;
  /** Shows a header that is given twice. */
  readonly headersDistinct: IncomingMessage['headersDistinct'];
}

/** The server that a request must mean. */
export interface ServerIdentity {
  /** The values of Host that mean this server; null on a Unix-domain socket, which no browser reaches. */
  readonly hosts: readonly string[] | null;
  /** Whether this server has pages of its own, which send its Origin. */
  readonly hasPages: boolean;
  readonly token: string;
}

/** The header that carries the token of a change. Forms cannot set headers. */
export const TOKEN_HEADER = 'x-hustings-token';

/** The values of Host for a port of this machine. */
export function loopbackHosts(port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost'];
  // Clients leave out the usual port.
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])];
}

const refuse = (text: string, status: Refusal['status'] = 403): Refusal => ({ status, text });

/** The refusal of a request, or null if it may be answered. */
export function refusalOf(
  { method, isApi, headers, headersDistinct }: GuardedRequest,
  { hosts, hasPages, token }: ServerIdentity,
): Refusal | null {
  if ((headersDistinct.host?.length ?? 0) > 1) return refuse('the Host must be given once');
  if (hosts !== null && !hosts.includes((headers.host ?? '').toLowerCase()))
    return refuse(`the Host must be ${hosts[0]}`);
  const { origin } = headers;
  const origins = hasPages ? (hosts ?? []).map((host) => `http://${host}`) : [];
  if (origin !== undefined && !origins.includes(origin)) {
    return refuse(hasPages ? 'the Origin must be this server itself' : 'a page of a site is not answered');
  }
  if (!isFromHere(headers, isApi)) return refuse('another site must not use this server');
  if (method === 'GET' || method === 'HEAD') return null;
  if (method !== 'POST' || !isApi) {
    const allow = isApi ? 'GET, HEAD, POST' : 'GET, HEAD';
    return { status: 405, text: 'only GET, and POST to the API, are answered', allow };
  }
  if (!hasToken(headers, token)) return refuse(`a change needs the header ${TOKEN_HEADER}`);
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    return refuse('a change must be JSON: set the Content-Type application/json', 415);
  }
  return null;
}

/** Browsers say where a request comes from. A link on another site may lead to a page of this server, but not to its API. */
function isFromHere(headers: IncomingHttpHeaders, isApi: boolean): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  return !isApi && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/** Whether the request carries the token, compared in constant time. */
export function hasToken(headers: IncomingHttpHeaders, token: string): boolean {
  const [one, other] = [Buffer.from(String(headers[TOKEN_HEADER])), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
