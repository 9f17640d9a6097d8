import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Progress } from '../../src/command/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a log has a line a minute too if nothing is reported, because other threads work', () => {
  const texts: string[] = [];
  const stream = new Writable({ write: (chunk, _, done) => done(void texts.push(String(chunk))) });
  const clock = { ms: 5000 };
  const progress = new Progress(stream as unknown as NodeJS.WriteStream, true, () => clock.ms);
  clock.ms += 1000;
  progress.updateSweep(1, 4, null);
  clock.ms += 60_000;
  vi.advanceTimersByTime(60_000);
  expect(texts).toEqual(['hustings: █████░░░░░░░░░░░░░░░ 1 of 4 runs, 0 per second\n']);
  progress.clear();
  clock.ms += 60_000;
  vi.advanceTimersByTime(60_000);
  expect(texts).toHaveLength(1);
});
