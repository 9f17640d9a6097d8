/**
 * One connection as a machine: bytes in, effects out. It has no clock and no socket.
 *
 * The handshake: the dialler sends hello, the listener answers with hello, the dialler sends ready, the listener answers with
 * ready. A hello only claims; from ready on every frame has a MAC if the cluster has a secret. So a peer is proved by its
 * certificate, or by the first frame that only a holder of the secret can make for these two nonces. The listener does
 * nothing but answer the hello before that.
 *
 * The smaller id dials. A larger one announces itself: it sends hello, which tells the other side that it listens now, and
 * the connection ends. An announcement proves nothing.
 *
 * Not guaranteed: with a secret any holder of it can run as any member, and a newer process replaces one that runs; only
 * certificates tell members apart. With neither, any process that reaches the port can.
 */
import type { KeyObject } from 'node:crypto';
import { isRecord, isWhole, show } from '@hustings/base';
import { type ClusterSettings, settingsProblem } from './cluster-settings.ts';
import {
  encodeFrame,
  FrameDecoder,
  type FrameKind,
  HEAD_BYTES,
  parseBody,
  type RawFrame,
} from './frame-codec.ts';
import { FrameMac, MAC_BYTES } from './frame-mac.ts';
import { isRandom, parseHello, printable } from './hello.ts';
import type { Resumption } from './link.ts';
import type { Direction, Hello, WirePolicy } from './policy.ts';
import { PeerRefused, type RefusalReason } from './refusal.ts';

export interface SessionOptions {
  readonly role: 'dialler' | 'listener';
  readonly cluster: string;
  readonly id: number;
  readonly incarnation: string;
  readonly nonce: string;
  /** Version and digest of the member list. The digest is empty for a list that is not from a file. */
  readonly version: number;
  readonly digest: string;
  /** The ids of the member list, which may change while the session lasts. */
  ids(): ReadonlySet<number>;
  readonly settings: ClusterSettings;
  /** Undefined where folders are not compared. */
  readonly folders?: FolderCheck | undefined;
  /** The member that was dialled; null for the listener. */
  readonly expected: number | null;
  /** The id in the certificate of the peer, null if it names none; undefined without TLS. */
  readonly certified: number | null | undefined;
  readonly secret: KeyObject | null;
  readonly policy: WirePolicy;
  /** What the link says to that process; null if a newer process runs as this member. */
  resumption(peer: number, incarnation: string): Resumption | null;
}

/** The folder of this process, and what it knows of the folders of others. */
export interface FolderCheck {
  readonly id: string;
  /** Why a process that runs as `peer` in this folder is refused; null if it is not. */
  refusal(peer: number, folder: string): string | null;
}

export type SessionEffect =
  | { readonly type: 'send'; readonly bytes: Buffer }
  | {
      readonly type: 'proved';
      readonly peer: number;
      readonly incarnation: string;
      readonly version: number;
      /** Null where folders are not compared. */
      readonly folder: string | null;
      readonly own: Resumption;
      readonly theirs: Resumption;
    }
  | {
      readonly type: 'data';
      readonly number: number;
      readonly ack: number;
      readonly frame: Record<string, unknown>;
    }
  | { readonly type: 'heartbeat'; readonly ack: number }
  /** A peer that must not dial says that it can be dialled. To be closed. */
  | { readonly type: 'announced'; readonly peer: number }
  /** The peer has closed the connection, and says why. */
  | { readonly type: 'closed-by-peer'; readonly text: string }
  /** To be closed after what was sent. The peer is null before it is proved. */
  | {
      readonly type: 'refused';
      readonly reason: RefusalReason;
      readonly text: string;
      readonly peer: number | null;
    };

export class Session {
  readonly #decoder: FrameDecoder;
  readonly #hello: Omit<Hello, 'to'>;
  #peer: Hello | null = null;
  #own: Resumption | null = null;
  #mac: FrameMac | null = null;
  #isProved = false;
  #isOver = false;

  constructor(private readonly options: SessionOptions) {
    const { cluster, id, incarnation, nonce, policy } = options;
    this.#decoder = new FrameDecoder(policy.maxUnauthenticatedBytes);
    this.#hello = { cluster, id, incarnation, nonce };
  }

