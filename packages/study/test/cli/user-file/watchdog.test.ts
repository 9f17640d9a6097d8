import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { Progress } from '../../../../base/src/command/progress.ts';
import { handlerLimitMs, runWatched } from '../../../src/cli/user-file/run-watched.ts';
import { watch } from '../../../src/cli/user-file/watchdog.ts';
import {
  type AnyAlgorithm,
  defineAlgorithm,
  ElectionError,
  id,
  message,
  type Received,
} from '../../../src/kernel/index.ts';
import { Run } from '../../../src/simulator/index.ts';

const silent = new Progress(new Writable() as unknown as WriteStream, false);
const messages = { token: message(['id', id()]) };

/** A ring on which every node sends its id and does with the first that arrives what the test says. */
function withHandler(
  onToken: (token: Received<typeof messages>, decide: (role: 'leader' | 'follower') => void) => undefined,
): AnyAlgorithm {
  return defineAlgorithm({
    name: 'faulty',
    title: 'Faulty',
    source: 'none',
    cost: 'n',
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
    params: {},
    state: {},
    messages,
    laws: [],
    onStart(_state, ctx) {
      ctx.send(1, 'token', ctx.id);
    },
    on: {
      token: (_state, _port, token, ctx) => onToken(token, (role) => ctx.decide(role, ctx.id)),
    },
  });
}

async function failure(algorithm: AnyAlgorithm, limitMs = 20_000): Promise<unknown> {
  const run = new Run(algorithm, { ids: [3, 1, 2] });
  return runWatched(run, { progress: silent, limitMs })
    .then(() => run.outcome())
    .catch((error) => error);
}

const REPLAY = 'hustings simulate faulty --ids 3,1,2 --seed 1 --trace';

describe('a handler that never returns', () => {
  it('is stopped, and the error names the node, the event and the replay', async () => {
    const endless = withHandler((token) => {
      while (token.id === 1);
      return undefined;
    });
    const error = await failure(endless, 300);
    expect(error).toBeInstanceOf(ElectionError);
    expect(error).toMatchObject({
      message:
        'faulty failed at node 2 (id 2) at time 1, on message <token id=1>: it has not returned after 0.3 s',
      property: 'handler',
      replay: REPLAY,
    });
  });
});

describe('a handler that throws', () => {
  it('gives an error that names the node, the event and the replay, with the cause', async () => {
    const error = (await failure(
      withHandler(({ id }) => {
        if (id === 3) throw new TypeError('no');
        return undefined;
      }),
    )) as ElectionError;
    expect(error).toBeInstanceOf(ElectionError);
    expect(error.message).toBe('faulty failed at node 1 (id 1) at time 1, on message <token id=3>: no');
    expect(error.replay).toBe(REPLAY);
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});

describe('an algorithm that violates', () => {
  it.each([
    [
      'uniqueness',
      withHandler((_, decide) => {
        decide('leader');
        return undefined;
      }),
    ],
    ['termination', withHandler(() => undefined)],
  ])(
    '%s fails with the name of the property, a node, an event and the replay',
    async (property, algorithm) => {
      const error = (await failure(algorithm)) as ElectionError;
      expect(error.property).toBe(property);
      expect(error.message).toMatch(/node \d/);
      expect(error.message).toContain('on message <token id=');
      expect(error.replay).toBe(REPLAY);
    },
  );
});

describe('the watchdog', () => {
  it('passes on the result and the error of a function', () => {
    expect(watch(() => 7, 1000)).toEqual({ ended: true, value: 7 });
    const error = new RangeError('mine');
    expect(() =>
      watch(() => {
        throw error;
      }, 1000),
    ).toThrow(error);
  });

  it('distinguishes a function that never returns from a suspended process', () => {
    const work = () => {
      for (;;);
    };
    const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    expect(watch(work, 100)).toEqual({ ended: false, wasBusy: true });
    expect(watch(sleep, 100)).toMatchObject({ ended: false, wasBusy: false });
    expect(watch(() => 'awake', 100)).toEqual({ ended: true, value: 'awake' });
  });

  it('has a longer limit for large runs, and a shorter one in tests', () => {
    expect(handlerLimitMs(8, {})).toBeGreaterThanOrEqual(20_000);
    expect(handlerLimitMs(10_000_000, {})).toBeGreaterThan(handlerLimitMs(8, {}));
    expect(handlerLimitMs(8, { HUSTINGS_HANDLER_TIMEOUT_MS: '50' })).toBe(50);
    expect(handlerLimitMs(8, { HUSTINGS_HANDLER_TIMEOUT_MS: 'soon' })).toBeGreaterThanOrEqual(20_000);
  });
});
