import { expect, it } from 'vitest';
import { StoreError } from '../../../src/lease/core/store-error.ts';
import { JoinedRounds } from '../../../src/lease/stores/joined-rounds.ts';

interface Item {
  readonly name: string;
}

const itemsOf = (names: string): Item[] => [...names].map((name) => ({ name }));

/** Rounds that end when the test says so. Each item is answered with its name, unless the server refuses it. */
function heldRounds(maxRounds: number, refused = '') {
  const sent: string[] = [];
  const held: (() => void)[] = [];
  const joined = new JoinedRounds<Item, string>(
    async (items) => {
      const names = items.map(({ name }) => name).join('');
      sent.push(names);
      await new Promise<void>((resolve) => held.push(resolve));
      if (refused !== '' && names.includes(refused))
        throw new StoreError('unusable', `${refused} is refused`);
      return items.map(({ name }) => name);
    },
    maxRounds,
    (ms) => new StoreError('busy', `in use for ${ms} ms`),
  );
  const ask = (names: string, timeoutMs = 60_000): Promise<string> =>
    joined.run(itemsOf(names), timeoutMs).then(
      (answers) => answers.join(''),
      (error: StoreError) => error.kind,
    );
  /** Lets all rounds end, one after the other. */
  const finish = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) {
      held.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { sent, ask, finish };
}

it('calls that come while every connection is in use become one round, in which no name is twice', async () => {
  const { sent, ask, finish } = heldRounds(2);
  const answers = Promise.all(['a', 'b', 'c', 'de', 'c', 'f', 'da'].map((names) => ask(names)));
  expect(sent).toEqual(['a', 'b']);
  await finish();
  expect(await answers).toEqual(['a', 'b', 'c', 'de', 'c', 'f', 'da']);
  expect(sent).toEqual(['a', 'b', 'cdef', 'cda']);
});

it('a joined round has at most a thousand items', async () => {
  const { sent, ask, finish } = heldRounds(1);
  const letters = (from: number, count: number): string =>
    String.fromCharCode(...Array.from({ length: count }, (_, index) => from + index));
  const lists = [letters(0, 1), letters(1_000, 600), letters(2_000, 600), letters(3_000, 400)];
  const answers = Promise.all(lists.map((names) => ask(names)));
  await finish();
  expect(await answers).toEqual(lists);
  expect(sent.map(({ length }) => length)).toEqual([1, 1_000, 600]);
});

it('an election that the server refuses fails the call that names it, and no other', async () => {
  const { ask, finish } = heldRounds(1, 'x');
  const answers = Promise.all(['a', 'b', 'xc', 'd'].map((names) => ask(names)));
  await finish();
  expect(await answers).toEqual(['a', 'b', 'unusable', 'd']);
});

it('a call whose time is over before its round begins is refused, and nothing is sent', async () => {
  const { sent, ask, finish } = heldRounds(1);
  const first = ask('a');
  expect(await ask('b', 1)).toBe('busy');
  await finish();
  expect(await first).toBe('a');
  expect(sent).toEqual(['a']);
});
