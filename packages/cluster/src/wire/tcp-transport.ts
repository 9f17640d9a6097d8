/**
 * The transport over TCP. One connection per pair of members: the smaller id dials, again and again with back-off, and the
 * larger one listens. A member that starts announces itself to all smaller ids, so that they dial at once. The cores decide
 * (`Session`, `Link`, `Pulse`); this file joins them to sockets.
 */
import { type KeyObject, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { InputError } from '@hustings/base';
import { type HostAndPort, parseAddress } from '../member-list/address.ts';
import {
  type ClusterMember,
  type MemberList,
  memberListDigest,
  memberOf,
} from '../member-list/member-list.ts';
import type { Frame, Traffic, Transport, TransportEvents } from '../transport.ts';
import { certifiedPeer } from './certificate-identity.ts';
import { Connection, type ConnectionEffect, PROCESS_CLOCK } from './connection.ts';
import { dialledSocket } from './dialled-socket.ts';
import { Link } from './link.ts';
import { Listener, remoteAddress } from './listener.ts';
import { Peer } from './peer.ts';
import { STRICT } from './policy.ts';
import { type PulseOptions, retryAfterMs } from './pulse.ts';
import type { RefusalReason, WireEvent } from './refusal.ts';
import { checkSecurity, secretKey } from './security.ts';
import { Session } from './session.ts';
import { pulseOptions, type WireInternals, type WireOptions } from './wire-options.ts';

/** Room for the number, the acknowledgement and the MAC of a frame. */
const ENVELOPE_BYTES = 256;

/** Frames between members, over TCP. */
export class TcpTransport implements Transport {
  readonly #options: WireOptions;
  readonly #internals: WireInternals;
  readonly #secret: KeyObject | null;
  readonly #pulse: PulseOptions;
  readonly #place: HostAndPort;
  /** Random for each process: peers tell a restarted member from a broken connection by it. */
  readonly #incarnation = randomBytes(16).toString('hex');
  readonly #peers = new Map<number, Peer>();
  /** Kept for removed members too: a member that is added again continues its sequence numbers. */
  readonly #links = new Map<number, Link>();
  /** Connections to the listener that have not proved who they are. */
  readonly #unauthenticated = new Set<Connection>();
  readonly #closing = new Set<Promise<void>>();
  readonly #traffic: Traffic = { framesSent: 0, bytesSent: 0, framesReceived: 0, bytesReceived: 0 };
  #members: MemberList;
  #digest: string;
  #ids: ReadonlySet<number>;
  #listener: Listener | null = null;
  #events: TransportEvents | null = null;
  #cut: ReadonlySet<number> = new Set();
  /** Outside the list: those that are to be told that they were removed, and one that is to be added. */
  #former: readonly ClusterMember[] = [];
  #candidate: ClusterMember | null = null;
  #isClosed = false;

  constructor(options: WireOptions, internals: Partial<WireInternals> = {}) {
    this.#options = options;
    this.#internals = { clock: PROCESS_CLOCK, policy: STRICT, random: Math.random, ...internals };
    this.#members = options.members;
    this.#digest = options.isFromFile === false ? '' : memberListDigest(options.members);
    this.#ids = new Set(options.members.members.map(({ id }) => id));
    this.#place = parseAddress(options.listen ?? memberOf(options.members, options.id).address);
    this.#pulse = pulseOptions(options);
    checkSecurity(options.security, [this.#place.host]);
    this.#secret = secretKey(options.security);
    for (const member of options.members.members) this.#addPeer(member);
  }

  get incarnation(): string {
    return this.#incarnation;
  }

  /** The ids of the members that are connected now. */
  get connected(): number[] {
    return [...this.#peers.values()]
      .filter(({ connection }) => connection !== null)
      .map(({ member }) => member.id);
  }

  get traffic(): Readonly<Traffic> {
    return { ...this.#traffic };
  }

  /** Listens, and connects to the other members. */
  async open(events: TransportEvents): Promise<void> {
    if (this.#events !== null) throw new InputError('a transport can be opened once; create another one');
    this.#events = events;
    const { security, id } = this.#options;
    this.#listener = new Listener(
      security,
      this.#internals.policy,
      {
        onConnection: (socket, raw) => this.#accept(socket, raw),
        onRefused: (address, reason, text) =>
          this.#emit({ type: 'refused', peer: null, address, reason, text }),
      },
      this.#members.members.length,
      this.#internals.random,
    );
    await this.#listener.listen(id, this.#place);
    for (const peer of this.#peers.values()) this.#dial(peer);
  }

  send(to: number, frame: Frame): void {
    if (this.#isClosed) return;
    const text = JSON.stringify(frame);
    const bytes = Buffer.byteLength(text) + ENVELOPE_BYTES;
    if (bytes > STRICT.maxMemberBytes) {
      throw new InputError(
        `a frame must have at most ${STRICT.maxMemberBytes} bytes, not ${bytes}; send less at once`,
      );
    }
    this.#peer(to).send(frame, text);
  }

  reset(to: number): void {
    if (!this.#isClosed) this.#peer(to).reset('the link was reset');
  }

  /** Cuts the connections to these peers, and opens none until the next call: a partition for demonstrations. */
  cut(peers: readonly number[]): void {
    const cut = peers.map((id) => this.#peer(id));
    const healed = [...this.#cut].filter((id) => !peers.includes(id));
    this.#cut = new Set(peers);
    for (const peer of cut) peer.disconnect('the link is cut');
    for (const id of healed) {
      const peer = this.#peers.get(id);
      // It may have left the member list meanwhile.
      if (peer === undefined) continue;
      peer.cancelDial();
      if (peer.connection === null && peer.attempt === null) this.#dial(peer);
    }
  }

  /**
   * Takes another member list, which is not from a file. New members are connected. Others are disconnected, except those of
   * `former`, which are to be told that they were removed.
   */
  useMembers(next: MemberList, former: readonly ClusterMember[] = []): void {
    this.#members = next;
    this.#digest = '';
    this.#former = former;
    this.#usePeers();
  }

  /** Connects a process that is to be added, beside the members, until null is given. To be repeated until it is reached. */
  invite(candidate: ClusterMember | null): void {
    this.#candidate = candidate;
    this.#usePeers();
    const peer = candidate && this.#peers.get(candidate.id);
    if (peer && !peer.dials && !peer.isFound && peer.attempt === null) this.#dial(peer);
  }

  /** Whether this process has proved who it is and listens at its address. One with a smaller id dials, so it must accept an announcement. */
  reaches(id: number): boolean {
    const peer = this.#peers.get(id);
    return peer !== undefined && peer.connection !== null && (peer.dials || peer.isFound);
  }

  #usePeers(): void {
    const invited = this.#candidate === null ? [] : [this.#candidate];
    const all = [...this.#members.members, ...invited, ...this.#former];
    this.#ids = new Set(all.map(({ id }) => id));
    this.#listener?.allow(all.length);
    for (const peer of [...this.#peers.values()]) {
      const member = all.find(({ id }) => id === peer.member.id);
      if (member?.address === peer.member.address) continue;
      this.#peers.delete(peer.member.id);
      peer.cancelDial();
      peer.disconnect('the member list has changed');
      this.#events?.onReset(peer.member.id, peer.link.reset());
    }
    for (const member of all) {
      const peer = this.#addPeer(member);
      if (peer !== null && this.#listener !== null) this.#dial(peer);
    }
  }

  /** What was sent before should still arrive, but is not waited for longer than a second. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const peer of this.#peers.values()) {
      peer.cancelDial();
      peer.disconnect('this member has stopped', true);
    }
    for (const connection of [...this.#unauthenticated]) connection.close(null, 'this member has stopped');
    await this.#listener?.close();
    await Promise.all(this.#closing);
  }

  /** Null if it is this member, or is there. */
  #addPeer(member: ClusterMember): Peer | null {
    if (member.id === this.#options.id || this.#peers.has(member.id)) return null;
    const events = (): TransportEvents | null => (this.#isClosed ? null : this.#events);
    const link = this.#links.get(member.id) ?? new Link();
    const peer = new Peer(member, link, events, this.#pulse, member.id > this.#options.id);
    this.#links.set(member.id, link);
    this.#peers.set(member.id, peer);
    return peer;
  }

  #peer(id: number): Peer {
    const peer = this.#peers.get(id);
    if (peer !== undefined) return peer;
    throw new InputError(`the peer must be another member of the cluster, not ${id}`);
  }

  /** Dials a larger id, or announces this member to a smaller one. */
  #dial(peer: Peer): void {
    const { address, id } = peer.member;
    if (this.#isClosed || this.#peers.get(id) !== peer || this.#cut.has(id)) return;
    const { raw, ready, socket } = dialledSocket(address, this.#options.security, this.#internals.policy);
    const connection = this.#connect(socket, raw, peer, (reason, text, isClosedByPeer) => {
      peer.attempt = null;
      const isFirst = peer.dials && peer.failures === 0 && !isClosedByPeer;
      // One that was removed is only to be told so, if it runs.
      if (reason === null && isFirst && !this.#former.some((one) => one.id === id)) {
        this.#emit({ type: 'unreachable', peer: id, text });
      }
    });
    peer.attempt = connection;
    // An announcement that is not refused is closed without a word.
    socket.once('end', () => {
      peer.isFound ||= !connection.isClosed;
    });
    socket.once(ready, () => connection.start(this.#session(socket, peer)));
  }

  #dialLater(peer: Peer): void {
    const { clock, random } = this.#internals;
    if (this.#isClosed || !peer.dials) return;
    peer.cancelDial();
    peer.cancelDial = clock.after(retryAfterMs(peer.failures++, random()), () => this.#dial(peer));
  }

  /**
   * A peer has announced itself. Nothing proves that it did, so it is dialled once, and the back-off begins again: the next one counts
   * after two more attempts.
   */
  #onAnnounce(id: number): void {
    const peer = this.#peers.get(id);
    if (peer === undefined || peer.connection !== null || peer.attempt !== null || peer.failures < 2) return;
    peer.cancelDial();
    peer.failures = 0;
    this.#dial(peer);
  }

  #accept(socket: Socket, raw: Socket): void {
    if (this.#isClosed) return void raw.destroy();
    const connection: Connection = this.#connect(socket, raw, null, () =>
      this.#unauthenticated.delete(connection),
    );
    this.#unauthenticated.add(connection);
    connection.start(this.#session(socket, null));
  }

  /** `dialled` is null for a connection to the listener. `onUnproved` is called if it closes before the peer is proved. */
  #connect(
    socket: Socket,
    raw: Socket,
    dialled: Peer | null,
    onUnproved: (reason: RefusalReason | null, text: string, isClosedByPeer: boolean) => void,
  ): Connection {
    const { clock, policy } = this.#internals;
    const closed = new Promise<void>((resolve) => raw.once('close', () => resolve()));
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
    let proved: Peer | null = null;
    const address = dialled?.member.address ?? remoteAddress(socket);
    const connection: Connection = new Connection(
      socket,
      raw,
      clock,
      policy,
      {
        onEffect: (effect) => {
          if (effect.type === 'proved') {
            proved = this.#peer(effect.peer);
            this.#onProved(proved, connection, effect);
          } else if (effect.type === 'announced') {
            connection.close(null, 'the peer has announced itself', { isFlushed: true });
            this.#onAnnounce(effect.peer);
          } else proved?.receive(effect);
        },
        onHeartbeatDue: () => proved?.beat(),
        onClose: (reason, text, isClosedByPeer) => {
          const peer = proved?.member.id ?? null;
          if (reason !== null) this.#emit({ type: 'refused', peer, address, reason, text });
          const id = peer ?? dialled?.member.id;
          if (isClosedByPeer && id !== undefined) this.#emit({ type: 'refused-by-peer', peer: id, text });
          if (proved === null) onUnproved(reason, text, isClosedByPeer);
          else if (proved.connection === connection) {
            proved.lose(clock.nowMs());
            this.#emit({ type: 'disconnected', peer: proved.member.id, text });
          }
          if (dialled !== null) this.#dialLater(dialled);
        },
      },
      this.#traffic,
    );
    return connection;
  }

  #session(socket: Socket, dialled: Peer | null): Session {
    const { folders, id, security, settings = {} } = this.#options;
    const { cluster, version } = this.#members;
    return new Session({
      role: dialled === null ? 'listener' : 'dialler',
      cluster,
      id,
      version,
      digest: this.#digest,
      ids: () => this.#ids,
      settings,
      folders,
      incarnation: this.#incarnation,
      nonce: randomBytes(16).toString('hex'),
      expected: dialled?.member.id ?? null,
      certified: security.type === 'tls' ? certifiedPeer(socket as TLSSocket, cluster) : undefined,
      secret: this.#secret,
      policy: this.#internals.policy,
      resumption: (peer, incarnation) =>
        this.#peers.get(peer)?.resumption(incarnation, this.#internals.clock.nowMs()) ?? null,
    });
  }

  #onProved(peer: Peer, connection: Connection, effect: Extract<ConnectionEffect, { type: 'proved' }>): void {
    this.#unauthenticated.delete(connection);
    if (peer.attempt !== connection) peer.attempt?.close(null, 'the peer has dialled');
    peer.attempt = null;
    this.#listener?.trust(connection.socket);
    if (this.#cut.has(effect.peer)) {
      connection.close(null, 'the link is cut');
      return;
    }
    this.#emit({ type: 'connected', peer: effect.peer });
    // A leader that changes the list tells it to the others.
    if (effect.version !== this.#members.version && this.#digest !== '') {
      this.#emit({ type: 'other-members', peer: effect.peer, version: effect.version });
    }
    peer.adopt(connection, effect);
    if (effect.folder !== null && !this.#isClosed) this.#events?.onFolder?.(effect.peer, effect.folder);
  }

  #emit(event: WireEvent): void {
    if (!this.#isClosed) this.#options.onEvent?.(event);
  }
}
