/** The member list at one member, with a disk that saves when the test says so. */
import { expect, test } from 'vitest';
import type { ListRecord } from '../../../src/cluster/membership/list-record.ts';
import type { MembersFrame } from '../../../src/cluster/membership/members-frame.ts';
import { Membership } from '../../../src/cluster/membership/membership.ts';

const MEMBERS = [1, 2, 3].map((id) => ({ id, address: `127.0.0.1:700${id}` }));
const stamped = (stamp: number): ListRecord => ({ stamp, version: 1, origin: 0, members: MEMBERS });

test('a record that comes while an older one is saved is answered when it is on disk, without being repeated', async () => {
  const saves: { readonly stamp: number; readonly end: () => void }[] = [];
  const sent: [number, MembersFrame][] = [];
  const member = new Membership(
    { cluster: 'demo', self: 2, record: stamped(0) },
    {
      save: ({ stamp }) => new Promise((end) => saves.push({ stamp, end })),
      useList: () => undefined,
      keepFormer: () => undefined,
      send: (to, frame) => sent.push([to, frame]),
      standing: () => ({ term: 6, leads: false }),
      onCommitted: () => undefined,
    },
  );
  const offer = (from: number, stamp: number): void => {
    member.receive(from, { type: 'members', about: 'record', record: stamped(stamp), isCommitted: false });
  };
  offer(1, 5);
  offer(3, 6);
  expect(saves.map(({ stamp }) => stamp)).toEqual([5]);
  saves[0].end();
  await expect.poll(() => saves.map(({ stamp }) => stamp)).toEqual([5, 6]);
  expect(sent).toEqual([]);
  saves[1].end();
  const name = { stamp: 6, version: 1, origin: 0 };
  await expect
    .poll(() => sent)
    .toEqual([[3, { type: 'members', about: 'stored', name, isConfirmed: true, isCommitted: false }]]);
});
