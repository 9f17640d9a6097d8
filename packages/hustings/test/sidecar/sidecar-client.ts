import { type IncomingHttpHeaders, request } from 'node:http';
import type { CampaignNews, CampaignStatus } from '../../src/sidecar/campaign-news.ts';
import { type Sidecar, type SidecarOptions, startSidecar } from '../../src/sidecar/sidecar.ts';

export const TOKEN = 'a token of the test';
const HEADERS = { 'x-hustings-token': TOKEN.replaceAll(' ', '-'), 'content-type': 'application/json' };

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or the text. */
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields that it expects
  readonly body: any;
}

export interface Sent {
  readonly method?: string;
  /** Undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** The events that a service has received. */
export interface Stream {
  readonly news: readonly CampaignNews[];
  readonly comments: readonly string[];
  readonly status: Promise<number>;
  readonly ended: Promise<void>;
  close(): void;
}

let count = 0;

/** A sidecar in the process of the test, with an election of its own. */
export function start(options: Partial<SidecarOptions> = {}): Promise<Sidecar> {
  return startSidecar({
    storeUrl: `memory:sidecar-${process.pid}-${count++}`,
    names: ['billing'],
    place: { port: 0 },
    token: HEADERS['x-hustings-token'],
    timing: { ttlMs: 1_500 },
    stopGraceMs: 1_000,
    log: () => undefined,
    ...options,
  });
}

/** Sends exactly these headers: fetch would not let a test set Host or Origin. */
export function send(
  to: { readonly port?: number | null; readonly socketPath?: string },
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const place = to.socketPath === undefined ? { host: '127.0.0.1', port: to.port } : to;
  return new Promise((resolve, reject) => {
    const options = {
      ...place,
      path,
      method,
      headers: given as Record<string, string>,
      agent: false,
    } as const;
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data) => (text += data));
      response.on('error', reject);
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json') ?? false;
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, headers: answered, body: isJson && text !== '' ? JSON.parse(text) : text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export const get = (to: Parameters<typeof send>[0], path: string): Promise<Answer> => send(to, path);

/** A change as a service sends it. */
export function post(
  to: Parameters<typeof send>[0],
  path: string,
  body: unknown = {},
  headers: Sent['headers'] = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return send(to, path, { method: 'POST', headers: { ...HEADERS, ...headers }, body: text });
}

export async function progress(sidecar: Sidecar, campaign: string): Promise<CampaignStatus> {
  return (await post(sidecar, '/progress', { campaign })).body;
}

export function openStream(sidecar: { readonly port: number | null }, body: unknown = {}): Stream {
  const news: CampaignNews[] = [];
  const comments: string[] = [];
  const sent = request({
    ...{ host: '127.0.0.1', port: sidecar.port, path: '/campaign', method: 'POST', agent: false },
    headers: { ...HEADERS, accept: 'text/event-stream' },
  });
  let answered: (status: number) => void = () => {};
  const status = new Promise<number>((resolve) => {
    answered = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    sent.on('close', resolve);
    sent.on('error', () => resolve());
    sent.on('response', (response) => {
      answered(response.statusCode ?? 0);
      let rest = '';
      response.setEncoding('utf8').on('data', (data) => {
        const messages = (rest + data).split('\n\n');
        rest = messages.pop() ?? '';
        for (const message of messages) {
          if (message.startsWith('data: ')) news.push(JSON.parse(message.slice(6)));
          else if (message.startsWith(':')) comments.push(message);
        }
      });
      response.on('error', () => undefined);
    });
  });
  sent.end(JSON.stringify(body));
  return { news, comments, status, ended, close: () => void sent.destroy() };
}
