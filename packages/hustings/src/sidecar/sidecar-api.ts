/**
 * The requests of the sidecar. Reads need a right Host; changes need the token and are JSON. GET changes nothing.
 *
 *   GET  /leader    the leader, read from the store; 503 if the store cannot be read
 *   GET  /healthz, /readyz, /metrics
 *   POST /campaign  begins a campaign: answers with a stream of events if the client accepts one
 *   POST /progress  reports that the service lives, and answers with the state of its campaign
 *   POST /release   reports that the work has stopped: the lease is released at once
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { checkWhole, InputError, isRecord, suggestion } from '@hustings/base';
import {
  addressOf,
  EventStream,
  hasToken,
  readBody,
  refusalOf,
  type ServerIdentity,
  sendJson,
} from '@hustings/base/http';
import { prometheusText } from '../elector/metrics/exporters.ts';
import type { Campaign } from './campaign.ts';
import { CampaignUnderWayError, type ServedElection } from './served-election.ts';

const MAX_BODY_BYTES = 4_096;
const KEEP_ALIVE_MS = 5_000;
const MIN_PROGRESS_MS = 100;
const MAX_PROGRESS_MS = 24 * 3_600_000;
const CAMPAIGN_FIELDS = ['name', 'proof', 'progressWithinMs'];
const HEADERS = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' };

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** The body of a POST; {} otherwise. */
  readonly body: Readonly<Record<string, unknown>>;
}

type Handler = (call: Call) => void | Promise<void>;

