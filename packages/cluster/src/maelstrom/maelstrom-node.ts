/**
 * One node of Maelstrom: lines in, lines out. It has no stream and no clock of its own.
 *
 * Members have the places of their names in `node_ids` as ids, from 1.
 */
import { firstLine, HustingsError, isRecord, isWhole, show } from '@hustings/base';
import type { AnyAlgorithm, Setting } from '@hustings/study/kernel';
import type { MemberStore } from '../runtime/durable-outbox.ts';
import type { MemberClock } from '../runtime/member-clock.ts';
import { defaultUnitMs } from '../runtime/member-options.ts';
import { MemberRuntime } from '../runtime/member-runtime.ts';
import type { MemberEvent } from '../runtime/member-status.ts';
import { PeerRefused } from '../wire/refusal.ts';
import { LineTransport } from './line-transport.ts';

export interface MaelstromOptions {
  readonly algorithm: AnyAlgorithm;
  readonly set?: Readonly<Record<string, Setting>> | undefined;
  readonly heartbeatMs: number;
  /** From the heartbeat unless given. */
  readonly unitMs?: number | undefined;
  readonly clock: MemberClock;
  draw(sides: number): number;
  readonly incarnation: number;
  /** The durable state of the node with this name. */
  store(name: string): MemberStore;
  /** One line of stdout, without its end. */
  write(line: string): void;
  /** One line for people. */
  log(text: string): void;
  /** The node cannot go on. */
  onStopped(error: Error): void;
}

/** The error codes of Maelstrom. */
const NOT_SUPPORTED = 10;
const TEMPORARILY_UNAVAILABLE = 11;
const MALFORMED_REQUEST = 12;
const PRECONDITION_FAILED = 22;

interface Envelope {
  readonly src: string;
  readonly dest: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Joined {
  readonly name: string;
  readonly names: readonly string[];
  readonly transport: LineTransport;
  readonly runtime: MemberRuntime;
}

/** A request that is answered with an error. */
class RequestError extends Error {
  constructor(
    readonly code: number,
    text: string,
  ) {
    super(text);
  }
}

export class MaelstromNode {
  readonly #options: MaelstromOptions;
  #joined: Joined | null = null;
  /** Settles when init is done. */
  #opening: Promise<unknown> = Promise.resolve();
  #lines = 0;

  constructor(options: MaelstromOptions) {
    this.#options = options;
  }

  receive(line: string): void {
    this.#lines++;
    if (line.trim() === '') return;
    const envelope = parseEnvelope(line);
    if (typeof envelope === 'string') this.#options.log(`line ${this.#lines} is ignored: ${envelope}`);
    else if (this.#joined?.names.includes(envelope.src)) this.#onPeer(envelope, this.#joined);
    else void this.#onRequest(envelope);
  }

  /** Answers init first, if it waits for the state. */
  async close(): Promise<void> {
    await this.#opening.catch(() => undefined);
    await this.#joined?.runtime.close();
  }

  #onPeer({ body, src }: Envelope, { names, transport }: Joined): void {
    try {
      transport.receive(names.indexOf(src) + 1, body);
    } catch (error) {
      if (!(error instanceof PeerRefused)) throw error;
      this.#options.log(`line ${this.#lines} from ${src} is ignored: ${error.message}`);
    }
  }

  async #onRequest({ src, dest, body }: Envelope): Promise<void> {
    const { msg_id: id, type } = body;
    const reply = (answer: object): void => {
      const inReplyTo = isWhole(id, 0) ? { in_reply_to: id } : {};
      this.#write(this.#joined?.name ?? dest, src, { ...answer, ...inReplyTo });
    };
    try {
      if (typeof type !== 'string')
        throw new RequestError(MALFORMED_REQUEST, `type must be text, not ${show(type)}`);
      if (type === 'init') {
        this.#init(body);
        await this.#opening;
        reply({ type: 'init_ok' });
      } else {
        await this.#opening;
        reply(this.#answer(type, body));
      }
    } catch (error) {
      if (!(error instanceof RequestError)) return this.#options.onStopped(error as Error);
      this.#options.log(`a request of ${src} is refused: ${error.message}`);
      reply({ type: 'error', code: error.code, text: error.message });
    }
  }

