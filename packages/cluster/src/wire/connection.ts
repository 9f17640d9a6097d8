/** A socket with its session: the only place where bytes meet a clock. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Traffic } from '../transport.ts';
import type { WirePolicy } from './policy.ts';
import { Pulse, type PulseOptions } from './pulse.ts';
import { PeerRefused, type RefusalReason } from './refusal.ts';
import type { Session, SessionEffect } from './session.ts';
import { tlsErrorText } from './tls-error.ts';

/** Clock and timers, which a test can replace. */
export interface WireClock {
  nowMs(): number;
  /** Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
}

/** Monotonic, from the wall clock at the start of the process: all processes of a machine read about the same. */
export const PROCESS_CLOCK: WireClock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  after(ms, act) {
    // A timer of Node counts whole milliseconds, and may fire up to one too early: to wake up twice costs more than to be late.
    const timer = setTimeout(act, Math.ceil(ms) + 1);
    return () => clearTimeout(timer);
  },
};

/** How long a peer may take to read the last bytes. */
const LINGER_MS = 1_000;

export type ConnectionEffect = Exclude<SessionEffect, { type: 'send' | 'refused' | 'closed-by-peer' }>;

export interface ConnectionEvents {
  onEffect(effect: ConnectionEffect): void;
  onHeartbeatDue(): void;
  /** Once, when the connection is of no more use. `reason` is null if the network or the other side closed it. */
  onClose(reason: RefusalReason | null, text: string, isClosedByPeer: boolean): void;
}

export class Connection {
  #pulse: Pulse | null = null;
  #session: Session | null = null;
  #cancelTimer: () => void;
  #isClosed = false;

  /** `raw` is the TCP socket below TLS, or the socket itself. */
  constructor(
    readonly socket: Socket,
    private readonly raw: Socket,
    private readonly clock: WireClock,
    private readonly policy: WirePolicy,
    private readonly events: ConnectionEvents,
    private readonly traffic: Traffic,
  ) {
    socket.setNoDelay(true);
    socket.on('error', (error) => {
      const text = socket instanceof TLSSocket ? tlsErrorText(error, socket) : null;
      if (text === null) this.close(null, error.message.split('\n')[0]);
      else this.close('certificate', text, { isFlushed: false });
    });
    socket.on('close', () => this.close(null, 'the connection was closed'));
    this.#cancelTimer = clock.after(policy.handshakeTimeoutMs, () =>
      this.close('timeout', `the handshake must end within ${policy.handshakeTimeoutMs} ms`),
    );
  }

  /** The socket is connected. */
  start(session: Session): void {
    if (this.#isClosed) return;
    this.#session = session;
    this.socket.on('data', (chunk: Buffer) => {
      if (this.#isClosed) return;
      this.#pulse?.received(this.clock.nowMs());
      this.traffic.bytesReceived += chunk.length;
      this.#apply(session.receive(chunk));
    });
    this.#apply(session.start());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The peer is proved: from now on silence counts. */
  keepAlive(options: PulseOptions, begins: boolean): void {
    this.#cancelTimer();
    const pulse = new Pulse(options, begins, this.clock.nowMs());
    this.#pulse = pulse;
    const wait = (): void => {
      this.#cancelTimer = this.clock.after(pulse.waitMs(this.clock.nowMs()), check);
    };
    const check = (): void => {
      const { isDue, isSilent } = pulse.check(this.clock.nowMs());
      if (isSilent) this.close('timeout', `nothing arrived for ${options.silenceMs} ms`);
      else if (isDue) this.events.onHeartbeatDue();
      if (!this.#isClosed) wait();
    };
    wait();
  }

  /** To be called when a heartbeat has arrived: answers it, unless something was sent a short time ago. */
  answer(): void {
    if (this.#pulse?.isAnswerDue(this.clock.nowMs())) this.events.onHeartbeatDue();
  }

  send(kind: 'data' | 'heartbeat', body: string): void {
    if (!this.#isClosed && this.#session !== null) this.#write(this.#session.encode(kind, body));
  }

  /**
   * The text of a refusal, and what was sent before this member stops (`isFlushed`), should still arrive. In other cases the
   * system drops the bytes that the peer has not received, because they must not arrive after what follows.
   */
  close(
    reason: RefusalReason | null,
    text: string,
    { isClosedByPeer = false, isFlushed = reason !== null } = {},
  ): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTimer();
    if (this.raw.connecting) this.raw.destroy();
    else if (isFlushed && reason !== 'unread') {
      this.socket.end();
      this.#destroyLater();
    } else if (this.#isShuttingDown) {
      this.socket.once('finish', () => this.raw.resetAndDestroy());
      this.#destroyLater();
    } else this.raw.resetAndDestroy();
    this.events.onClose(reason, text, isClosedByPeer);
  }

  /**
   * The other side has ended the connection, and Node answers. A socket that is reset in this moment is never closed, and the
   * process never ends: libuv refuses it, and Node does not try again.
   */
  get #isShuttingDown(): boolean {
    const { writableEnded, writableFinished, writableLength } = this.socket;
    return writableEnded && !writableFinished && writableLength === 0;
  }

  #destroyLater(): void {
    this.raw.once(
      'close',
      this.clock.after(LINGER_MS, () => this.raw.destroy()),
    );
  }

  #write(bytes: Buffer): void {
    this.#pulse?.sent(this.clock.nowMs());
    this.traffic.framesSent++;
    this.traffic.bytesSent += bytes.length;
    this.socket.write(bytes);
    if (this.socket.writableLength > this.policy.maxUnreadBytes) {
      this.close('unread', `the peer has not read ${this.policy.maxUnreadBytes} bytes`);
    }
  }

  #apply(effects: readonly SessionEffect[]): void {
    for (const effect of effects) {
      if (this.#isClosed) return;
      if (effect.type === 'send') this.#write(effect.bytes);
      else if (effect.type === 'refused') this.close(effect.reason, effect.text);
      else if (effect.type === 'closed-by-peer') this.close(null, effect.text, { isClosedByPeer: true });
      else {
        this.traffic.framesReceived++;
        this.#pass(effect);
      }
    }
  }

  #pass(effect: ConnectionEffect): void {
    try {
      this.events.onEffect(effect);
    } catch (error) {
      if (!(error instanceof PeerRefused)) throw error;
      this.close(error.reason, error.message);
    }
  }
}
