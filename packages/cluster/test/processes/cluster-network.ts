/**
 * The network between the members of a cluster on this machine: one proxy for each member, which all others dial. A proxy reads
 * the sender's id from the first frame of a connection, so each direction between two members can be held back or delayed.
 *
 * Guaranteed: bytes of one direction keep their order. What a direction holds back, the end of a connection included, arrives
 * when it is healed, as TCP delivers what it sends again. Not shown: reordered packets, which TCP hides.
 */
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { Random } from '../../../study/src/kernel/random.ts';
import { FrameDecoder, HEAD_BYTES, parseBody } from '../../src/wire/frame-codec.ts';

/** What one direction does with bytes. */
interface Direction {
  isHeld: boolean;
  delayMs: number;
  jitterMs: number;
}

type Item = { readonly type: 'bytes'; readonly bytes: Buffer } | { readonly type: 'end' | 'reset' };

/** A hello is shorter. */
const MAX_HELLO_BYTES = 4_096;

/** One direction of one connection. */
class Pipe {
  private readonly items: (Item & { readonly dueMs: number })[] = [];
  private lastDueMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly direction: Direction,
    private readonly random: Random,
    private readonly deliver: (item: Item) => void,
  ) {}

  push(item: Item): void {
    const { delayMs, jitterMs } = this.direction;
    const dueMs = performance.now() + delayMs + (jitterMs > 0 ? this.random.below(jitterMs) : 0);
    this.lastDueMs = Math.max(this.lastDueMs, dueMs);
    this.items.push({ ...item, dueMs: this.lastDueMs });
    this.flush();
  }

  /** Delivers what is due, unless the direction is held. */
  flush(): void {
    clearTimeout(this.timer);
    while (!this.direction.isHeld && this.items.length > 0) {
      const waitMs = this.items[0].dueMs - performance.now();
      if (waitMs > 0) {
        this.timer = setTimeout(() => this.flush(), waitMs);
        return;
      }
      const item = this.items.shift();
      if (item !== undefined) this.deliver(item);
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.items.length = 0;
  }
}

export class ClusterNetwork {
  private readonly directions = new Map<string, Direction>();
  private readonly servers = new Map<number, Server>();
  private readonly ports = new Map<number, number>();
  private readonly pipes = new Set<Pipe>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly ids: readonly number[],
    private readonly random: Random,
  ) {
    for (const from of ids)
      for (const to of ids) this.directions.set(`${from}>${to}`, { isHeld: false, delayMs: 0, jitterMs: 0 });
  }

  /** `ports` is where each member listens. */
  static async open(ports: ReadonlyMap<number, number>, random: Random): Promise<ClusterNetwork> {
    const network = new ClusterNetwork([...ports.keys()], random);
    for (const [id, port] of ports) {
      const server = createServer({ allowHalfOpen: true }, (client) => network.accept(client, id, port));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      network.servers.set(id, server);
      network.ports.set(id, (server.address() as { port: number }).port);
    }
    return network;
  }

  /** Where the others dial a member. */
  addressOf(id: number): string {
    return `127.0.0.1:${this.ports.get(id)}`;
  }

  /** Holds back what `from` sends to `to`. */
  hold(from: number, to: number): void {
    this.direction(from, to).isHeld = true;
  }

  /** Holds back both directions. */
  cut(a: number, b: number): void {
    this.hold(a, b);
    this.hold(b, a);
  }

  slow(from: number, to: number, delayMs: number, jitterMs: number): void {
    Object.assign(this.direction(from, to), { delayMs, jitterMs });
  }

  /** Whether both directions pass. */
  connects(a: number, b: number): boolean {
    return !this.direction(a, b).isHeld && !this.direction(b, a).isHeld;
  }

  heal(): void {
    for (const direction of this.directions.values())
      Object.assign(direction, { isHeld: false, delayMs: 0, jitterMs: 0 });
    for (const pipe of [...this.pipes]) pipe.flush();
  }

  async close(): Promise<void> {
    for (const pipe of this.pipes) pipe.close();
    for (const socket of this.sockets) socket.destroy();
    for (const server of this.servers.values()) {
      server.close();
      await once(server, 'close');
    }
  }

  private direction(from: number, to: number): Direction {
    const direction = this.directions.get(`${from}>${to}`);
    if (direction === undefined) throw new Error(`there is no link from ${from} to ${to}`);
    return direction;
  }

  private accept(client: Socket, to: number, port: number): void {
    this.track(client);
    const early: Item[] = [];
    const decoder = new FrameDecoder(MAX_HELLO_BYTES);
    let toMember: Pipe | null = null;
    const take = (item: Item): void => {
      if (toMember !== null) {
        toMember.push(item);
        return;
      }
      early.push(item);
      if (item.type !== 'bytes') return;
      const from = senderOf(decoder, item.bytes);
      if (from === null) return;
      if (!this.ids.includes(from)) {
        client.destroy();
        return;
      }
      toMember = this.connect(client, from, to, port);
      for (const each of early) toMember.push(each);
    };
    passOn(client, take);
  }

  /** The pipe to the member. It is dialled when the first bytes pass. */
  private connect(client: Socket, from: number, to: number, port: number): Pipe {
    const back = new Pipe(this.direction(to, from), this.random, (item) => write(client, item));
    let upstream: Socket | null = null;
    const forth = new Pipe(this.direction(from, to), this.random, (item) => {
      if (upstream === null) {
        upstream = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
        this.track(upstream);
        passOn(upstream, (each) => back.push(each));
      }
      write(upstream, item);
    });
    const pipes = [back, forth];
    for (const pipe of pipes) this.pipes.add(pipe);
    client.once('close', () => {
      // What was held for this connection is of no more use, once its other end is gone as well.
      const forget = (): void => {
        for (const pipe of pipes) this.pipes.delete(pipe);
      };
      if (upstream === null || upstream.destroyed) forget();
      else upstream.once('close', forget);
    });
    return forth;
  }

  private track(socket: Socket): void {
    this.sockets.add(socket.setNoDelay(true));
    socket.once('close', () => this.sockets.delete(socket));
  }
}

/** Null until the hello is whole. */
function senderOf(decoder: FrameDecoder, bytes: Buffer): number | null {
  decoder.push(bytes);
  const frame = decoder.next();
  return frame === null ? null : Number(parseBody(frame.bytes.subarray(HEAD_BYTES)).id);
}

function passOn(socket: Socket, take: (item: Item) => void): void {
  let hasEnded = false;
  socket.on('data', (bytes) => take({ type: 'bytes', bytes }));
  socket.on('error', () => undefined);
  socket.once('end', () => {
    hasEnded = true;
    take({ type: 'end' });
  });
  socket.once('close', () => {
    if (!hasEnded) take({ type: 'reset' });
  });
}

function write(socket: Socket, item: Item): void {
  if (socket.destroyed) return;
  if (item.type === 'bytes') socket.write(item.bytes);
  else if (item.type === 'end') socket.end();
  else if (socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}
