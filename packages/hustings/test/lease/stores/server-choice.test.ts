import { describe, expect, it } from 'vitest';
import { HttpError, TOO_MANY_WAIT } from '../../../src/lease/stores/http-client.ts';
import { ServerChoice } from '../../../src/lease/stores/server-choice.ts';

function choiceOf(count: number) {
  const clock = { ms: 0 };
  return { choice: new ServerChoice(count, () => clock.ms), clock };
}

describe('the choice between servers', () => {
  it.each([2, 3])('of %d moves on once when requests to one server fail together', (count) => {
    const { choice } = choiceOf(count);
    for (let request = 0; request < 4; request++) choice.failed(0);
    expect(choice.chosen).toBe(1);
  });

  it('passes over a server that failed lately', () => {
    const { choice, clock } = choiceOf(3);
    choice.failed(0);
    choice.failed(2);
    expect(choice.chosen).toBe(1);
    clock.ms = 11_000;
    choice.failed(1);
    expect(choice.chosen).toBe(2);
    choice.failed(2);
    expect(choice.chosen).toBe(0);
  });

  it('returns to the server that failed longest ago when all have failed', () => {
    const { choice, clock } = choiceOf(3);
    for (const server of [0, 1, 2]) {
      clock.ms++;
      choice.failed(server);
    }
    expect(choice.chosen).toBe(0);
  });

  it('divides the time of a request over the servers, and gives all of it to one that failed lately', () => {
    const { choice, clock } = choiceOf(3);
    for (const server of [0, 1, 2]) {
      expect(choice.chosen).toBe(server);
      expect(choice.attemptMs(2_100)).toBe(700);
      choice.failed(server);
    }
    // All have failed: perhaps they are slow.
    expect(choice.attemptMs(2_100)).toBe(2_100);
    clock.ms = 10_000;
    expect(choice.attemptMs(2_100)).toBe(700);
  });

  it('gives an attempt from 250 ms to 1 s, but never more than the request has', () => {
    const { choice } = choiceOf(3);
    expect(choice.attemptMs(60_000)).toBe(1_000);
    expect(choice.attemptMs(2_000, 400)).toBe(250);
    expect(choice.attemptMs(100)).toBe(100);
    expect(choiceOf(1).choice.attemptMs(60_000, 400)).toBe(60_000);
  });

  /** The server and the time limit of each attempt. Each takes all of its time, except at a server that answers. */
  function asked(count: number, answering: readonly number[], mayRepeat = true) {
    const { choice, clock } = choiceOf(count);
    const attempts: [number, number][] = [];
    const ask = () =>
      choice.ask({
        timeoutMs: 1_200,
        send: async (server, timeoutMs) => {
          attempts.push([server, timeoutMs]);
          if (answering.includes(server)) return server;
          clock.ms += timeoutMs;
          throw new HttpError('no answer', true);
        },
        mayRepeat: () => mayRepeat,
      });
    return { ask, attempts };
  }

  it('asks each server once within the time of the request, and the last for all that is left', async () => {
    const { ask, attempts } = asked(3, []);
    await expect(ask()).rejects.toThrow('no answer');
    expect(attempts).toEqual([
      [0, 400],
      [1, 400],
      [2, 400],
    ]);
  });

  it('keeps the server that answered for the next request', async () => {
    const { ask, attempts } = asked(3, [1, 2]);
    expect(await ask()).toBe(1);
    expect(await ask()).toBe(1);
    expect(attempts.map(([server]) => server)).toEqual([0, 1, 1]);
  });

  it('does not repeat what may have taken effect, but passes the server over with the next request', async () => {
    const { ask, attempts } = asked(2, [1], false);
    await expect(ask()).rejects.toThrow('no answer');
    expect(await ask()).toBe(1);
    expect(attempts.map(([server]) => server)).toEqual([0, 1]);
  });

  it('is not changed by too many requests of this process', async () => {
    const { choice } = choiceOf(2);
    const send = () => Promise.reject(new HttpError(TOO_MANY_WAIT, false));
    await expect(choice.ask({ timeoutMs: 1, send, mayRepeat: () => true })).rejects.toThrow(TOO_MANY_WAIT);
    expect(choice.chosen).toBe(0);
  });
});
