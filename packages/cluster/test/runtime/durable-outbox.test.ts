import { expect, test } from 'vitest';
import { DurableOutbox, MAX_HELD } from '../../src/runtime/durable-outbox.ts';

test('a disk that never answers holds back a bounded number of items, and then fails the member once', () => {
  const released: number[] = [];
  const failures: string[] = [];
  const outbox = new DurableOutbox<number>(
    { save: () => new Promise(() => undefined) },
    (item) => released.push(item),
    (error) => failures.push(String(error)),
  );
  const record = { algorithm: 'raft', entered: 0, durable: {} };
  for (let item = 0; item < MAX_HELD; item++) outbox.push(item, record);
  expect(failures).toEqual([]);
  for (let item = 0; item < 3; item++) outbox.push(item, record);
  expect(failures).toEqual([`Error: ${MAX_HELD} steps wait for one save: the disk does not answer`]);
  expect(released).toEqual([]);
});
