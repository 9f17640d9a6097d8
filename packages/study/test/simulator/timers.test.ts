import { describe, expect, test } from 'vitest';
import { counter, message } from '../../src/kernel/index.ts';
import { linesOf, testAlgorithm, traceOf } from './test-algorithm.ts';

const one = { ids: [1], topology: 'line' } as const;
const two = { ids: [1, 2], topology: 'line', initiators: [0] } as const;

describe('in lockstep', () => {
  test('every message takes one unit from the time it was sent', () => {
    const passing = testAlgorithm({
      messages: { ball: message(['left', counter(5)]) },
      timers: ['wait'],
      onStart: (_state, ctx) => ctx.send(0, 'ball', 3),
      on: {
        ball(_state, _port, { left }, ctx) {
          if (left === 2) ctx.setTimer('wait', 0.25);
          else if (left > 0) ctx.send(0, 'ball', left - 1);
        },
      },
      onTimer: (_state, _timer, ctx) => ctx.send(0, 'ball', 1),
    });
    expect(linesOf(passing, two, ['deliver', 'timer'])).toEqual([
      '1.000 deliver 0 > 1 ball left=3',
      '2.000 deliver 1 > 0 ball left=2',
      '2.250 timer 0 wait',
      '3.250 deliver 0 > 1 ball left=1',
      '4.250 deliver 1 > 0 ball left=0',
    ]);
  });

  test('overlapping batches arrive each at its own time', () => {
    const eager = testAlgorithm({
      messages: { ball: message(['left', counter(5)]) },
      timers: ['a', 'b', 'c'],
      onStart(_state, ctx) {
        ctx.setTimer('c', 0.75);
        ctx.setTimer('a', 0.25);
        ctx.setTimer('b', 0.5);
        ctx.send(0, 'ball', 0);
      },
      onTimer: (_state, timer, ctx) => ctx.send(0, 'ball', ' abc'.indexOf(timer)),
    });
    expect(linesOf(eager, two, ['deliver'])).toEqual([
      '1.000 deliver 0 > 1 ball left=0',
      '1.250 deliver 0 > 1 ball left=1',
      '1.500 deliver 0 > 1 ball left=2',
      '1.750 deliver 0 > 1 ball left=3',
    ]);
  });
});

describe('a timer', () => {
  const alarm = (onStart: Parameters<typeof testAlgorithm>[0]['onStart']) =>
    testAlgorithm({ messages: { hello: message() }, timers: ['tea', 'egg'], ...(onStart && { onStart }) });

  test('may take fractions of a unit, down to a tick', () => {
    const lines = (units: number) =>
      traceOf(
        alarm((_state, ctx) => ctx.setTimer('tea', units)),
        one,
      ).slice(1);
    expect(lines(1.5)).toEqual(['1.500 timer 0 tea']);
    expect(lines(0.001)).toEqual(['0.001 timer 0 tea']);
    expect(lines(1e-9)).toEqual(['0.001 timer 0 tea']);
    expect(lines(1e6)).toEqual(['1000000.000 timer 0 tea']);
  });

  test('that is set again starts again, later or earlier', () => {
    const again = (first: number, then: number) =>
      traceOf(
        alarm((_state, ctx) => {
          ctx.setTimer('tea', first);
          ctx.setTimer('tea', then);
        }),
        one,
      ).slice(1);
    expect(again(1, 3)).toEqual(['3.000 timer 0 tea']);
    expect(again(3, 1)).toEqual(['1.000 timer 0 tea']);
    expect(again(2, 2)).toEqual(['2.000 timer 0 tea']);
  });

  test('that is cleared does not fire, unless it is set again', () => {
    const cleared = alarm((_state, ctx) => {
      ctx.setTimer('tea', 1);
      ctx.setTimer('egg', 2);
      ctx.clearTimer('tea');
      ctx.clearTimer('egg');
      ctx.setTimer('egg', 2);
    });
    expect(traceOf(cleared, one).slice(1)).toEqual(['2.000 timer 0 egg']);
  });

  test('fires once, and may set itself again', () => {
    let left = 3;
    const beat = testAlgorithm({
      timers: ['tick'],
      onStart: (_state, ctx) => ctx.setTimer('tick', 0.7),
      onTimer: (_state, _timer, ctx) => {
        if (--left > 0) ctx.setTimer('tick', 0.7);
      },
    });
    expect(traceOf(beat, one).slice(1)).toEqual([
      '0.700 timer 0 tick',
      '1.400 timer 0 tick',
      '2.100 timer 0 tick',
    ]);
  });

  test('fires after all messages of the same time, which may still clear it', () => {
    const patient = (timeout: number, clears: boolean) =>
      testAlgorithm({
        messages: { ask: message(), answer: message() },
        timers: ['tea'],
        onStart(_state, ctx) {
          ctx.send(0, 'ask');
          ctx.setTimer('tea', timeout);
        },
        on: {
          ask: (_state, port, _message, ctx) => ctx.send(port, 'answer'),
          answer(_state, _port, _message, ctx) {
            if (clears) ctx.clearTimer('tea');
          },
        },
      });
    expect(linesOf(patient(2, false), two, ['deliver', 'timer']).slice(1)).toEqual([
      '2.000 deliver 1 > 0 answer',
      '2.000 timer 0 tea',
    ]);
    expect(linesOf(patient(2, true), two, ['timer'])).toEqual([]);
    expect(linesOf(patient(1.999, true), two, ['timer'])).toEqual(['1.999 timer 0 tea']);
  });

  test('of a node that crashes never fires, but one set after its recovery does', () => {
    const restless = testAlgorithm({
      timers: ['tea'],
      onStart: (_state, ctx) => ctx.setTimer('tea', 3),
      onRestart: (_state, ctx) => ctx.setTimer('tea', 3),
    });
    const crash = [{ position: 0, time: 1 }];
    const recover = [{ position: 0, time: 1.5 }];
    expect(traceOf(restless, { ...one, crash })).toEqual(['0.000 start 0', '1.000 crash 0']);
    expect(traceOf(restless, { ...one, crash, recover }).slice(2)).toEqual([
      '1.500 recover 0',
      '4.500 timer 0 tea',
    ]);
  });
});
