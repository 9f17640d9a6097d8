import { describe, expect, test } from 'vitest';
import { counter, id, ids, message } from '../../../src/kernel/index.ts';
import { Run, type SimulateOptions, simulate } from '../../../src/simulator/index.ts';
import { type Ctx, eventsOf, linesOf, testAlgorithm, traceOf } from '../test-algorithm.ts';

/** Node 0 of a line of two sends the numbers 1 to 8 to node 1, one per unit from 0 on. */
const items = testAlgorithm({
  state: { sent: counter(100), got: counter(100), kept: counter(100, { durable: true }) },
  messages: { item: message(['number', counter(100)]) },
  timers: ['tick'],
  onStart: emit,
  onTimer: (state, _timer, ctx) => emit(state, ctx),
  on: {
    item(state, _port, { number }) {
      state.got = number;
      state.kept = number;
    },
  },
  onUndelivered() {},
  onRestart() {},
});
const ALL = [1, 2, 3, 4, 5, 6, 7, 8];

function emit(state: { sent: number }, ctx: Ctx): void {
  ctx.send(0, 'item', ++state.sent);
  if (state.sent < ALL.length) ctx.setTimer('tick', 1);
}

const line: SimulateOptions = { ids: [1, 2], topology: 'line', initiators: [0] };

function numbers(options: SimulateOptions, kind: 'deliver' | 'lost' | 'undelivered' = 'deliver'): unknown[] {
  return eventsOf(items, { ...line, ...options }).flatMap((event) =>
    event.type === kind && 'message' in event ? [event.message.number] : [],
  );
}

function finished(options: SimulateOptions): Run {
  const run = new Run(items, { ...line, despite: ['termination'], ...options });
  while (!run.advance());
  return run;
}

describe('loss', () => {
  test('with probability 0 loses nothing, with probability 1 everything, and counts the messages as sent', () => {
    expect(numbers({ loss: 0 })).toEqual(ALL);
    expect(numbers({ loss: 1 })).toEqual([]);
    expect(numbers({ loss: 1 }, 'lost')).toEqual(ALL);
    expect(finished({ loss: 1 }).outcome().messages.total).toBe(8);
  });

  test('with a probability in between loses about that fraction', () => {
    const many = testAlgorithm({
      messages: { item: message() },
      onStart(_state, ctx) {
        for (let k = 0; k < 10_000; k++) ctx.send(0, 'item');
      },
    });
    const lost = eventsOf(many, { ...line, loss: 0.3 }).filter(({ type }) => type === 'lost').length;
    expect(Math.abs(lost - 3000)).toBeLessThan(4 * Math.sqrt(10_000 * 0.3 * 0.7));
  });

  test('until a time loses messages sent before it, and none sent at that time or later', () => {
    // Item k is sent at k − 1.
    expect(numbers({ loss: 1, lossUntil: 3 })).toEqual([4, 5, 6, 7, 8]);
    expect(numbers({ loss: 1, lossUntil: 3 }, 'lost')).toEqual([1, 2, 3]);
    expect(numbers({ loss: 1, lossUntil: 3.001 })).toEqual([5, 6, 7, 8]);
    expect(numbers({ loss: 1, lossUntil: 0 })).toEqual(ALL);
    expect(numbers({ loss: 1, lossUntil: 8 })).toEqual([]);
  });

  test('with an end must have a probability and an end that is a valid time', () => {
    expect(() => simulate(items, { ...line, lossUntil: 3 })).toThrow('lossUntil needs loss');
    expect(() => simulate(items, { ...line, loss: 1, lossUntil: -1 })).toThrow(/lossUntil must be a time/);
  });
});

describe('duplication', () => {
  test('delivers twice and counts once', () => {
    expect(numbers({ duplicate: 1 })).toEqual(ALL.flatMap((number) => [number, number]));
    expect(finished({ duplicate: 1 }).outcome().messages.total).toBe(8);
  });

  test('keeps FIFO links FIFO', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const got = numbers({ duplicate: 0.5, schedule: 'random', seed }) as number[];
      expect(got).toEqual(got.toSorted((a, b) => a - b));
      expect(new Set(got).size).toBe(8);
    }
  });

  test('together with loss: a lost message is not duplicated', () => {
    expect(numbers({ duplicate: 1, loss: 1 })).toEqual([]);
  });
});

describe('a partition', () => {
  const parted = (from: number, until: number) =>
    numbers({ partition: [{ groups: [[0], [1]], from, until }] });

  test('cuts messages that would arrive from its first time until just before its last, and heals', () => {
    // Item k is sent at k − 1 and arrives at k.
    expect(parted(3, 6)).toEqual([1, 2, 6, 7, 8]);
    expect(parted(3.001, 6.001)).toEqual([1, 2, 3, 7, 8]);
    expect(parted(0, 100)).toEqual([]);
    expect(parted(8.5, 9)).toEqual(ALL);
  });

  test('does not affect links within a group, and treats nodes in no group as a group of their own', () => {
    const cut = (groups: number[][]) => numbers({ partition: [{ groups, from: 0, until: 5 }] });
    expect(cut([[0, 1]])).toEqual(ALL);
    expect(cut([[0]])).toEqual([5, 6, 7, 8]);
    expect(cut([[1]])).toEqual([5, 6, 7, 8]);
  });

  test('is not reported to the sender', () => {
    expect(numbers({ partition: [{ groups: [[0], [1]], from: 0, until: 100 }] }, 'undelivered')).toEqual([]);
  });

  test('may follow another partition', () => {
    const groups = [[0], [1]];
    const partition = [
      { groups, from: 1, until: 2 },
      { groups, from: 4, until: 6 },
    ];
    expect(numbers({ partition })).toEqual([2, 3, 6, 7, 8]);
  });
});

