/**
 * The API of the Leases page: who leads, the history, and what an operator may do. The server has checked Host, Origin and,
 * for changes, the token before it calls this. GET changes nothing: the demo starts with a POST.
 *
 * Guaranteed: no answer contains a secret of the store's URL.
 */
import type { ServerResponse } from 'node:http';
import { errorMessage, HustingsError, InputError } from '@hustings/base';
import { answerStreamHead, EventStream } from '@hustings/base/http';
import { checkName } from 'hustings/internal/lease/core/election-name';
import { momentOf } from 'hustings/internal/lease/history-moment';
import { requestTransfer } from 'hustings/internal/lease/named-successor';
import { StoreError } from 'hustings/lease';
import type { LeaseRecord, LeaseStore } from 'hustings/lease/etcd';
import { DEMO_ELECTION, Demo, type DemoOptions } from '../demo/demo.ts';
import type { DemoAction } from '../model/leases/demo-snapshot.ts';
import type { ElectionTerm, LeaseSnapshot, LedAt } from '../model/leases/lease-snapshot.ts';
import { termView } from './election-reading.ts';
import { ElectionWatch } from './election-watch.ts';
import type { ApiCall, LabApi } from './lab-api.ts';
import { refuseCall } from './refuse-call.ts';
import { WatchedStore } from './watched-store.ts';

export interface LeaseApiOptions {
  /** The store of the user; null for the demo. */
  readonly storeUrl: string | null;
  readonly demo?: DemoOptions;
}

/** What the user has confirmed is no longer the case. */
class OutdatedError extends HustingsError {
  constructor(message: string) {
    super(message, { code: 'HUSTINGS_OUTDATED' });
  }
}

interface Opened {
  readonly store: WatchedStore;
  readonly demo: Demo | null;
}

const MAX_TERMS = 1_000;

/** The method of each path. HEAD is answered wherever GET is. */
const METHODS: ReadonlyMap<string, 'GET' | 'POST'> = new Map([
  ['events', 'GET'],
  ['at', 'GET'],
  ['terms', 'GET'],
  ['open', 'POST'],
  ['evict', 'POST'],
  ['transfer', 'POST'],
  ['fault', 'POST'],
]);

export class LeaseApi implements LabApi {
  readonly #options: LeaseApiOptions;
  #opening: Promise<Opened> | null = null;
  /** By election; '' for the first one of the store. */
  readonly #watches = new Map<string, ElectionWatch>();
  readonly #streams = new Set<EventStream>();
  #isClosed = false;

  constructor(options: LeaseApiOptions) {
    this.#options = options;
    if (options.storeUrl !== null) this.#opening = this.#open();
  }

  /** Answers every call, also a wrong one. */
  async handle(call: ApiCall, response: ServerResponse): Promise<void> {
    if (refuseCall(call, response, 'lease', METHODS)) return;
    try {
      if (call.path === 'events') {
        return call.method === 'HEAD' ? answerStreamHead(response) : await this.#stream(call.query, response);
      }
      answer(response, 200, await this.#answer(call));
    } catch (error) {
      answer(response, statusOf(error), { error: errorMessage(error) });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stream of this.#streams) stream.end();
    const opened = await this.#opening?.catch(() => null);
    await opened?.store.close();
    await opened?.demo?.close();
  }

  #answer({ path, query, body }: ApiCall): Promise<unknown> {
    switch (path) {
      case 'open':
        return this.#start();
      case 'at':
        return this.#ledAt(electionOf(query), numberOf(query.get('at'), 'at'));
      case 'terms':
        return this.#terms(electionOf(query));
      case 'evict':
        return this.#evict(fieldsOf(body, 'election', 'token'));
      case 'transfer':
        return this.#transfer(fieldsOf(body, 'election', 'token', 'to'));
      default: // METHODS has no path beside these but fault.
        return this.#fault(fieldsOf(body, 'id', 'action'));
    }
  }

  async #start(): Promise<object> {
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      await opening;
      return { open: true };
    } catch (error) {
      if (this.#opening === opening) this.#opening = null;
      throw error;
    }
  }

  async #open(): Promise<Opened> {
    const { storeUrl, demo: options } = this.#options;
    if (this.#isClosed) throw new InputError('the lab is closed; start it again');
    if (storeUrl !== null) return { store: new WatchedStore(storeUrl), demo: null };
    const demo = await Demo.start(options);
    return { store: new WatchedStore(demo.storeUrl, true), demo };
  }