  #answer(type: string, { echo }: Readonly<Record<string, unknown>>): object {
    if (this.#joined === null) throw new RequestError(TEMPORARILY_UNAVAILABLE, 'this node waits for init');
    if (type === 'leader') {
      const { id, leader, role, term } = this.#joined.runtime.status;
      const elected = role === 'leader' ? id : leader;
      return { type: 'leader_ok', leader: this.#nameOf(elected), term };
    }
    if (type === 'echo') return { type: 'echo_ok', echo };
    throw new RequestError(NOT_SUPPORTED, `${show(type)} is not a request of this node: send leader or echo`);
  }

  #init({ node_id: name, node_ids: names }: Readonly<Record<string, unknown>>): void {
    if (this.#joined !== null)
      throw new RequestError(PRECONDITION_FAILED, `this node is ${this.#joined.name} already`);
    const isList = Array.isArray(names) && names.every((each) => typeof each === 'string');
    if (!isList || new Set(names).size < names.length)
      throw new RequestError(MALFORMED_REQUEST, 'node_ids must be a list of different names');
    if (typeof name !== 'string' || !names.includes(name))
      throw new RequestError(MALFORMED_REQUEST, `node_id must be one of node_ids, not ${show(name)}`);
    this.#joined = this.#join(name, names);
    this.#opening = this.#joined.runtime.open();
  }

  #join(name: string, names: readonly string[]): Joined {
    const { algorithm, clock, draw, heartbeatMs, incarnation, set, store } = this.#options;
    const members = names.map((_, place) => place + 1);
    const self = names.indexOf(name) + 1;
    const transport = new LineTransport({
      ...{ self, members, heartbeatMs, clock, nonce: incarnation.toString(16) },
      write: (to, body) => this.#write(name, names[to - 1], body),
    });
    const onEvent = (event: MemberEvent): void => this.#onEvent(event);
    const detector = { heartbeatMs };
    try {
      const unitMs = this.#options.unitMs ?? defaultUnitMs({ algorithm, members }, heartbeatMs);
      const runtime = new MemberRuntime({
        ...{ cluster: 'maelstrom', self, members, algorithm, set, unitMs, detector, transport },
        ...{ store: store(name), clock, draw, incarnation, onEvent },
      });
      return { name, names, transport, runtime };
    } catch (error) {
      if (!(error instanceof HustingsError)) throw error;
      throw new RequestError(MALFORMED_REQUEST, firstLine(error));
    }
  }

  #onEvent(event: MemberEvent): void {
    const { log, onStopped } = this.#options;
    if (event.type === 'leader') {
      const own = event.role === 'leader' ? (this.#joined?.name ?? null) : null;
      log(`leader ${own ?? this.#nameOf(event.leader) ?? 'unknown'}, term ${event.term}`);
    } else if (event.type === 'suspicion')
      log(`${event.suspected ? 'suspects' : 'hears'} ${this.#nameOf(event.peer)}`);
    else if (event.type === 'refused')
      log(`a message from ${this.#nameOf(event.from)} is ignored: ${event.reason}`);
    else if (event.type === 'handler-failed') log(`a handler failed: ${firstLine(event.error)}`);
    else if (event.type === 'stopped')
      onStopped(new HustingsError(`${event.reason}: ${firstLine(event.error)}`, { cause: event.error }));
  }

  #nameOf(id: number | null): string | null {
    return id === null ? null : (this.#joined?.names[id - 1] ?? null);
  }

  #write(src: string, dest: string, body: object): void {
    this.#options.write(JSON.stringify({ src, dest, body }));
  }
}

/** Text says what is wrong. */
function parseEnvelope(line: string): Envelope | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return `it must be JSON, not ${show(line)}`;
  }
  if (!isRecord(value) || !isRecord(value.body)) return 'it must be an object with src, dest and body';
  const { body, dest, src } = value;
  if (typeof src !== 'string' || typeof dest !== 'string') return 'src and dest must be names';
  return { src, dest, body };
}
