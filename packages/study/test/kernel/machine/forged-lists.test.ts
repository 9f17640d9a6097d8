import { expect, test } from 'vitest';
import { counter, ids, message } from '../../../src/kernel/index.ts';
import { ListTable } from '../../../src/kernel/machine/list-table.ts';
import { MessageCodec } from '../../../src/kernel/machine/message-codec.ts';

test('a forged message whose list is valid and whose last field is not leaves no list behind', () => {
  const codec = new MessageCodec('sample', { token: message(['path', ids()], ['hops', counter(9)]) });
  const limits = codec.limits({ n: 5, largestId: 5, params: {} });
  const lists = new ListTable();
  const words = new Int32Array(codec.width);
  const first = lists.add([]);
  lists.release(first);
  for (let k = 0; k < 100; k++) {
    expect(() => codec.write({ type: 'token', path: [1, 2], hops: 10 }, words, 0, limits, lists)).toThrow(
      "'hops' takes",
    );
  }
  // The table hands out the same place again: nothing was kept.
  expect(lists.add([])).toBe(first);
  expect(lists.add([])).toBe(first + 1);
});
