import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address, MessageBuffer, portOf, receiverOf } from '../../src/kernel/driver.ts';
import { counter, message } from '../../src/kernel/index.ts';
import { DeliveryOrder } from '../../src/simulator/schedules/delivery-order.ts';
import { eventsOf, testAlgorithm, traceOf } from './test-algorithm.ts';

describe('events of the same time', () => {
  test('are handled in the order: crashes, recoveries, starts, messages, undelivered messages, timers', () => {
    const busy = testAlgorithm({
      messages: { hello: message() },
      timers: ['tick'],
      onStart(_state, ctx) {
        const wanted = ctx.id === 1 ? 2 : 1;
        for (let port = 0; port < ctx.degree; port++) {
          if (ctx.neighbour(port) === wanted) ctx.send(port, 'hello');
        }
        if (ctx.id === 1) ctx.setTimer('tick', 2);
      },
      onUndelivered() {},
    });
    const lines = traceOf(busy, {
      ids: [1, 2, 3, 4, 5],
      topology: 'complete',
      initiators: [
        { position: 0, time: 2 },
        { position: 2, time: 3 },
        { position: 4, time: 4 },
      ],
      crash: [
        { position: 1, time: 0 },
        { position: 3, time: 4 },
      ],
      recover: [{ position: 1, time: 4 }],
      until: 4,
    });
    expect(lines.filter((line) => line.startsWith('4.000'))).toEqual([
      '4.000 crash 3',
      '4.000 recover 1',
      '4.000 start 4',
      '4.000 send 4 > 0 hello',
      '4.000 deliver 2 > 0 hello',
      '4.000 undelivered 0 > 1 hello',
      '4.000 timer 0 tick',
    ]);
  });

  test('a node that a message reached first does not initiate later', () => {
    const greeter = testAlgorithm({
      messages: { hello: message() },
      onStart(_state, ctx) {
        for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'hello');
      },
    });
    const starts = (time: number) =>
      traceOf(greeter, { topology: 'line', nodes: 2, initiators: [0, { position: 1, time }] }).filter(
        (line) => line.includes('start 1'),
      );
    expect(starts(1)).toEqual(['1.000 start 1']); // starts are handled before messages
    expect(starts(1.001)).toEqual([]);
  });
});

/** All nodes but one send two messages to that one at the same time. */
const chorus = testAlgorithm({
  assumes: { network: 'complete' },
  messages: { note: message(['voice', counter(1000)], ['turn', counter(2)]) },
  onStart(_state, ctx) {
    for (let port = 0; port < ctx.degree; port++) {
      if (ctx.neighbour(port) !== 1) continue;
      ctx.send(port, 'note', ctx.id, 1);
      ctx.send(port, 'note', ctx.id, 2);
    }
  },
});

describe('several messages of the same time', () => {
  test.each([3, 13, 14, 25, 26, 40, 90])(
    'are handled in port order, those of one port in the order of sending: %i nodes',
    (nodes) => {
      for (const seed of [1, 2, 3]) {
        for (const duplicate of [0, 1]) {
          const events = eventsOf(chorus, { nodes, seed, duplicate });
          const heard = events.flatMap((event) =>
            event.type === 'deliver' ? [`${event.port}:${event.message.voice}:${event.message.turn}`] : [],
          );
          // By id, which is the port order of a complete network; the receiver has the smallest.
          const expected = Array.from({ length: nodes - 1 }, (_, port) =>
            [1, 2].flatMap((turn) => Array(1 + duplicate).fill(`${port}:${port + 2}:${turn}`)),
          );
          expect(heard).toEqual(expected.flat());
        }
      }
    },
  );

  describe('are delivered to each receiver in the order of a stable sort by port', () => {
    const NODES = 40;
    const deliveryOrder = new DeliveryOrder(NODES);

    function checkOrder(sent: readonly (readonly [to: number, port: number])[]): void {
      const records = new MessageBuffer(3);
      sent.forEach(([to, port], place) => {
        const base = records.push();
        address(records.words, base, to, port, 0);
        records.words[base + 2] = place;
      });
      deliveryOrder.arrange(records.words, records.end, records.width);
      const dealt = Array.from(deliveryOrder.order.subarray(0, sent.length), (base) => ({
        to: receiverOf(records.words, base),
        port: portOf(records.words, base),
        place: records.words[base + 2],
      }));
      const given = sent.map(([to, port], place) => ({ to, port, place }));
      const receivers = [...new Set(given.map(({ to }) => to))];
      expect(dealt).toEqual(
        receivers.flatMap((to) => given.filter((each) => each.to === to).sort((a, b) => a.port - b.port)),
      );
    }

    const port = fc.oneof(fc.nat(5), fc.nat(100_000));

    test('if each receives several', () => {
      const sent = fc.array(fc.tuple(fc.nat(3), port), { maxLength: 200 });
      fc.assert(fc.property(sent, checkOrder), { numRuns: 300 });
    });

    test('if they go once around a ring, or a few positions further', () => {
      const position = fc.nat(NODES - 1);
      fc.assert(
        fc.property(fc.uniqueArray(position), position, fc.nat(3), port, (receivers, first, further, at) => {
          const around = receivers.map((to) => (to - first + NODES) % NODES).sort((a, b) => a - b);
          const turned = [...around, ...around.slice(0, further)].map((to) => (to + first) % NODES);
          checkOrder(turned.map((to, k): [number, number] => [to, k < around.length ? at + 1 : at]));
        }),
        { numRuns: 300 },
      );
    });
  });
});