  /** To be called once, before bytes arrive. A certificate of another member is refused here, before a byte is parsed. */
  start(): SessionEffect[] {
    const { certified, expected, policy } = this.options;
    return this.#guarded((effects) => {
      if (certified !== undefined) {
        if (!policy.isCertified(certified, expected ?? certified ?? -1)) {
          const wanted = expected === null ? 'a member of this cluster' : `member ${expected}`;
          const named = certified === null ? 'none' : `member ${certified}`;
          throw new PeerRefused('identity', `the certificate must name ${wanted}, and it names ${named}`);
        }
        if (certified !== null) this.#checkMember(certified);
      }
      if (expected !== null) effects.push(this.#send('hello', { ...this.#hello, to: expected }));
    });
  }

  /** Never throws. */
  receive(chunk: Buffer): SessionEffect[] {
    return this.#guarded((effects) => {
      this.#decoder.push(chunk);
      for (let raw = this.#decoder.next(); raw !== null && !this.#isOver; raw = this.#decoder.next())
        this.#onFrame(raw, effects);
    });
  }

  /** A data frame or a heartbeat for the peer, once it is proved. `body` is JSON. */
  encode(kind: 'data' | 'heartbeat', body: string): Buffer {
    return this.#encode(kind, body);
  }

  get heldBytes(): number {
    return this.#decoder.heldBytes;
  }

  /** `run` adds to the effects. Those before a refusal count. */
  #guarded(run: (effects: SessionEffect[]) => void): SessionEffect[] {
    const effects: SessionEffect[] = [];
    if (this.#isOver) return effects;
    try {
      run(effects);
    } catch (error) {
      if (!(error instanceof PeerRefused)) throw error;
      this.#isOver = true;
      const { reason, message: text } = error;
      // A peer whose hello could not be read may speak another protocol.
      if (this.#peer !== null) effects.push(this.#send('refusal', { reason, text }));
      effects.push({ type: 'refused', reason, text, peer: this.#isProved ? this.#peer!.id : null });
    }
    return effects;
  }

  #onFrame(raw: RawFrame, effects: SessionEffect[]): void {
    const body = this.#open(raw);
    if (raw.kind === 'refusal') {
      this.#isOver = true;
      effects.push({ type: 'closed-by-peer', text: printable(body.text) });
    } else if (this.#peer === null) {
      if (raw.kind !== 'hello')
        throw new PeerRefused('frame', `the first frame must be hello, not ${raw.kind}`);
      this.#onHello(body, effects);
    } else if (!this.#isProved) {
      if (raw.kind !== 'ready')
        throw new PeerRefused('frame', `the second frame must be ready, not ${raw.kind}`);
      this.#onReady(body, this.#peer, effects);
    } else {
      effects.push(this.#onTraffic(raw.kind, body));
    }
  }

  /** Checks the MAC before the body is parsed. */
  #open({ kind, bytes }: RawFrame): Record<string, unknown> {
    if (this.#mac === null || kind === 'refusal') return parseBody(bytes.subarray(HEAD_BYTES));
    const end = Math.max(HEAD_BYTES, bytes.length - MAC_BYTES);
    if (!this.#mac.isNext(this.#direction('in'), bytes.subarray(0, end), bytes.subarray(end))) {
      throw new PeerRefused('mac', 'the MAC of a frame is wrong; give all members the same secret');
    }
    return parseBody(bytes.subarray(HEAD_BYTES, end));
  }

  #onHello(body: Record<string, unknown>, effects: SessionEffect[]): void {
    const { role, cluster, id, expected, certified, secret, policy } = this.options;
    const peer = parseHello(body);
    if (peer.cluster !== cluster) {
      throw this.#answered(peer, 'cluster', `this is a member of another cluster than ${peer.cluster}`);
    }
    if (peer.to !== id)
      throw this.#answered(peer, 'recipient', `this is member ${id}, not member ${peer.to}`);
    if (expected !== null && peer.id !== expected) {
      throw this.#answered(
        peer,
        'recipient',
        `the address of member ${expected} belongs to member ${peer.id}`,
      );
    }
    if (certified !== undefined && !policy.isCertified(certified, peer.id)) {
      throw this.#answered(
        peer,
        'identity',
        `the certificate does not name member ${peer.id}, which the peer claims to be`,
      );
    }
    const problem = this.#memberProblem(peer.id);
    if (problem !== null) throw this.#answered(peer, 'member', problem);
    if (role === 'listener' && peer.id > id) {
      this.#isOver = true;
      effects.push({ type: 'announced', peer: peer.id });
      return;
    }
    // One connection per pair: the smaller id dials. Nobody dials itself.
    if (role === 'listener' && peer.id === id) {
      throw this.#answered(
        peer,
        'recipient',
        `member ${peer.id} must not dial member ${id}: the smaller id dials`,
      );
    }
    this.#own = this.#resumption(peer);
    this.#peer = peer;
    const own = { ...this.#hello, to: peer.id };
    if (role === 'listener') effects.push(this.#send('hello', own));
    const [dialler, listener] = role === 'dialler' ? [own, peer] : [peer, own];
    if (secret !== null) this.#mac = new FrameMac(secret, cluster, dialler, listener, policy);
    if (role === 'dialler') effects.push(this.#sendReady());
  }

  #onReady(body: Record<string, unknown>, peer: Hello, effects: SessionEffect[]): void {
    const { role, id, version, digest, policy, settings } = this.options;
    const { next, received, version: theirVersion, digest: theirDigest } = body;
    this.#isProved = true;
    if (!isWhole(next, 1) || !isWhole(received, 0) || !isWhole(theirVersion, 1)) {
      throw new PeerRefused('frame', 'ready must have whole numbers');
    }
    const isChecked = version === theirVersion && digest !== '' && theirDigest !== '';
    if (isChecked && digest !== theirDigest) {
      throw new PeerRefused(
        'members',
        `two different member lists have version ${version}; copy one to all members`,
      );
    }
    const difference = settingsProblem(id, settings, peer.id, body.settings);
    if (difference !== null) throw new PeerRefused('settings', difference);
    const folder = this.#checkFolder(peer.id, body.folder);
    this.#decoder.allow(policy.maxMemberBytes);
    // Since the hello frames of an earlier connection may have arrived, and a newer process, and another member list.
    this.#checkMember(peer.id);
    const own = this.#resumption(peer);
    if (role === 'listener') {
      this.#own = own;
      effects.push(this.#sendReady());
    }
    effects.push({
      type: 'proved',
      peer: peer.id,
      incarnation: peer.incarnation,
      version: theirVersion,
      folder,
      own: this.#own!,
      theirs: { next, received },
    });
  }

  #onTraffic(kind: FrameKind, { number, ack, frame }: Record<string, unknown>): SessionEffect {
    if (!isWhole(ack, 0))
      throw new PeerRefused('frame', `ack must be a whole number from 0, not ${show(ack)}`);
    if (kind === 'data') {
      if (!isWhole(number, 1))
        throw new PeerRefused('frame', `number must be a whole number from 1, not ${show(number)}`);
      if (!isRecord(frame)) throw new PeerRefused('frame', 'a data frame must carry an object');
      return { type: 'data', number, ack, frame };
    }
    if (kind !== 'heartbeat') throw new PeerRefused('frame', `${kind} must not follow the handshake`);
    return { type: 'heartbeat', ack };
  }

  #checkMember(id: number): void {
    const why = this.#memberProblem(id);
    if (why !== null) throw new PeerRefused('member', why);
  }

  #memberProblem(id: number): string | null {
    const { ids, policy, version } = this.options;
    return policy.isMember(ids(), id) ? null : `member ${id} is not in version ${version} of the member list`;
  }

  #checkFolder(peer: number, folder: unknown): string | null {
    const { folders } = this.options;
    if (folders === undefined) return null;
    if (!isRandom(folder)) throw new PeerRefused('frame', 'ready must have the id of a folder');
    const why = folders.refusal(peer, folder);
    if (why !== null) throw new PeerRefused('folder', why);
    return folder;
  }

  #resumption(peer: Hello): Resumption {
    const own = this.options.resumption(peer.id, peer.incarnation);
    if (own !== null) return own;
    const text = `a newer process runs as member ${peer.id}; stop one of the two`;
    throw this.#answered(peer, 'duplicate', text);
  }

  /** The hello could be read, so the peer is told why it is refused. */
  #answered(peer: Hello, reason: RefusalReason, text: string): PeerRefused {
    this.#peer = peer;
    return new PeerRefused(reason, text);
  }

  #sendReady(): SessionEffect {
    const { version, digest, folders, settings } = this.options;
    const folder = folders && { folder: folders.id };
    return this.#send('ready', { version, digest, settings, ...folder, ...this.#own });
  }

  #send(kind: FrameKind, body: object): SessionEffect {
    return { type: 'send', bytes: this.#encode(kind, JSON.stringify(body)) };
  }

  #encode(kind: FrameKind, body: string): Buffer {
    const mac = this.#mac;
    // A refusal is only for the log, and a peer with another secret must be able to read it.
    if (mac === null || kind === 'refusal') return encodeFrame(kind, body);
    return encodeFrame(kind, body, MAC_BYTES, (bytes) => mac.next(this.#direction('out'), bytes));
  }

  #direction(way: 'in' | 'out'): Direction {
    return (this.options.role === 'dialler') === (way === 'out') ? 'to-listener' : 'to-dialler';
  }
}
