/**
 * One session with ZooKeeper, over one connection after the other: when a connection breaks, or an answer is late, the session
 * goes on with the next server. It ends when the server says that it has expired, and is never replaced by another one here:
 * what was decided for one session must not be sent by another.
 *
 * Guaranteed: a request is answered or rejected within its timeout, and is not sent after that. Only a pending request keeps
 * the process alive. Not guaranteed: that a rejected request had no effect.
 */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isPermanent, type StoreError } from '../../core/store-error.ts';
import { JuteReader, JuteWriter } from './jute.ts';
import { connectFailure, lateAnswer, sessionExpired } from './zookeeper-error.ts';
import { EVENTS, type SessionListener } from './zookeeper-events.ts';
import {
  AUTH_FAILED,
  authentication,
  CLOSE_SESSION,
  encodeRequest,
  NOTHING,
  SESSION_MOVED,
  XID,
  ZookeeperAnswerError,
  type ZookeeperRequest,
} from './zookeeper-protocol.ts';
import type { ZookeeperSettings } from './zookeeper-settings.ts';

const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;
const GOODBYE_MS = 500;
/** Larger messages than a server accepts by default. A length beyond it comes from something that is no ZooKeeper. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Pending {
  /** 0 before it is sent. */
  xid: number;
  sentMs: number;
  readonly request: ZookeeperRequest<unknown>;
  readonly untilMs: number;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export class ZookeeperSession {
  readonly #settings: ZookeeperSettings;
  readonly #listener: SessionListener;
  #socket: Socket | null = null;
  #isConnected = false;
  #isOver = false;
  #next: number;
  #id = 0n;
  #password: Buffer = Buffer.alloc(16);
  #timeoutMs: number;
  #lastZxid = 0n;
  #xid = 0;
  #received: Buffer = Buffer.alloc(0);
  /** Sent, in this order, and not answered. */
  readonly #sent: Pending[] = [];
  #unsent: Pending[] = [];
  #failure: StoreError | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #sentAtMs = 0;
  #openedMs = 0;
  #lastReceivedAtMs = 0;
  /** The server has certainly heard of the session at this time or later: see `#confirm`. */
  #confirmedMs = 0;
  #check: NodeJS.Timeout | null = null;
  #again: NodeJS.Timeout | null = null;

  constructor(settings: ZookeeperSettings, listener: SessionListener) {
    this.#settings = settings;
    this.#listener = listener;
    this.#timeoutMs = settings.sessionTimeoutMs;
    // Any server, so that many processes spread over all of them.
    this.#next = Math.floor(Math.random() * settings.servers.length);
    this.#open();
  }

  /** 0 before the server has given it. */
  get id(): bigint {
    return this.#id;
  }

  /** As the server has granted it. */
  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Where the session is or was connected last. */
  get server(): ZookeeperSettings['servers'][number] {
    const { servers } = this.#settings;
    return servers[(this.#next + servers.length - 1) % servers.length];
  }

  /** Resolves when the session has an id. */
  async established(): Promise<void> {
    if (this.#id === 0n) await this.request(NOTHING);
  }

  /** Requests that are made together are sent together, and take effect in their order. Rejects with a `StoreError` or a `ZookeeperAnswerError`. */
  request<Answer>(request: ZookeeperRequest<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) return reject(sessionExpired(this.#settings));
      const untilMs = performance.now() + this.#settings.timeoutMs;
      const pending = { xid: 0, sentMs: 0, request, untilMs, resolve: resolve as Pending['resolve'], reject };
      if (this.#isConnected) this.#send(pending);
      else this.#unsent.push(pending);
      this.#watchOver();
    });
  }

  /** `endsSession`: the server deletes the nodes of the session at once, and not when it expires. */
  async close(endsSession: boolean): Promise<void> {
    if (this.#isConnected && endsSession) {
      await Promise.race([
        this.request({ ...NOTHING, code: CLOSE_SESSION, encode: () => undefined }).catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref()),
      ]);
    }
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    if (this.#check !== null) clearTimeout(this.#check);
    if (this.#again !== null) clearTimeout(this.#again);
    this.#disconnect(sessionExpired(this.#settings));
  }

  #open(): void {
    // A server whose backup was restored refuses a session that has seen more, and never says that it has expired.
    if (this.#id !== 0n && !this.#confirm(0)) return;
    const { servers, timeoutMs, tls } = this.#settings;
    const server = servers[this.#next % servers.length];
    this.#next = (this.#next + 1) % servers.length;
    const socket = tls === null ? connect(server) : connectTls({ ...server, ...tls });
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    this.#openedMs = performance.now();
    this.#lastReceivedAtMs = this.#openedMs;
    socket.setNoDelay(true);
    if (this.#unsent.length === 0) socket.unref();
    const failed = (code: string): void => {
      if (this.#socket !== socket) return;
      this.#failure = connectFailure(this.#settings, code);
      this.#disconnect(this.#failure);
    };
    const late = setTimeout(() => failed('no answer'), timeoutMs);
    late.unref();
    socket.on(tls === null ? 'connect' : 'secureConnect', () => socket.write(this.#greeting()));
    socket.on('data', (data) => {
      if (this.#socket !== socket) return;
      clearTimeout(late);
      try {
        this.#take(data);
      } catch {
        // What cannot be read does not come from ZooKeeper.
        failed('it does not answer like ZooKeeper');
      }
    });
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => failed(code ?? message));
    socket.on('close', () => {
      clearTimeout(late);
      failed('closed by the server');
    });
  }

  #greeting(): Buffer {
    return new JuteWriter()
      .int(0)
      .long(this.#lastZxid)
      .int(this.#settings.sessionTimeoutMs)
      .long(this.#id)
      .buffer(this.#password)
      .frame();
  }

  /** Goes on with the next server. */
  #disconnect(error: StoreError): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
    const wasConnected = this.#isConnected;
    this.#isConnected = false;
    const lost = this.#sent.splice(0);
    // What is wrong with a certificate or a password does not change while requests wait.
    if (this.#isOver || isPermanent(error.kind)) lost.push(...this.#unsent.splice(0));
    for (const { reject } of lost) reject(error);
    if (wasConnected) this.#listener.onConnection(false);
    if (this.#isOver) return;
    this.#again = setTimeout(() => this.#open(), wasConnected ? 0 : this.#pauseMs * Math.random());
    if (!wasConnected) this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
    if (this.#unsent.length === 0) this.#again.unref();
  }

  #take(data: Buffer): void {
    this.#lastReceivedAtMs = performance.now();
    this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    const socket = this.#socket;
    while (this.#socket === socket && this.#received.length >= 4) {
      const length = this.#received.readInt32BE();
      if (length < 0 || length > MAX_BYTES) throw new RangeError('not a length');
      if (this.#received.length < length + 4) return;
      const message = new JuteReader(this.#received.subarray(4, length + 4));
      this.#received = this.#received.subarray(length + 4);
      if (this.#isConnected) this.#takeAnswer(message);
      else this.#takeWelcome(message);
    }
  }

  #takeWelcome(message: JuteReader): void {
    const [, timeoutMs, id] = [message.int(), message.int(), message.long()];
    if (timeoutMs <= 0) {
      this.#end();
      this.#listener.onExpired();
      return;
    }
    if (this.#id === 0n) this.#confirmedMs = this.#openedMs;
    else if (!this.#confirm(0)) return;
    this.#id = id;
    this.#password = Buffer.from(message.buffer());
    this.#timeoutMs = timeoutMs;
    this.#isConnected = true;
    this.#failure = null;
    this.#pauseMs = FIRST_PAUSE_MS;
    const { digest } = this.#settings;
    if (digest !== '') this.#write(authentication(digest));
    for (const pending of this.#unsent.splice(0)) this.#send(pending);
    this.#watchOver();
    this.#listener.onConnection(true);
  }

  #takeAnswer(message: JuteReader): void {
    const [xid, zxid, code] = [message.int(), message.long(), message.int()];
    if (zxid > 0n) this.#lastZxid = zxid;
    if (xid === XID.authentication) {
      if (code === 0) return;
      this.#failure = connectFailure(this.#settings, 'the authentication failed', AUTH_FAILED);
      this.#disconnect(this.#failure);
      return;
    }
    if (xid === XID.notification) {
      const event = EVENTS[message.int()] ?? 'other';
      message.int();
      this.#listener.onEvent(message.text(), event);
      return;
    }
    const pending = this.#sent.shift();
    if (pending?.xid !== xid) {
      pending?.reject(lateAnswer(this.#settings));
      throw new RangeError('an answer without its request');
    }
    if (!this.#confirm(pending.sentMs)) {
      pending.reject(sessionExpired(this.#settings));
      return;
    }
    try {
      if (code === SESSION_MOVED) throw new RangeError('the session has moved to another connection');
      if (code !== 0) throw new ZookeeperAnswerError(code);
      pending.resolve(pending.request.decode(message));
    } catch (error) {
      if (error instanceof ZookeeperAnswerError) return void pending.reject(error);
      pending.reject(lateAnswer(this.#settings));
      throw error;
    }
  }

  /**
   * A server that was stopped may answer a session that it is about to expire. The timeout counts from the latest request that was
   * certainly heard in time. The leader among the servers hears of it up to half a tick late, and so of the request that is answered
   * now: at most half of the shortest timeout that servers grant by default. After a later answer the session is given up: false.
   */
  #confirm(sentMs: number): boolean {
    const isCertain = performance.now() - this.#confirmedMs < this.#timeoutMs / 2;
    if (isCertain) this.#confirmedMs = Math.max(this.#confirmedMs, sentMs);
    else if (!this.#isOver) {
      this.#end();
      this.#listener.onExpired();
    }
    return isCertain;
  }

  #send(pending: Pending): void {
    this.#xid = (this.#xid % 0x7fff_ffff) + 1;
    pending.xid = this.#xid;
    pending.sentMs = performance.now();
    this.#sent.push(pending);
    this.#write(encodeRequest(pending.xid, pending.request));
  }

  /** What is written in one turn of the event loop goes out together. */
  #write(frame: Buffer): void {
    const socket = this.#socket!;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(frame);
    this.#sentAtMs = performance.now();
  }

  /** One timer for late answers, and for signs of life. */
  #watchOver(): void {
    const isPending = this.#sent.length + this.#unsent.length > 0;
    if (isPending) this.#socket?.ref();
    if (isPending) this.#again?.ref();
    if (this.#check !== null) {
      if (isPending) this.#check.ref();
      return;
    }
    const everyMs = Math.max(10, Math.min(this.#settings.timeoutMs / 8, this.#timeoutMs / 8));
    const dueMs = performance.now() + everyMs;
    this.#check = setTimeout(() => {
      this.#check = null;
      // After a pause of the whole process, answers may have come that were not read yet.
      if (performance.now() - dueMs < everyMs) this.#lookAfter();
      if (!this.#isOver) this.#watchOver();
    }, everyMs);
    if (!isPending) {
      this.#check.unref();
      this.#socket?.unref();
      this.#again?.unref();
    }
  }

  #lookAfter(): void {
    const nowMs = performance.now();
    const isLate = ({ untilMs }: Pending): boolean => untilMs <= nowMs;
    const late = this.#unsent.filter(isLate);
    this.#unsent = this.#unsent.filter((pending) => !isLate(pending));
    for (const { reject } of late) reject(this.#failure ?? lateAnswer(this.#settings));
    if (!this.#isConnected) return;
    const isSilent = nowMs - this.#lastReceivedAtMs > 0.4 * this.#timeoutMs;
    if (isSilent || this.#sent.some(isLate)) this.#disconnect(lateAnswer(this.#settings));
    else if (nowMs - this.#sentAtMs > this.#timeoutMs / 6) this.request(NOTHING).catch(() => undefined);
  }
}
