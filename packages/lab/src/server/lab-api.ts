/** What the server needs to know about an API that it mounts under /api/NAME/. */
import type { ServerResponse } from 'node:http';

/** A request that has passed every check of the server. */
export interface ApiCall {
  /** The answer to HEAD has the headers of the answer to GET, and ends. */
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** What follows /api/NAME/. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The JSON document of a POST. */
  readonly body: unknown;
}

export interface LabApi {
  /** Answers every call, also a wrong one. GET and HEAD change nothing. */
  handle(call: ApiCall, response: ServerResponse): Promise<void>;
  /** Ends its streams. */
  close(): Promise<void>;
}
