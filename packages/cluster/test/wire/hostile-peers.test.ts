import { connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { Random } from '../../../study/src/kernel/random.ts';
import { parseAddress } from '../../src/member-list/address.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import { Connection, PROCESS_CLOCK } from '../../src/wire/connection.ts';
import { STRICT, type WirePolicy } from '../../src/wire/policy.ts';
import { bytesOf, session, without } from './session-pair.ts';
import { connected, localMembers, message, startMember } from './wire-cluster.ts';

const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

function dial(members: MemberList, id: number): Socket {
  const socket = connect(parseAddress(members.members[id - 1].address));
  sockets.add(socket);
  socket.on('error', () => undefined);
  return socket;
}

const openCount = (): number => [...sockets].filter((socket) => !socket.closed).length;

describe('1,000 silent sockets', () => {
  const flood = async (policy: Partial<WirePolicy>, allowed: number) => {
    const members = await localMembers(2);
    const two = await startMember(members, 2, { policy });
    for (let count = 0; count < 1_000; count++) dial(members, 2).resume();
    await expect.poll(openCount, { timeout: 30_000 }).toBe(allowed);
    return { members, two };
  };

  it('are closed down to 64, and a member still connects', async () => {
    const { members, two } = await flood({}, 64);
    expect(two.refusals().filter((reason) => reason === 'strangers')).toHaveLength(936);
    const one = await startMember(members, 1);
    await connected(one, two);
  });

  it('stay if the bound is taken out', async () => {
    const { two } = await flood({ maxUnauthenticated: 5_000 }, 1_000);
    expect(two.refusals()).toEqual([]);
  });

  it('are closed when the handshake takes too long, and stay if that limit is taken out', async () => {
    const members = await localMembers(2);
    const two = await startMember(members, 2, { policy: { handshakeTimeoutMs: 200 } });
    // A hello and then nothing: no more than a claim.
    const socket = dial(members, 2).resume();
    socket.write(bytesOf(session('dialler').start()));
    await expect.poll(() => two.refusals(), { timeout: 30_000 }).toEqual(['timeout']);
    await expect.poll(openCount).toBe(0);
    await two.transport.close();
    await startMember(members, 2, { policy: { handshakeTimeoutMs: 2 ** 30 } });
    const patient = dial(members, 2).resume();
    let answered = 0;
    patient.on('data', () => answered++);
    patient.write(bytesOf(session('dialler').start()));
    await expect.poll(() => answered).toBe(1);
    expect(patient.closed).toBe(false);
  });
});

describe('a handshake that lasts while 80 others connect', () => {
  const oldest: WirePolicy['unauthenticatedToClose'] = ([first]) => first;

  /** Among how many of 100 such handshakes it is not closed: 200 ms of 400 connections per second. */
  function kept(
    unauthenticatedToClose: WirePolicy['unauthenticatedToClose'],
    host: string,
    hosts: number,
  ): number {
    const random = new Random(1, 'flood');
    let ports = 0;
    const next = (): string => `10.0.${ports++ % hosts}.1:${ports}`;
    let survived = 0;
    for (let trial = 0; trial < 100; trial++) {
      const member = `${host}:7001`;
      let open = [...Array.from({ length: 64 }, next), member];
      for (let come = 0; come < 80; come++) {
        const closed = unauthenticatedToClose(open, random.unit());
        open = [...open.filter((address) => address !== closed), next()];
      }
      survived += open.includes(member) ? 1 : 0;
    }
    return survived;
  }

  it('is never closed if they are of another host, and kept with a chance of 29 % if not; never, if the oldest is closed', () => {
    expect(kept(STRICT.unauthenticatedToClose, '10.9.9.9', 1)).toBe(100);
    expect(kept(STRICT.unauthenticatedToClose, '10.9.9.9', 20)).toBe(100);
    const few = [
      kept(STRICT.unauthenticatedToClose, '10.0.0.1', 1),
      kept(STRICT.unauthenticatedToClose, '10.9.9.9', 250),
    ];
    for (const survived of few) {
      expect(survived).toBeGreaterThan(14);
      expect(survived).toBeLessThan(45);
    }
    expect(kept(oldest, '10.9.9.9', 20)).toBe(0);
  });

  /** How often member 1 tries, from the host of the others, until it is in; null if it never is. */
  async function attempts(policy: Partial<WirePolicy>, most: number): Promise<number | null> {
    const members = await localMembers(2);
    const two = await startMember(members, 2, { security: { type: 'none' }, policy });
    let come = 0;
    const flood = async (count: number): Promise<void> => {
      for (let each = 0; each < count; each++) dial(members, 2).resume();
      come += count;
      // Each of them closes one connection.
      await expect.poll(() => two.refusals().length, { timeout: 30_000, interval: 2 }).toBe(come - 64);
    };
    await flood(64);
    for (let attempt = 1; attempt <= most; attempt++) {
      const one = session('dialler', { secret: null, version: 2 });
      const socket = dial(members, 2);
      const answer = new Promise<Buffer>((resolve) => {
        socket.once('data', resolve).once('close', () => resolve(Buffer.alloc(0)));
      });
      socket.write(bytesOf(one.start()));
      const ready = bytesOf(one.receive(await answer));
      come++;
      await flood(80);
      socket.resume().write(ready);
      const isIn = (): boolean => two.transport.connected.includes(1);
      await expect.poll(() => isIn() || socket.closed, { timeout: 30_000, interval: 2 }).toBe(true);
      if (isIn()) return attempt;
    }
    return null;
  }

  it('ends in a connection after a few attempts, from the same host, and never if the oldest is closed', async () => {
    expect(await attempts({ unauthenticatedToClose: oldest }, 5)).toBe(null);
    expect(await attempts({}, 60)).not.toBe(null);
  });
});

describe('a peer that does not read', () => {
  /** Proves that it is member 2, and then reads nothing. Returns how often it was dialled. */
  async function slowReader(address: string) {
    let connections = 0;
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      connections++;
      const listener = session('listener', { secret: null, version: 2 });
      const onData = (chunk: Buffer): void => {
        const effects = listener.receive(chunk);
        socket.write(bytesOf(effects));
        if (!effects.some(({ type }) => type === 'proved')) return;
        socket.off('data', onData);
        socket.pause();
      };
      socket.on('data', onData);
    });
    const { host, port } = parseAddress(address);
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    return { connections: () => connections, close: () => server.close() };
  }

  it('has its link reset when the queue is full, and its connection closed', async () => {
    const members = await localMembers(2);
    const reader = await slowReader(members.members[1].address);
    try {
      const one = await startMember(members, 1, { security: { type: 'none' } });
      await expect.poll(() => one.transport.connected).toEqual([2]);
      for (let n = 0; n < 1_001; n++) one.transport.send(2, message('x'.repeat(500)));
      expect(one.resets).toHaveLength(1);
      expect(one.resets[0][1]).toHaveLength(1_001);
      expect(one.transport.connected).toEqual([]);
      await expect.poll(reader.connections).toBe(2);
    } finally {
      reader.close();
    }
  });

  it('is disconnected when it leaves too many bytes unread, and holds them if the bound is taken out', () => {
    /** A socket of which the system takes no byte. */
    class StuckSocket extends Duplex {
      override _read(): void {}
      override _write(): void {}
      setNoDelay(): void {}
      resetAndDestroy(): void {
        this.destroy();
      }
    }
    const unreadAfter = (policy: WirePolicy): readonly [bytes: number, reasons: unknown[]] => {
      const socket = new StuckSocket() as unknown as Socket;
      const reasons: unknown[] = [];
      const connection = new Connection(
        socket,
        socket,
        PROCESS_CLOCK,
        policy,
        {
          onEffect: () => undefined,
          onHeartbeatDue: () => undefined,
          onClose: (reason) => reasons.push(reason),
        },
        { framesSent: 0, bytesSent: 0, framesReceived: 0, bytesReceived: 0 },
      );
      connection.start(session('listener', { secret: null }));
      const body = JSON.stringify({ number: 1, ack: 0, frame: { text: 'x'.repeat(4_000) } });
      for (let count = 0; count < 1_000; count++) connection.send('data', body);
      const unread = socket.writableLength;
      connection.close(null, 'the test ends');
      return [unread, reasons];
    };
    const [bytes, reasons] = unreadAfter(STRICT);
    expect(reasons).toEqual(['unread']);
    expect(bytes).toBeLessThan(STRICT.maxUnreadBytes + 5_000);
    const [unbounded, later] = unreadAfter(without({ maxUnreadBytes: Number.POSITIVE_INFINITY }));
    expect(later).toEqual([null]);
    expect(unbounded).toBeGreaterThan(3_000_000);
  });
});