export class SidecarApi {
  /** No campaign begins any more. */
  isStopping = false;
  readonly #streams = new Set<EventStream>();
  readonly #reads: Readonly<Record<string, Handler>> = {
    '/leader': (call) => this.#leader(call),
    '/healthz': ({ response }) => this.#health(response),
    '/readyz': ({ response }) => this.#ready(response),
    '/metrics': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(prometheusText(this.elections.map(({ elector }) => elector.metrics)));
    },
  };
  readonly #changes: Readonly<Record<string, Handler>> = {
    '/campaign': (call) => this.#campaign(call),
    '/progress': ({ body, response }) => {
      const campaign = this.#campaignOf(body);
      campaign?.progress();
      sendStatus(response, campaign);
    },
    '/release': async ({ body, response }) => {
      const campaign = this.#campaignOf(body);
      const wasOver = campaign?.state === 'ended';
      await campaign?.release();
      if (campaign === undefined || wasOver) sendStatus(response, campaign);
      else sendJson(response, 200, campaign.status);
    },
  };

  constructor(
    private readonly elections: readonly ServedElection[],
    private readonly identity: ServerIdentity,
    private readonly trust: (socket: Socket) => void,
  ) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (error instanceof InputError) sendJson(response, 400, { error: error.message });
      else if (error instanceof CampaignUnderWayError) sendJson(response, 409, { error: error.message });
      else sendJson(response, 500, { error: 'the sidecar failed to answer' });
    }
  }

  endStreams(): void {
    for (const stream of this.#streams) stream.end();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    // A request that is given up while it is read has no socket any more.
    const { method = '', headers, headersDistinct, socket } = request;
    const url = addressOf(request);
    if (url === null) return sendJson(response, 400, { error: 'the address cannot be read' });
    const { pathname, searchParams: query } = url;
    const refusal = refusalOf({ method, isApi: true, headers, headersDistinct }, this.identity);
    if (refusal !== null) {
      if (refusal.allow !== undefined) response.setHeader('allow', refusal.allow);
      // The rest of a refused request is not read.
      response.setHeader('connection', 'close');
      return sendJson(response, refusal.status, { error: refusal.text });
    }
    if (hasToken(headers, this.identity.token)) this.trust(socket);
    const isChange = method === 'POST';
    const handlers = isChange ? this.#changes : this.#reads;
    if (!Object.hasOwn(handlers, pathname)) {
      const isKnown = Object.hasOwn(isChange ? this.#reads : this.#changes, pathname);
      if (isKnown) response.setHeader('allow', isChange ? 'GET, HEAD' : 'POST');
      const error = isKnown ? 'the method is wrong' : `there is no ${pathname.slice(0, 100)}`;
      return sendJson(response, isKnown ? 405 : 404, { error });
    }
    const text = isChange ? await readBody(request, MAX_BODY_BYTES) : '{}';
    if (text === null) {
      return sendJson(response, 413, { error: `the request must be at most ${MAX_BODY_BYTES} bytes` });
    }
    const body = documentOf(text);
    // The client may have gone while its request was read.
    if (socket.destroyed) return;
    await handlers[pathname]({ request, response, query, body });
  }

  async #leader({ query, response }: Call): Promise<void> {
    const election = this.#electionOf(query.get('name'));
    const { name } = election.elector;
    try {
      const view = await election.leader();
      sendJson(response, 200, { name, leads: election.leads, ...view, token: `${view.token}` });
    } catch (error) {
      // Never an outdated view.
      sendJson(response, 503, {
        name,
        leads: election.leads,
        type: 'unknown',
        error: (error as Error).message,
      });
    }
  }

  #health(response: ServerResponse): void {
    const elections = this.elections.map((each) => ({ name: each.elector.name, ...each.health() }));
    const isHealthy = elections.every(({ healthy }) => healthy);
    sendJson(response, isHealthy ? 200 : 503, { healthy: isHealthy, elections });
  }

  async #ready(response: ServerResponse): Promise<void> {
    if (this.isStopping) return sendJson(response, 503, { ready: false, problem: 'the sidecar is stopping' });
    try {
      await Promise.all(this.elections.map((election) => election.leader()));
      sendJson(response, 200, { ready: true });
    } catch (error) {
      sendJson(response, 503, { ready: false, problem: (error as Error).message });
    }
  }

  #campaign({ request, response, body }: Call): void {
    const unknown = Object.keys(body).find((field) => !CAMPAIGN_FIELDS.includes(field));
    if (unknown !== undefined) {
      const meant = suggestion(unknown, CAMPAIGN_FIELDS);
      const fields = CAMPAIGN_FIELDS.join(', ');
      throw new InputError(`there is no field '${unknown.slice(0, 100)}'${meant}; /campaign has ${fields}`);
    }
    const election = this.#electionOf(body.name);
    if (this.isStopping) {
      sendJson(response, 503, { error: 'the sidecar is stopping' });
      return;
    }
    const isStream = /\btext\/event-stream\b/.test(request.headers.accept ?? '');
    const progressWithinMs = progressOf(body, isStream, Math.floor(election.timing.ttlMs / 3));
    if (!isStream) {
      const campaign = election.campaign({ progressWithinMs, stream: null });
      sendJson(response, 201, campaign.status);
      return;
    }
    let stream: EventStream | null = null;
    const unsent: unknown[] = [];
    const campaign = election.campaign({
      progressWithinMs,
      stream: (news) => {
        if (stream === null) unsent.push(news);
        else stream.send(news);
      },
    });
    const opened = new EventStream(response, () => {
      clearInterval(timer);
      this.#streams.delete(opened);
      campaign.streamClosed();
    });
    stream = opened;
    this.#streams.add(opened);
    for (const news of unsent) opened.send(news);
    const timer = setInterval(() => opened.keepAlive(), KEEP_ALIVE_MS);
    void campaign.ended.then(() => opened.end());
  }

  /** Undefined if the campaign ended long ago, or with an earlier process. */
  #campaignOf({ campaign: id }: Call['body']): Campaign | undefined {
    if (typeof id !== 'string') throw new InputError('campaign must be the id that POST /campaign answered');
    for (const election of this.elections) {
      const found = election.find(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #electionOf(name: unknown): ServedElection {
    const { elections } = this;
    if ((name === undefined || name === null) && elections.length === 1) return elections[0];
    const found = elections.find(({ elector }) => elector.name === name);
    if (found !== undefined) return found;
    const names = elections.map(({ elector }) => `'${elector.name}'`).join(', ');
    throw new InputError(`name must be one of ${names}`);
  }
}

/** 410: the campaign is over; begin another one. */
function sendStatus(response: ServerResponse, campaign: Campaign | undefined): void {
  const unknown = { state: 'ended', error: 'there is no such campaign; begin another one' };
  const isOver = campaign === undefined || campaign.state === 'ended';
  sendJson(response, isOver ? 410 : 200, campaign?.status ?? unknown);
}

/** The stream alone is a proof only if the service asks for that: a stopped process keeps its connection open. */
function progressOf(
  { proof = 'progress', progressWithinMs }: Call['body'],
  isStream: boolean,
  usualMs: number,
): number | null {
  if (proof !== 'progress' && proof !== 'stream')
    throw new InputError("proof must be 'progress' or 'stream'");
  if (proof === 'stream') {
    if (!isStream) throw new InputError("proof 'stream' needs the header Accept: text/event-stream");
    if (progressWithinMs !== undefined)
      throw new InputError("proof 'stream' has no progressWithinMs; remove it");
    return null;
  }
  const withinMs = progressWithinMs ?? usualMs;
  checkWhole('progressWithinMs', withinMs, MIN_PROGRESS_MS, MAX_PROGRESS_MS);
  return withinMs;
}

function documentOf(text: string): Call['body'] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new InputError('the request must be a JSON document');
  }
  if (isRecord(body)) return body as Call['body'];
  throw new InputError('the request must be a JSON object');
}
