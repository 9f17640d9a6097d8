/** startOnMessage: initiators that a message reaches before they start. */
import { describe, expect, test } from 'vitest';
import { AWAKE, Machine, STARTED } from '../../src/kernel/driver.ts';
import { id, message, Topology } from '../../src/kernel/index.ts';
import { Run } from '../../src/simulator/index.ts';
import { type Ctx, type TestAlgorithm, testAlgorithm, traceOf } from './test-algorithm.ts';

const parts: TestAlgorithm = {
  assumes: { network: 'one-way ring' },
  timers: ['nap'],
  messages: { token: message(['id', id()]) },
  onStart: (_state, ctx) => {
    ctx.send(1, 'token', ctx.id);
    ctx.setTimer('nap', 1);
  },
  on: {
    token: (_state, _port, { id }, ctx: Ctx) => {
      if (id !== ctx.id) ctx.forward(1);
    },
  },
};

const eager = testAlgorithm({ ...parts, startOnMessage: true });
const plain = testAlgorithm(parts);
const late = { ids: [1, 2, 3], initiators: [0, { position: 1, time: 5 }] };

describe('an initiator that a message reaches before its start', () => {
  test('starts first if the algorithm declares startOnMessage: its own token is sent before the received one is forwarded', () => {
    expect(traceOf(eager, late).slice(0, 7)).toEqual([
      '0.000 start 0',
      '0.000 send 0 > 1 token id=1',
      '1.000 start 1',
      '1.000 deliver 0 > 1 token id=1',
      '1.000 send 1 > 2 token id=2',
      '1.000 send 1 > 2 token id=1',
      '1.000 timer 0 nap',
    ]);
  });

  test('keeps the timers that its start has set', () => {
    expect(traceOf(eager, late)).toContain('2.000 timer 1 nap');
  });

  test('is not started again at its start time', () => {
    expect(traceOf(eager, late).filter((line) => line.includes('start'))).toHaveLength(2);
  });

  test('only takes part if the algorithm does not declare it', () => {
    expect(traceOf(plain, late).filter((line) => line.includes('start'))).toEqual(['0.000 start 0']);
  });

  test('counts among the initiators of the run', () => {
    for (const [algorithm, k] of [
      [eager, 2],
      [plain, 1],
    ] as const) {
      const run = new Run(algorithm, late);
      while (!run.advance());
      expect(run.facts().k).toBe(k);
    }
  });

  test('must be an initiator of the run: other nodes never start', () => {
    expect(
      traceOf(eager, { ids: [1, 2, 3], initiators: [0] }).filter((line) => line.includes('start')),
    ).toEqual(['0.000 start 0']);
  });

  test('starts once even if it can detect the crash of the coordinator more than once', () => {
    const lines = traceOf(testAlgorithm({ ...parts, startOnMessage: true, trigger: 'coordinator dead' }), {
      ...late,
      crash: 'none',
    });
    expect(lines.filter((line) => line.includes('start'))).toHaveLength(2);
  });

  test('starts again from a saved state, for drivers that go back', () => {
    const n = 3;
    const status = new Uint8Array(n);
    const canStart = Uint8Array.of(0, 1, 0);
    const environment = { n, ids: Int32Array.of(1, 2, 3), params: {}, diameter: 0, status, canStart };
    const machine = new Machine(eager, { ...environment, topology: Topology.ring(n, { oneWay: true }) });
    machine.start(0);
    const record = machine.context.outbox.words.slice(0, machine.codec.width);
    const asleep = machine.save(1);
    for (let time = 0; time < 2; time++) {
      machine.load(1, asleep);
      machine.context.outbox.clear();
      expect(machine.startsOnMessage(1)).toBe(true);
      machine.receive(record, 0);
      expect(machine.save(1)[0]).toBe(STARTED | AWAKE);
      expect(machine.context.outbox.end).toBe(2 * machine.codec.width);
      expect(machine.startsOnMessage(1)).toBe(false);
    }
  });

  test('is declared by one property', () => {
    expect(() => new Run(testAlgorithm({ ...parts, startOnMessage: 'sleeps' as never }), late)).toThrow(
      'startOnMessage must be true or absent, not sleeps',
    );
  });
});
