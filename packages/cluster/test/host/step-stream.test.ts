import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { allWriters, type StepMessage, StepStream } from '../../src/host/step-stream.ts';
import type { StepLine } from '../../src/record/parse-trace.ts';
import type { TraceLine } from '../../src/record/trace-line.ts';

const about = { cluster: 'demo', id: 1, algorithm: 'bully', params: {}, members: [1, 2], edges: null };
const begin: TraceLine = {
  ...{ type: 'begin', ...about, incarnation: 1, unitMs: 50 },
  ...{ recovered: false, durable: null },
};
const epoch: TraceLine = { type: 'epoch', number: 1, proposer: 1, members: [1, 2] };
const step = (own: number): TraceLine => ({
  ...{ type: 'step', epoch: 1, proposer: 1, step: 'start 0', clock: { 1: own }, at: own, sent: [] },
});

/** A reader that takes everything at once, until it is blocked. */
class Reader {
  unreadBytes = 0;
  readonly messages: StepMessage[] = [];

  send(message: StepMessage): void {
    this.messages.push(message);
  }

  /** The own steps of the lines of a message; 'begin' and 'epoch' by their names. */
  linesOf(message: number): (string | number)[] {
    return this.messages[message].lines.map((line) => (line.type === 'step' ? line.clock[1] : line.type));
  }
}

function stream(steps: number): StepStream {
  const all = new StepStream();
  for (const line of [begin, epoch]) all.write(line);
  for (let own = 1; own <= steps; own++) all.write(step(own));
  return all;
}

const range = (from: number, until: number): number[] =>
  Array.from({ length: until - from + 1 }, (_, k) => from + k);

describe('the steps of a member for those who watch it', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are given from the first line, and then together as they come', () => {
    const steps = stream(2);
    const reader = new Reader();
    steps.add(reader);
    expect([reader.messages[0].dropped, reader.linesOf(0)]).toEqual([0, ['begin', 'epoch', 1, 2]]);
    steps.write(step(3));
    steps.write(step(4));
    expect(reader.messages).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect(reader.messages).toHaveLength(2);
    expect(reader.linesOf(1)).toEqual([3, 4]);
  });

  it('begin with the process and its epoch, when only the last 512 lines are left', () => {
    const reader = new Reader();
    stream(1_000).add(reader);
    expect(reader.linesOf(0)).toEqual(['begin', 'epoch', ...range(489, 1_000)]);
    expect(reader.messages[0].dropped).toBe(488);
  });

  it('have the last election for a reader that comes after 10,000 heartbeats', () => {
    const steps = new StepStream((type) => type === 'heartbeat');
    steps.write(begin);
    steps.write(epoch);
    const line = (own: number, change: Partial<StepLine>) => ({ ...(step(own) as StepLine), ...change });
    const heartbeat = { step: 'timer 0 beat', sent: [{ to: 2, message: 'heartbeat term=1', key: '' }] };
    const vote = { step: 'deliver 1 > 0 vote term=1 (port 0)' };
    const standing = (leader: number | null) => ({ leader, term: 1 });
    for (const own of range(1, 10_000)) {
      const about = own === 7 ? vote : heartbeat;
      // A turn is no upkeep, although a timer brings it.
      steps.write(line(own, { ...about, standing: standing(own === 30 ? null : 1) }));
    }
    const reader = new Reader();
    steps.add(reader);
    expect(reader.linesOf(0)).toEqual(['begin', 'epoch', 1, 7, 30, 31, ...range(9_489, 10_000)]);
    expect(reader.messages[0].dropped).toBe(10_000 - 512 - 4);
  });

  it('forget the epoch of an earlier process', () => {
    const steps = stream(1);
    steps.write({ ...begin, incarnation: 2 });
    for (const own of range(1, 600)) steps.write(step(own));
    const reader = new Reader();
    steps.add(reader);
    expect(reader.linesOf(0)).toEqual(['begin', ...range(89, 600)]);
  });

  it('wait for a slow reader, and say how many lines it has missed; others get all of them', () => {
    const steps = stream(0);
    const [slow, fast] = [new Reader(), new Reader()];
    steps.add(slow);
    steps.add(fast);
    slow.unreadBytes = 1_000_000;
    for (const own of range(1, 700)) {
      steps.write(step(own));
      vi.advanceTimersByTime(60);
    }
    expect(slow.messages).toHaveLength(1);
    expect(range(1, fast.messages.length - 1).flatMap((k) => fast.linesOf(k))).toEqual(range(1, 700));
    slow.unreadBytes = 0;
    vi.advanceTimersByTime(60);
    expect(slow.linesOf(1)).toEqual(['begin', 'epoch', ...range(189, 700)]);
    expect(slow.messages[1].dropped).toBe(186);
  });

  it('are no longer given to a reader that has gone', () => {
    const steps = stream(1);
    const reader = new Reader();
    steps.add(reader);
    steps.remove(reader);
    steps.write(step(2));
    vi.advanceTimersByTime(1_000);
    expect(reader.messages).toHaveLength(1);
  });
});

describe('several writers', () => {
  it('get each line; one alone is used as it is, and without any nothing is recorded', () => {
    const [one, other] = [{ write: vi.fn() }, { write: vi.fn() }];
    allWriters(one, null, other)?.write(begin);
    expect([one.write.mock.calls, other.write.mock.calls]).toEqual([[[begin]], [[begin]]]);
    expect(allWriters(undefined, one)).toBe(one);
    expect(allWriters(null, undefined)).toBe(undefined);
  });
});
