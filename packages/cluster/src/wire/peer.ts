/** Another member as this process sees it: the link, and the connection that carries it now. */

import { show } from '@hustings/base';
import { FRAME_TYPES } from '../frame-fields.ts';
import type { ClusterMember } from '../member-list/member-list.ts';
import type { Frame, TransportEvents } from '../transport.ts';
import type { Connection, ConnectionEffect } from './connection.ts';
import type { Link, Resumption } from './link.ts';
import type { PulseOptions } from './pulse.ts';
import { PeerRefused } from './refusal.ts';

export class Peer {
  /** Proved. */
  connection: Connection | null = null;
  /** When the last connection was lost. */
  #lostMs = 0;
  /** Something at its address has accepted an announcement. */
  isFound = false;
  /** Attempts to dial since the last connection. */
  failures = 0;
  /** The attempt to dial, or to announce, that is under way. */
  attempt: Connection | null = null;
  /** Ends the wait before the next attempt. */
  cancelDial: () => void = () => undefined;

  constructor(
    readonly member: ClusterMember,
    readonly link: Link,
    private readonly events: () => TransportEvents | null,
    private readonly pulse: PulseOptions,
    /** Whether this process dials the peer; otherwise it only announces itself. */
    readonly dials: boolean,
  ) {}

  /** Queues a frame, and writes it if there is a connection. */
  send(frame: Frame, text: string): void {
    if (this.link.enqueue(frame, text)) this.#flush();
    else this.reset('the queue is full');
  }

  /** Closes the connection: bytes on their way must not arrive after what follows. */
  reset(text: string): void {
    const dropped = this.link.reset();
    this.disconnect(text);
    this.events()?.onReset(this.member.id, dropped);
  }

  disconnect(text: string, isFlushed = false): void {
    this.attempt?.close(null, text);
    this.connection?.close(null, text, { isFlushed });
  }

  /** The connection is closed. */
  lose(nowMs: number): void {
    this.connection = null;
    this.#lostMs = nowMs;
  }

  /**
   * The hello that resumes this connection, or null if a newer process has taken the member's place. A newer process that stays
   * silent for `silenceMs` is considered gone: otherwise two processes could replace each other in every short outage.
   */
  resumption(incarnation: string, nowMs: number): Resumption | null {
    const isFree = this.connection === null && nowMs - this.#lostMs >= this.pulse.silenceMs;
    return isFree || !this.link.isRetired(incarnation) ? this.link.resumption(incarnation) : null;
  }

  /** The peer is proved on this connection, which takes the place of an earlier one. */
  adopt(connection: Connection, effect: Extract<ConnectionEffect, { type: 'proved' }>): void {
    this.connection?.close(null, 'the peer has connected again');
    const dropped = this.link.connect(effect.incarnation, effect.own, effect.theirs);
    this.connection = connection;
    this.failures = 0;
    connection.keepAlive(this.pulse, this.dials);
    if (dropped !== null) this.events()?.onReset(this.member.id, dropped);
    // The reset may have closed it.
    if (this.connection === connection) this.#flush();
    this.events()?.onSignOfLife(this.member.id);
  }

  receive(effect: Extract<ConnectionEffect, { type: 'data' | 'heartbeat' }>): void {
    this.link.acknowledge(effect.ack);
    const events = this.events();
    events?.onSignOfLife(this.member.id);
    if (effect.type === 'heartbeat') {
      this.connection?.answer();
      return;
    }
    if (!FRAME_TYPES.includes(effect.frame.type)) {
      throw new PeerRefused('frame', `no frame has the type ${show(effect.frame.type)}`);
    }
    if (this.link.accept(effect.number)) events?.onFrame(this.member.id, effect.frame as Frame);
    if (this.link.mustAcknowledge) this.beat();
  }

  /** A heartbeat, which also acknowledges. */
  beat(): void {
    this.connection?.send('heartbeat', `{"ack":${this.link.takeAcknowledgement()}}`);
  }

  #flush(): void {
    const { connection } = this;
    if (connection === null) return;
    connection.socket.cork();
    for (const { number, text } of this.link.takeUnwritten()) {
      connection.send(
        'data',
        `{"number":${number},"ack":${this.link.takeAcknowledgement()},"frame":${text}}`,
      );
    }
    connection.socket.uncork();
  }
}
