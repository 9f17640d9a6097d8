/**
 * Fences over HTTP. The leader sends its fence in the header `Hustings-Fence`, and the service checks it at a gate before its
 * handler runs. A refusal is answered without the handler: 400 for a missing or malformed fence; 403 for a forged fence or
 * one of another election; 412 (precondition failed) for a stale fence, which no retry can make valid; 503 with Retry-After if
 * the fence cannot be checked now, or a handler of an older term still runs.
 *
 * Guaranteed: in this process, handlers of an older term have settled before a handler of a newer term begins (see
 * fence-gate.ts). A service with several processes needs shared marks, and a fence in its database too.
 */
import { type Fence, plainFence } from './fence.ts';
import { FenceBusyError, FenceError, type FenceRefusal } from './fence-error.ts';
import { FenceGate, type GateOptions, type Passage } from './fence-gate.ts';

/** The header that carries the fence. */
export const FENCE_HEADER = 'Hustings-Fence';

const STATUS: Readonly<Record<FenceRefusal, number>> = {
  malformed: 400,
  forged: 403,
  foreign: 403,
  stale: 412,
};
const LATER = 503;
const RETRY_AFTER_S = '1';

/** The header of a request: the `fence` of a lead, or the plain form of a name and a token. */
export function fenceHeaders(lead: { readonly fence: string } | Fence): Record<string, string> {
  return { [FENCE_HEADER]: 'fence' in lead ? lead.fence : plainFence(lead) };
}

/** The part of `node:http` that is used. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The part of a response of `node:http` that is used. */
export interface NodeResponse {
  /** Sends the status and the headers. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Sends the body and ends the response. */
  end(body: string): unknown;
  /** Adds a listener for one event. */
  once(event: 'finish' | 'close', listener: () => void): unknown;
  readonly writableEnded: boolean;
}

/** For `http.createServer`. A handler without a promise has settled when its response has ended or the connection is closed. */
export function withFence<Q extends NodeRequest, S extends NodeResponse>(
  handler: (request: Q, response: S, passage: Passage) => unknown,
  guard: FenceGate | GateOptions,
): (request: Q, response: S) => Promise<void> {
  const gate = gateOf(guard);
  return async (request, response) => {
    const given = request.headers[FENCE_HEADER.toLowerCase()];
    const outcome = await attempt(gate, typeof given === 'string' ? given : '', (passage) => {
      const result = handler(request, response, passage);
      return result instanceof Promise ? result : ended(response);
    });
    if (outcome.refused === null) return;
    response.writeHead(outcome.refused.status, outcome.refused.headers);
    response.end(outcome.refused.body);
  };
}

/** Does not wait for a slow client if the handler has written the whole response. */
function ended(response: NodeResponse): Promise<void> | undefined {
  if (response.writableEnded) return undefined;
  return new Promise((resolve) => {
    response.once('finish', resolve);
    response.once('close', resolve);
  });
}

/** The request type of fetch and of frameworks that use it. */
export interface FetchRequest {
  readonly headers: {
    /** The value of a header, or null. */
    get(name: string): string | null;
  };
}

/** For handlers from Request to Response. Further arguments of the handler follow the passage. */
export function withFetchFence<Q extends FetchRequest, A extends unknown[], S>(
  handler: (request: Q, passage: Passage, ...rest: A) => S | Promise<S>,
  guard: FenceGate | GateOptions,
): (request: Q, ...rest: A) => Promise<S> {
  const gate = gateOf(guard);
  return async (request, ...rest) => {
    const given = request.headers.get(FENCE_HEADER) ?? '';
    const outcome = await attempt(gate, given, (passage) => handler(request, passage, ...rest));
    if (outcome.refused === null) return outcome.result;
    const { status, body, headers } = outcome.refused;
    return new Response(body, { status, headers }) as S;
  };
}

interface Refused {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Outcome<T> = { readonly refused: null; readonly result: T } | { readonly refused: Refused };

/** Errors of the handler are thrown. Errors of the gate become an answer. */
async function attempt<T>(
  gate: FenceGate,
  given: string,
  handle: (passage: Passage) => T | Promise<T>,
): Promise<Outcome<T>> {
  let isHandling = false;
  try {
    const result = await gate.run(given, (passage) => {
      isHandling = true;
      return handle(passage);
    });
    return { refused: null, result };
  } catch (error) {
    if (isHandling) throw error;
    return { refused: answerTo(error) };
  }
}

function answerTo(error: unknown): Refused {
  const headers = { 'content-type': 'application/json' };
  const bodyOf = (code: string, message: string): string => `${JSON.stringify({ code, message })}\n`;
  if (error instanceof FenceError) {
    return { status: STATUS[error.refusal], headers, body: bodyOf(error.code, error.message) };
  }
  const later = { status: LATER, headers: { ...headers, 'retry-after': RETRY_AFTER_S } };
  if (error instanceof FenceBusyError) return { ...later, body: bodyOf(error.code, error.message) };
  // The reason why the store cannot be read is not public.
  return {
    ...later,
    body: bodyOf('HUSTINGS_FENCE_UNCHECKED', 'the fence cannot be checked now; try again'),
  };
}

function gateOf(guard: FenceGate | GateOptions): FenceGate {
  return guard instanceof FenceGate ? guard : new FenceGate(guard);
}
