/**
 * The status of a member over HTTP on loopback. What it answers to GET changes nothing and needs no token.
 *
 *   GET /status   the snapshot as JSON
 *   GET /healthz  200 while the member takes part, 503 after it has stopped
 *   GET /readyz   200 while it knows a leader, and after it has recovered if its folder does not last
 *   GET /metrics  in the text format of Prometheus
 *   GET /events   server-sent events: the status, then each change of the leader
 *   GET /trace    server-sent events: the latest steps, then each step, as lines of a recording
 *   POST /members {"add": {"id", "address"}} or {"remove": id}, with the token: answers when a majority has the new list
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { firstLine, InputError, isRecord } from '@hustings/base';
import {
  addressOf,
  answerStreamHead,
  ConnectionLimit,
  closeServer,
  EventStream,
  LOOPBACK,
  listenOnLoopback,
  loopbackHosts,
  readBody,
  refusalOf,
  sendJson,
  sendText,
} from '@hustings/base/http';
import type { MemberList } from '../member-list/member-list.ts';
import type { MemberChange } from '../membership/list-change.ts';
import { nodeMetrics } from './node-metrics.ts';
import type { ClusterNodeEvent, ClusterNodeStatus } from './node-status.ts';
import type { StepStream } from './step-stream.ts';

/** The HTTP server of a member. */
export interface NodeServer {
  readonly url: string;
  /** Passes an event on to the readers of /events. */
  send(event: ClusterNodeEvent): void;
  /** Ends the streams and stops to listen. */
  close(): Promise<void>;
}

/** What may change the member list. */
export interface ListChanger {
  /** The token of a change. */
  readonly token: string;
  /** Resolves to the list when the change is complete. */
  change(change: MemberChange): Promise<MemberList>;
}

const MAX_BODY_BYTES = 2_000;
const MAX_CONNECTIONS = 64;
const KEEP_ALIVE_MS = 5_000;
const LIMITS = { requestTimeout: 5_000, headersTimeout: 3_000, maxHeaderSize: 8_192 };

/** Resolves when it listens on `port` of 127.0.0.1; on any with 0. Without `steps` there is no /trace. */
export async function serveNode(
  port: number,
  status: () => ClusterNodeStatus,
  changer: ListChanger | null = null,
  steps?: StepStream,
): Promise<NodeServer> {
  const server = createServer(LIMITS);
  new ConnectionLimit(server, MAX_CONNECTIONS, MAX_CONNECTIONS);
  const own = await listenOnLoopback(server, port);
  const identity = { hosts: loopbackHosts(own), hasPages: false, token: changer?.token ?? '' };
  const streams = new Set<EventStream>();
  const traces = new Set<EventStream>();
  const keepAlive = setInterval(() => {
    for (const stream of [...streams, ...traces]) stream.keepAlive();
  }, KEEP_ALIVE_MS);
  const answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
    '/status': (_, response) => sendJson(response, 200, status()),
    '/healthz': (_, response) => {
      const { reason, state } = status();
      sendText(response, state === 'stopped' ? 503 : 200, reason ?? state);
    },
    '/readyz': (_, response) => {
      const { isReady, leader, recovery } = status();
      if (recovery?.isRecovered === false) return sendText(response, 503, 'recovering');
      const text = leader === null ? 'the leader is another member' : `leader ${leader}`;
      sendText(response, isReady ? 200 : 503, isReady ? text : 'no leader');
    },
    '/metrics': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(nodeMetrics(status()));
    },
    '/events': (request, response) => {
      if (request.method === 'HEAD') return answerStreamHead(response);
      const stream: EventStream = new EventStream(response, () => streams.delete(stream));
      streams.add(stream);
      stream.send({ type: 'status', status: status() });
    },
    ...(steps !== undefined && {
      '/trace': (request: IncomingMessage, response: ServerResponse) => {
        if (request.method === 'HEAD') return answerStreamHead(response);
        const stream: EventStream = new EventStream(response, () => {
          traces.delete(stream);
          steps.remove(stream);
        });
        traces.add(stream);
        steps.add(stream);
      },
    }),
  };
  server.on('request', (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff');
    const { headers, headersDistinct, method = '' } = request;
    const path = addressOf(request)?.pathname ?? '';
    const isApi = changer !== null && path === '/members';
    const refusal = refusalOf({ method, isApi, headers, headersDistinct }, identity);
    if (refusal !== null) {
      if (refusal.allow !== undefined) response.setHeader('allow', refusal.allow);
      sendJson(response, refusal.status, { error: refusal.text });
    } else if (method === 'POST' && changer !== null) {
      void answerChange(request, response, changer);
    } else if (!Object.hasOwn(answers, path)) {
      sendJson(response, 404, { error: `there is no ${path.slice(0, 100)}` });
    } else answers[path](request, response);
  });
  return {
    url: `http://${LOOPBACK}:${own}/`,
    send(event) {
      if (event.type !== 'leader') return;
      for (const stream of streams) stream.send(event);
    },
    async close() {
      clearInterval(keepAlive);
      await closeServer(server, async () => {
        for (const stream of [...streams, ...traces]) stream.end();
      });
    },
  };
}

async function answerChange(
  request: IncomingMessage,
  response: ServerResponse,
  { change }: ListChanger,
): Promise<void> {
  try {
    const { members, version } = await change(readChange(await readBody(request, MAX_BODY_BYTES)));
    sendJson(response, 200, { version, members });
  } catch (error) {
    sendJson(response, error instanceof InputError ? 400 : 409, { error: firstLine(error) });
  }
}

function readChange(text: string | null): MemberChange {
  let asked: unknown;
  try {
    asked = JSON.parse(text ?? '');
  } catch {
    asked = null;
  }
  const { add, remove } = isRecord(asked) ? asked : {};
  // What is in them is checked with the list.
  if (isRecord(add) && remove === undefined) {
    return { type: 'add', member: { id: add.id as number, address: add.address as string } };
  }
  if (typeof remove === 'number' && add === undefined) return { type: 'remove', id: remove };
  throw new InputError('a change must be {"add": {"id": 4, "address": "HOST:PORT"}} or {"remove": 4}');
}
