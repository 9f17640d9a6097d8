import { expect, it } from 'vitest';
import { eventLogger } from '../../../src/elector/events/elector-logger.ts';

it('each change of what a candidate waits for is one line, also if nobody leads and nobody may', () => {
  const lines: string[] = [];
  const log = eventLogger(({ message }) => lines.push(message), 'job', 'b');
  const waiting = { type: 'waiting', holder: null, successor: null, token: 7n, metadata: null } as const;
  for (const remainingMs of [3_000, 2_000]) {
    log({ ...waiting, holder: 'a', remainingMs });
    log({ ...waiting, holder: 'a', remainingMs });
    log({ ...waiting, remainingMs });
    log({ ...waiting, remainingMs: remainingMs - 1_000 });
    log({ ...waiting, successor: 'c', remainingMs });
    log({ ...waiting, token: 0n, remainingMs });
  }
  // A lease that is free: the next request takes it.
  log({ ...waiting, remainingMs: 0 });
  const line = (text: string): string => `hustings: 'job': waiting: ${text}`;
  expect(lines).toEqual(
    [3, 2].flatMap((seconds) => [
      line("'a' leads"),
      line(`no candidate may lead for another ${seconds} s`),
      line("the lease is reserved for 'c'"),
      line(`the store is new or was restarted empty, and grants its first lease in ${seconds} s`),
    ]),
  );
});