  async #opened(): Promise<Opened> {
    if (this.#opening === null)
      throw new OutdatedError('the demo is not started; open the Leases page again');
    return this.#opening;
  }

  async #stream(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const name = query.get('election') || null;
    if (name !== null) checkName(name, 'an election');
    const opened = await this.#opening;
    if (response.destroyed) return;
    if (opened === null) {
      const stream = new EventStream(response, () => {});
      stream.send({ type: 'closed' } satisfies LeaseSnapshot);
      return stream.end();
    }
    const { store, demo } = opened;
    const key = name ?? '';
    const watch = this.#watches.get(key) ?? new ElectionWatch(store, name ?? (demo && DEMO_ELECTION), demo);
    this.#watches.set(key, watch);
    const stream = new EventStream(response, () => {
      unsubscribe();
      this.#streams.delete(stream);
      if (watch.isIdle) this.#watches.delete(key);
    });
    this.#streams.add(stream);
    const unsubscribe = watch.subscribe((snapshot) => stream.send(snapshot));
  }

  async #ledAt(election: string, atMs: number): Promise<LedAt> {
    const { store } = await this.#opened();
    return store.use(async (each) => {
      const [found] = await each.history(election, { atMs });
      const moment = momentOf(found ?? null, await each.history(election), atMs);
      const view = (term: (typeof moment)['term']): ElectionTerm | null => term && termView(term);
      return { atMs, term: view(moment.term), before: view(moment.before), after: view(moment.after) };
    });
  }

  async #terms(election: string): Promise<readonly ElectionTerm[]> {
    const { store } = await this.#opened();
    return store.use(async (each) => (await each.history(election, { limit: MAX_TERMS })).map(termView));
  }

  async #evict({ election, token }: Record<'election' | 'token', string>): Promise<object> {
    const { store } = await this.#opened();
    return store.use(async (each) => {
      const { holder, remainingMs } = await confirmedRecord(each, election, token);
      if (!(await each.evict(election))) throw new OutdatedError(`${election} has no leader to evict`);
      return { holder: holder.id, endsWithinMs: remainingMs };
    });
  }

  async #transfer({ election, token, to }: Record<'election' | 'token' | 'to', string>): Promise<object> {
    checkName(to, 'a candidate');
    const { store } = await this.#opened();
    return store.use(async (each) => {
      const { holder } = await confirmedRecord(each, election, token);
      const result = await requestTransfer(each, election, to);
      if (typeof result === 'object') throw new OutdatedError(result.problem);
      if (result === 'not-held') throw new OutdatedError(`${election} has no leader that could hand over`);
      return { holder: holder.id, to };
    });
  }

  async #fault({ id, action }: Record<'id' | 'action', string>): Promise<object> {
    const { demo } = await this.#opened();
    if (demo === null) throw new InputError('faults can be injected in the demo only');
    await demo.act(id, action as DemoAction);
    return { id, action };
  }
}

/** The record, if the term that the user has confirmed still lasts. The next term may begin between this and the change. */
async function confirmedRecord(
  store: LeaseStore,
  election: string,
  token: string,
): Promise<LeaseRecord & { readonly holder: NonNullable<LeaseRecord['holder']> }> {
  checkName(election, 'an election');
  const [record] = await store.read([election]);
  const { holder } = record;
  if (holder === null)
    throw new OutdatedError(`${election} has no leader at the moment; nothing was changed`);
  if (String(record.token) !== token) {
    throw new OutdatedError(`${holder.id} leads ${election} by now; nothing was changed`);
  }
  return { ...record, holder };
}

function answer(response: ServerResponse, status: number, document: unknown): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(document));
}

function statusOf(error: unknown): number {
  if (error instanceof InputError) return 400;
  if (error instanceof OutdatedError) return 409;
  return error instanceof StoreError ? 503 : 500;
}

function electionOf(query: URLSearchParams): string {
  const name = query.get('election') ?? '';
  checkName(name, 'an election');
  return name;
}

function numberOf(text: string | null, field: string): number {
  const value = text === null || text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) {
    throw new InputError(`${field} must be a time in milliseconds since 1970, not ${JSON.stringify(text)}`);
  }
  return value;
}

function fieldsOf<Field extends string>(body: unknown, ...fields: Field[]): Record<Field, string> {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  for (const field of fields) {
    if (typeof given[field] !== 'string')
      throw new InputError(`${field} must be a text; add it to the request`);
  }
  return given as Record<Field, string>;
}
