import { describe, expect, it } from 'vitest';
import { Random } from '../../../study/src/kernel/random.ts';
import { LineTransport } from '../../src/maelstrom/line-transport.ts';
import type { Frame } from '../../src/transport.ts';
import { MAX_QUEUED_FRAMES } from '../../src/wire/link.ts';
import { VirtualTime } from '../virtual-time.ts';

interface Process {
  readonly transport: LineTransport;
  /** The field `n` of each frame. */
  readonly frames: unknown[];
  readonly resets: unknown[][];
}

type Body = Record<string, unknown>;
type Carry = (deliver: () => void, body: Body) => void;

const message = (n: number): Frame => ({ type: 'message', n, body: { type: 'vote' } });
const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, k) => first + k);

/** Members 1 and 2. `carry` decides what becomes of each message. */
class Pair {
  readonly time = new VirtualTime();
  readonly members = new Map<number, Process>();
  carry: Carry = (deliver) => void this.time.after(1, deliver);

  async start(id: number): Promise<Process> {
    const frames: unknown[] = [];
    const resets: unknown[][] = [];
    const transport = new LineTransport({
      self: id,
      members: [1, 2],
      heartbeatMs: 100,
      clock: {
        now: () => this.time.nowMs,
        wallMs: () => this.time.nowMs,
        after: (delayMs, run) => this.time.after(delayMs, run),
      },
      nonce: `p${id}`,
      write: (to, body) => {
        const copy = JSON.parse(JSON.stringify(body)) as Body;
        this.carry(() => this.members.get(to)?.transport.receive(id, copy), copy);
      },
    });
    const process = { transport, frames, resets };
    this.members.set(id, process);
    await transport.open({
      onFrame: (_, frame) => frames.push(frame.n),
      onSignOfLife: () => undefined,
      onReset: (_, lost) => resets.push(lost.map(({ n }) => n)),
    });
    return process;
  }

  run(ms: number): Promise<boolean> {
    return this.time.runUntil(this.time.nowMs + ms);
  }
}

describe('the transport over the lines of Maelstrom', () => {
  it.each(upTo(20))(
    'delivers once and in order what is lost, delayed, repeated and reordered: seed %i',
    async (seed) => {
      const random = new Random(seed, 'lines');
      const pair = new Pair();
      pair.carry = (deliver) => {
        if (random.unit() < 0.3) return;
        pair.time.after(random.unit() * 300, deliver);
        if (random.unit() < 0.2) pair.time.after(random.unit() * 2_000, deliver);
      };
      const [a, b] = [await pair.start(1), await pair.start(2)];
      for (let n = 1; n <= 200; n++) {
        a.transport.send(2, message(n));
        b.transport.send(1, message(-n));
        await pair.run(10);
      }
      await pair.run(60_000);
      expect(b.frames).toEqual(upTo(200));
      expect(a.frames).toEqual(upTo(200).map((n) => -n));
      expect([...a.resets, ...b.resets]).toEqual([]);
    },
  );

  it('sends each frame once over links that lose nothing, and names its message in the type', async () => {
    const pair = new Pair();
    const types: unknown[] = [];
    pair.carry = (deliver, { frame, type }) => {
      if (frame !== undefined) types.push(type);
      pair.time.after(1, deliver);
    };
    const [a] = [await pair.start(1), await pair.start(2)];
    for (let n = 1; n <= 50; n++) a.transport.send(2, message(n));
    await pair.run(5_000);
    expect(types).toEqual(Array(50).fill('vote'));
  });

  it('sends only heartbeats to a silent peer, and the frames when it is heard again', async () => {
    const pair = new Pair();
    const [a, b] = [await pair.start(1), await pair.start(2)];
    await pair.run(500);
    let frames = 0;
    const { carry } = pair;
    pair.carry = (_, { frame }) => {
      if (frame !== undefined) frames++;
    };
    for (let n = 1; n <= 10; n++) a.transport.send(2, message(n));
    await pair.run(10_000);
    // Once, and at most once again for what was heard just before the cut.
    expect(frames).toBeLessThanOrEqual(20);
    pair.carry = carry;
    await pair.run(1_000);
    expect(b.frames).toEqual(upTo(10));
  });

  it('delivers nothing of before a reset after something of later', async () => {
    const pair = new Pair();
    const [a, b] = [await pair.start(1), await pair.start(2)];
    await pair.run(500);
    const held: (() => void)[] = [];
    const { carry } = pair;
    pair.carry = (deliver) => void held.push(deliver);
    for (let n = 1; n <= 3; n++) a.transport.send(2, message(n));
    a.transport.reset(2);
    pair.carry = carry;
    a.transport.send(2, message(4));
    await pair.run(1_000);
    for (const deliver of held) deliver();
    await pair.run(1_000);
    expect([a.resets, b.frames]).toEqual([[[1, 2, 3]], [4]]);
  });

  it('resets a link whose queue is full', async () => {
    const pair = new Pair();
    const a = await pair.start(1);
    for (let n = 1; n <= MAX_QUEUED_FRAMES + 1; n++) a.transport.send(2, message(n));
    expect(a.resets).toEqual([upTo(MAX_QUEUED_FRAMES + 1)]);
    const b = await pair.start(2);
    a.transport.send(2, message(0));
    await pair.run(1_000);
    expect(b.frames).toEqual([0]);
  });

  it('knows a restarted peer, returns the frames for the old process, and ignores late messages', async () => {
    const pair = new Pair();
    const [a, old] = [await pair.start(1), await pair.start(2)];
    await pair.run(500);
    for (let n = 1; n <= 5; n++) old.transport.send(1, message(-n));
    await pair.run(500);
    const late: { readonly deliver: () => void; readonly n: unknown }[] = [];
    const { carry } = pair;
    pair.carry = (deliver, { frame }) => {
      const { n } = (frame ?? {}) as Body;
      // One frame overtakes the one before it.
      if (n === -7) carry(deliver, {});
      else late.push({ deliver, n });
    };
    old.transport.send(1, message(-6));
    old.transport.send(1, message(-7));
    a.transport.send(2, message(1));
    await pair.run(150);
    await old.transport.close();
    pair.carry = carry;
    const fresh = await pair.start(2);
    // For the old process, and now the first that the new one hears.
    for (const { deliver, n } of late) if (n === 1) deliver();
    await pair.run(500);
    a.transport.send(2, message(2));
    for (const { deliver } of late) deliver();
    for (let n = 11; n <= 20; n++) fresh.transport.send(1, message(-n));
    await pair.run(1_000);
    expect(late.map(({ n }) => n)).toEqual([-6, 1]);
    const fromFresh = upTo(20, 11).map((n) => -n);
    expect([a.resets, fresh.frames, a.frames]).toEqual([[[1]], [2], [-1, -2, -3, -4, -5, ...fromFresh]]);
  });

  it.each<[string, Body]>([
    ['it must name its process, not nothing', {}],
    ['peer must be text or null, not 7', { process: '000000000000001-p', peer: 7 }],
    ['next and received must be whole numbers', { process: '000000000000001-p', peer: null, next: 0 }],
    [
      'a frame must be an object with a number from 1',
      { process: '000000000000001-p', peer: null, next: 1, received: 0, frame: 5 },
    ],
    [
      'the peer acknowledges what was not sent',
      { process: '000000000000000-p2', peer: '000000000000000-p1', next: 1, received: 9 },
    ],
  ])('refuses a message of another form: %s', async (text, body) => {
    const pair = new Pair();
    const [a] = [await pair.start(1), await pair.start(2)];
    await pair.run(500);
    expect(() => a.transport.receive(2, body)).toThrow(text);
  });
});
