import { describe, expect, it } from 'vitest';
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
});
