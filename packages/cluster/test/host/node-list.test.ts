/** How long a leader waits for a process that is to be added, in virtual time. */
import { expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { integer } from '../../../study/src/kernel/params.ts';
import { NodeList } from '../../src/host/node-list.ts';
import type { ListRecord } from '../../src/membership/list-record.ts';
import { MemberChangeError, SilentMemberError } from '../../src/membership/membership.ts';
import { SimulatedClock } from '../simulated-clock.ts';
import { VirtualTime } from '../virtual-time.ts';

const [one, two] = [1, 2].map((id) => ({ id, address: `127.0.0.1:700${id}` }));
const record: ListRecord = { stamp: 1, version: 2, origin: 1, members: [one, two] };

/** Adds member 2, which answers after a while. */
async function added(answersAfterMs: number) {
  const time = new VirtualTime();
  const invited: (number | null)[] = [];
  const list = new NodeList({
    file: { cluster: 'demo', version: 1, members: [one] },
    id: 1,
    record: null,
    isJoining: false,
    setup: { algorithm: raft },
    save: () => Promise.resolve(),
    connect: () => undefined,
    invite: (candidate) => invited.push(candidate?.id ?? null),
    reaches: () => time.nowMs >= answersAfterMs,
    clock: new SimulatedClock(time, 1),
  });
  const change = () =>
    list.change({ type: 'add', member: two }, () => {
      if (!list.reaches(2)) throw new SilentMemberError(two);
      // As soon as the list is on disk.
      time.after(1, () => {
        list.onCommitted(record);
        time.hasSettled = true;
      });
      return record;
    });
  let ended = '';
  change().then(
    ({ version }) => {
      ended = `version ${version} at ${time.nowMs}`;
    },
    (error) => {
      ended = `${error instanceof MemberChangeError} at ${time.nowMs}: ${error.message}`;
    },
  );
  await expect(change()).rejects.toThrow('a change is under way; try again');
  while (ended === '') {
    time.hasSettled = true;
    await time.runUntil(time.nowMs + 50, () => ended !== '');
  }
  return { ended, invited };
}

test('a process that answers within 5 s is added, and is not invited any more', async () => {
  const { ended, invited } = await added(1_000);
  expect(ended).toBe('version 2 at 1001');
  expect(invited.slice(0, 2)).toEqual([2, 2]);
  expect(invited.at(-1)).toBe(null);
});

test('one that does not is refused, and is not invited any more', async () => {
  const { ended, invited } = await added(6_000);
  expect(ended).toBe(
    'true at 5000: member 2 does not answer at 127.0.0.1:7002; start it with join, then repeat',
  );
  expect(new Set(invited)).toEqual(new Set([2, null]));
  expect(invited.at(-1)).toBe(null);
});

test('a list with which the algorithm cannot run is refused before it is proposed', async () => {
  const most = integer('at most n', { min: (n) => n, max: 9, byDefault: (n) => n });
  const algorithm = { ...raft, params: { ...raft.params, most } } as never;
  const list = new NodeList({
    save: () => Promise.resolve(),
    file: { cluster: 'demo', version: 1, members: [one] },
    id: 1,
    record: null,
    isJoining: false,
    setup: { algorithm, set: { most: 1 } },
    connect: () => undefined,
    invite: () => undefined,
    reaches: () => true,
    clock: new SimulatedClock(new VirtualTime(), 1),
  });
  const propose = (): never => {
    throw new Error('proposed');
  };
  await expect(list.change({ type: 'add', member: two }, propose)).rejects.toThrow(
    "the algorithm cannot run with that list: most of raft must be a whole number from 2 to 9 for 2 nodes, not '1'; to set another value,",
  );
  // What is wrong with the change itself is said by the one who proposes it.
  await expect(list.change({ type: 'remove', id: 7 }, propose)).rejects.toThrow('proposed');
});