describe('a crash', () => {
  test('clears the state that is not durable, and keeps the durable state', () => {
    const { simulation } = finished({ crash: [{ position: 1, time: 3.5 }] });
    const [, dead] = simulation.machine.views();
    expect({ ...dead }).toEqual({ sent: 0, got: 0, kept: 3 });
  });

  test('is handled before the messages of the same time, and so is a recovery', () => {
    const crash = [{ position: 1, time: 3 }];
    expect(numbers({ crash })).toEqual([1, 2]);
    expect(numbers({ crash, recover: [{ position: 1, time: 6 }] })).toEqual([1, 2, 6, 7, 8]);
    expect(numbers({ crash, recover: [{ position: 1, time: 3 }] })).toEqual(ALL);
  });

  test('may be followed by a recovery, which calls onRestart, not onStart', () => {
    const told: unknown[] = [];
    const proud = testAlgorithm({
      state: { best: id(), kept: id({ durable: true }), list: ids(), log: ids({ durable: true }) },
      onStart(state, ctx) {
        state.best = state.kept = ctx.id;
        state.list = state.log = [ctx.id];
      },
      onRestart(state, ctx) {
        told.push({ ...state, initiator: ctx.initiator });
        ctx.decide('leader');
      },
    });
    const run = new Run(proud, {
      ids: [7],
      topology: 'line',
      crash: [{ position: 0, time: 1 }],
      recover: [{ position: 0, time: 2 }],
    });
    while (!run.advance());
    expect(told).toEqual([{ best: -1, kept: 7, list: [], log: [7], initiator: false }]);
    expect(run.outcome()).toMatchObject({ leader: { id: 7 }, dead: [], time: { electedAt: 2 } });
  });

  test('clears the decision', () => {
    const quick = testAlgorithm({ onStart: (_state, ctx) => ctx.decide('leader') });
    const crash = [{ position: 0, time: 1 }];
    const recover = [{ position: 0, time: 2 }];
    const options = { ids: [7], topology: 'line', crash, despite: ['termination'] };
    expect(simulate(quick, options)).toMatchObject({
      leader: null,
      dead: [0],
      valid: { termination: false },
    });
    expect(simulate(quick, { ...options, recover })).toMatchObject({
      dead: [],
      valid: { termination: false },
    });
  });
});

describe('a message to a crashed node', () => {
  const dead = { crash: [{ position: 1, time: 0 }] };

  test('is counted as sent, and lost', () => {
    expect(numbers(dead, 'lost')).toEqual(ALL);
    expect(finished(dead).outcome().messages.total).toBe(8);
  });

  test('is returned to its sender one timeout after the send, and is not counted again', () => {
    const told = linesOf(items, { ...line, ...dead }, ['undelivered']);
    expect(told).toEqual(ALL.map((k) => `${k + 1}.000 undelivered 0 > 1 item number=${k}`));
  });

  test('is returned at once if its delay was longer than the timeout', () => {
    const slow = eventsOf(items, { ...line, ...dead, schedule: 'random', despite: ['timing'] });
    const lost = slow.flatMap((event) => (event.type === 'lost' ? [event] : []));
    const told = slow.flatMap((event) => (event.type === 'undelivered' ? [event] : []));
    expect(told).toHaveLength(8);
    expect(lost.some(({ time, sent }) => time - sent > 2)).toBe(true);
    const expected = lost.map(({ time, sent }) => Math.max(time, sent + 2)).toSorted((a, b) => a - b);
    expect(told.map(({ time }) => time)).toEqual(expected.map((time) => expect.closeTo(time, 9)));
  });

  test('is returned only to a live sender', () => {
    const both = [
      { position: 1, time: 0 },
      { position: 0, time: 3.5 },
    ];
    expect(numbers({ crash: both }, 'undelivered')).toEqual([1, 2]);
  });

  test('is returned on the port on which it was sent, with all its fields', () => {
    const seen: unknown[] = [];
    const calling = testAlgorithm({
      messages: { call: message(['id', id()], ['path', ids()]) },
      onStart: (_state, ctx) => {
        for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'call', ctx.id, [port, ctx.id]);
      },
      onUndelivered: (_state, port, { type, id, path }, ctx) => {
        seen.push([ctx.id, port, type, id, [...path]]);
      },
    });
    const crash = [{ position: 1, time: 0 }];
    traceOf(calling, { ids: [5, 6, 7], topology: 'complete', initiators: [0, 2], crash });
    expect(seen).toEqual([
      [5, 0, 'call', 5, [0, 5]],
      [7, 1, 'call', 7, [1, 7]],
    ]);
  });
});
