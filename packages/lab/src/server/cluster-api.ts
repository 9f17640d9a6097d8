/**
 * The API of the Cluster page for a running cluster: the state of its members, and their steps. It changes nothing. The
 * browser talks to the lab alone, and the lab to the members.
 */
import type { ServerResponse } from 'node:http';
import { answerStreamHead, EventStream } from '@hustings/base/http';
import { type ClusterFile, ClusterWatch } from './cluster-watch.ts';
import type { ApiCall, LabApi } from './lab-api.ts';
import { refuseCall } from './refuse-call.ts';

const METHODS = new Map([['events', 'GET' as const]]);
/** The page takes a longer silence for a loss of the server. */
const KEEP_ALIVE_MS = 2_000;

export class ClusterApi implements LabApi {
  readonly #watch: ClusterWatch;
  readonly #streams = new Set<EventStream>();

  /** `read` reads the member file, and again when a member has been added. Throws if the file cannot be read at first. */
  constructor(read: () => ClusterFile) {
    this.#watch = new ClusterWatch(read);
  }

  async handle(call: ApiCall, response: ServerResponse): Promise<void> {
    if (refuseCall(call, response, 'cluster', METHODS)) return;
    if (call.method === 'HEAD') return answerStreamHead(response);
    const stream = new EventStream(response, () => {
      clearInterval(timer);
      unsubscribe();
      this.#streams.delete(stream);
    });
    this.#streams.add(stream);
    const timer = setInterval(() => stream.send({ type: 'alive' }), KEEP_ALIVE_MS);
    const unsubscribe = this.#watch.subscribe((message) => stream.send(message));
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.end();
  }
}
