import { describe, expect, it } from 'vitest';
import { stoppable, untilStopped } from '../../src/command/stop-signal.ts';

/** Runs until `stop`, and until `end` after it. The signals are only emitted: none is sent. */
function running(env: NodeJS.ProcessEnv = {}) {
  let end = (): void => {};
  const stops: number[] = [];
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  const ended = stoppable(
    () => work,
    (exitCode) => void stops.push(exitCode),
    { env, parentStatus: '' },
  );
  return {
    stops,
    end: () => {
      end();
      return ended;
    },
  };
}

describe('a command that can be stopped', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is told to stop by %s, and has its exit code', async (signal, exitCode) => {
    const { end, stops } = running();
    expect(process.emit(signal, signal)).toBe(true);
    expect(await end()).toBe(exitCode);
    expect(stops).toEqual([exitCode]);
  });

  it('leaves a second SIGINT or SIGTERM to its default action, which kills', async () => {
    const listeners = () => (['SIGINT', 'SIGTERM'] as const).map((each) => process.listenerCount(each));
    const before = listeners();
    const { end } = running();
    expect(listeners()).not.toEqual(before);
    process.emit('SIGINT', 'SIGINT');
    expect(listeners()).toEqual(before);
    await end();
  });

  it('survives a second SIGHUP: a terminal that closes sends two', async () => {
    const { end, stops } = running();
    process.emit('SIGHUP', 'SIGHUP');
    expect(process.emit('SIGHUP', 'SIGHUP')).toBe(true);
    process.emit('SIGTERM', 'SIGTERM');
    expect(process.emit('SIGHUP', 'SIGHUP')).toBe(true);
    expect(await end()).toBe(129);
    expect(stops).toEqual([129]);
  });

  it('ignores SIGHUP under nohup', async () => {
    const { end, stops } = running({ _: '/usr/bin/nohup' });
    expect(process.emit('SIGHUP', 'SIGHUP')).toBe(true);
    expect(await end()).toBeNull();
    expect(stops).toEqual([]);
  });
});

describe('a server', () => {
  it('ends in order by a signal that arrives as soon as it has printed where it is', async () => {
    const told: string[] = [];
    await untilStopped(async (stopped) => {
      await Promise.resolve();
      told.push('address');
      process.emit('SIGTERM', 'SIGTERM');
      await stopped;
      told.push('closed');
    });
    expect(told).toEqual(['address', 'closed']);
  });

  it('ends by itself, and leaves no handler', async () => {
    const before = process.listenerCount('SIGTERM');
    await untilStopped(async (stopped, stop) => {
      expect(process.listenerCount('SIGTERM')).toBe(before + 1);
      stop();
      await stopped;
    });
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
