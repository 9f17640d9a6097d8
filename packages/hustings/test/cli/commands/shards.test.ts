import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { until } from '../../../../../test-kit/until.ts';
import { type LeaseStore, openStore } from '../../../src/lease/index.ts';
import { createShardGroup, type ShardGroup } from '../../../src/shards/index.ts';

const folder = temporaryFolder();
const shards = (...args: string[]) =>
  hustings(['shards', ...args], folder.path, { HUSTINGS_STORE: 'sqlite:./leases.db' });

describe('hustings shards NAME', () => {
  let store: LeaseStore;
  let groups: ShardGroup[];

  beforeAll(async () => {
    store = await openStore(`sqlite:${join(folder.path, 'leases.db')}`);
    groups = ['a', 'b'].map((id) =>
      createShardGroup({ store, name: 'orders', shards: 12, id, planEveryMs: 100, ttlMs: 60_000 }),
    );
    for (const group of groups) {
      void group.run(
        ({ draining }) => new Promise<void>((resolve) => draining.addEventListener('abort', () => resolve())),
      );
    }
    // A member owns shards before the store lists it: the first request of a waiting candidate may not be registered.
    await until(async () => {
      const { members } = await groups[0].shards();
      return (
        members.length === 2 && members.every(({ weight, shards: own }) => weight === 1 && own.length === 6)
      );
    });
  });
  afterAll(() => store.close());

  it('prints the members with their shards', () => {
    const { status, stdout, stderr } = shards('orders');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(
      /^member +weight +owns +shards\na +1 +6 +\S.*\nb +1 +6 +\S.*\nall 12 shards have an owner\n$/,
    );
  });

  it('prints the same as JSON, with the tokens as text', () => {
    const answer = JSON.parse(shards('orders', '--json').stdout);
    expect(answer).toMatchObject({ name: 'orders', unowned: [] });
    expect(
      answer.members.map(({ id, shards: own }: { id: string; shards: string[] }) => [id, own.length]),
    ).toEqual([
      ['a', 6],
      ['b', 6],
    ]);
    expect(answer.shards).toHaveLength(12);
    expect(answer.shards[0]).toMatchObject({ shard: '0', token: expect.stringMatching(/^\d+$/) });
  });

  it('exits 2 for a name that no group can have', () => {
    expect(shards('a#b')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("use 'a-b', not 'a#b'"),
    });
  });

  it('exits 1 for a group that does not exist', () => {
    expect(shards('other')).toMatchObject({ status: 1, stdout: 'there is no shard group other\n' });
  });

  it('exits 1, and lists the shards that nobody owns', async () => {
    await Promise.all(groups.map((group) => group.close()));
    const { status, stdout } = shards('orders');
    expect(status).toBe(1);
    expect(stdout).toBe('nobody takes part\n12 of 12 shards have no owner: 0–11\n');
  });
});
