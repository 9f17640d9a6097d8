/**
 * Decides whether a request comes from the page of the lab.
 *
 * Guarantees: a page of another site reads nothing and changes nothing, also if its name resolves to this machine (DNS
 * rebinding), and also by a form. Does not guard against other users of this machine: they can connect to the port as well.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Refusal {
  readonly status: 403 | 405 | 415;
  /** One sentence, for the reader of the answer. */
  readonly text: string;
  /** The methods that are answered, with 405. */
  readonly allow?: string;
}

export interface GuardedRequest {
  readonly method: string;
  /** The path alone. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** The server that a request must mean. */
export interface LabIdentity {
  readonly port: number;
  readonly token: string;
}

/** The header that carries the token of a change. Forms cannot set headers. */
export const TOKEN_HEADER = 'x-hustings-token';

const refuse = (text: string, status: Refusal['status'] = 403): Refusal => ({ status, text });

/** The refusal of a request, or null if it may be answered. */
export function refusalOf(
  { method, path, headers }: GuardedRequest,
  { port, token }: LabIdentity,
): Refusal | null {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '')) return refuse(`the Host must be ${hosts[0]}`);
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    return refuse('the Origin must be the lab itself');
  }
  const isApi = path.startsWith('/api/');
  if (!isFromLab(headers, isApi)) return refuse('another site must not use the lab');
  if (method === 'GET' || method === 'HEAD') return null;
  if (method !== 'POST' || !isApi) {
    const allow = isApi ? 'GET, HEAD, POST' : 'GET, HEAD';
    return { status: 405, text: 'only GET, and POST to the API, are answered', allow };
  }
  if (!isSame(headers[TOKEN_HEADER], token)) return refuse(`a change needs the header ${TOKEN_HEADER}`);
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    return refuse('a change must be JSON: set the Content-Type application/json', 415);
  }
  return null;
}

/** Browsers say where a request comes from. A link on another site may lead to a page of the lab, but not to its API. */
function isFromLab(headers: IncomingHttpHeaders, isApi: boolean): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  return !isApi && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function isSame(given: string | string[] | undefined, token: string): boolean {
  const [one, other] = [Buffer.from(String(given)), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
