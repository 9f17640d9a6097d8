import { describe, expect, test } from 'vitest';
import { LeaseLostError } from '../../src/index.ts';
import type { ShardWork } from '../../src/shards/index.ts';
import { KitGroup, obedient } from './kit-group.ts';

const FIRST = 'orders#shards/x/0';

/** The members own one child of a split shard each. */
async function splitGroup() {
  const group = new KitGroup();
  const { kit } = group;
  /** The shards that have work now. */
  const works: string[] = [];
  const work: ShardWork = async (lead) => {
    works.push(lead.shard);
    await obedient(lead);
    works.splice(works.indexOf(lead.shard), 1);
  };
  const join = (id: string) => group.join(id, work, { shards: ['x'], stopGraceMs: 500 });
  const a = join('a');
  await kit.until(() => a.metrics.owned === 1);
  await group.settled(a.split('x'));
  const b = join('b');
  await kit.until(() => a.metrics.owned === 1 && b.metrics.owned === 1);
  const allHaveWork = () => kit.until(() => ['x', 'x/0,x/1'].includes([...works].sort().join()));
  await allHaveWork();
  return { group, kit, a, b, works, allHaveWork };
}

describe('a merge whose first mark fails, and is in the store nevertheless: every key has work again', () => {
  test('because the release of the lease carried it', async () => {
    const { group, kit, a, b, works, allHaveWork } = await splitGroup();
    let combine = (_: string): void => {};
    const merging = a.merge('x', () => new Promise<string>((resolve) => (combine = resolve)));
    const failed = group.settled(merging);
    await kit.until(() => works.length === 0);
    // Another member asks for the lease: when the mark is written, it is not renewed any more.
    const other = group.settled(b.merge('x'));
    await kit.advance(2_000);
    combine('both');
    expect(await failed).toBeInstanceOf(LeaseLostError);
    await other;
    await allHaveWork();
  });

  test('because only the answer was lost', async () => {
    const { group, kit, a, allHaveWork } = await splitGroup();
    const renew = kit.store.renew.bind(kit.store);
    let isCut = false;
    kit.store.renew = async (requests) => {
      const answers = await renew(requests);
      isCut ||= requests.some(({ update }) => update?.checkpoint?.includes(' merged '));
      return isCut && requests.some(({ name }) => name === FIRST) ? new Promise(() => undefined) : answers;
    };
    const failed = await group.settled(a.merge('x', () => 'both'));
    kit.store.renew = renew;
    expect([isCut, failed]).toEqual([true, expect.any(LeaseLostError)]);
    await allHaveWork();
  });
});

test('of two members that merge one shard at the same time, one does, and the other is told so', async () => {
  const { group, a, b, allHaveWork } = await splitGroup();
  const ends = await Promise.all([a, b].map((member) => group.settled(member.merge('x'))));
  await allHaveWork();
  const errors = ends.filter((error) => error !== null).map((error) => (error as Error).message);
  expect(errors).toEqual(["another member has merged 'x' meanwhile"]);
});