it('an unauthenticated peer that sends noise is refused, and the members go on', async () => {
  const members = await localMembers(2);
  const [one, two] = [await startMember(members, 1), await startMember(members, 2)];
  await connected(one, two);
  for (const noise of [
    'GET / HTTP/1.1\r\n\r\n',
    '\u0000\u0000\u0000\u0002\u0001\u0004',
    '\x16\x03\x01\x02\x00\x01',
  ]) {
    dial(members, 2).resume().write(Buffer.from(noise, 'latin1'));
  }
  await expect.poll(() => two.refusals()).toEqual(['frame', 'frame', 'frame']);
  await expect.poll(openCount).toBe(0);
  one.transport.send(2, message('still here'));
  await expect.poll(() => two.frames.get(1)).toEqual(['still here']);
});

it('an unauthenticated peer that announces itself again and again neither puts off a dial nor hurries more than one of them', async () => {
  const members = await localMembers(2);
  let dials = 0;
  const server = createServer((socket) => {
    dials++;
    socket.destroy();
  });
  const { host, port } = parseAddress(members.members[1].address);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  try {
    let waits = 0;
    const after: typeof PROCESS_CLOCK.after = (ms, act) => {
      // The others are for handshakes, and for others that may read the last bytes.
      if (ms <= 200) waits++;
      return PROCESS_CLOCK.after(ms, act);
    };
    const one = await startMember(members, 1, { clock: { ...PROCESS_CLOCK, after } });
    const announcement = bytesOf(session('dialler', { id: 2, expected: 1 }).start());
    const announcing = setInterval(() => dial(members, 1).resume().write(announcement), 2);
    try {
      await expect.poll(() => dials, { timeout: 30_000 }).toBeGreaterThan(8);
    } finally {
      clearInterval(announcing);
    }
    expect(sockets.size).toBeGreaterThan(2 * dials);
    expect(waits).toBeLessThanOrEqual(2 * dials + 2);
    expect(one.refusals()).toEqual([]);
  } finally {
    server.close();
  }
});
