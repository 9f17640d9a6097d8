import { describe, expect, test } from 'vitest';
import {
  planShards,
  type ShardMember,
  type ShardView,
  stepsOf,
} from '../../../src/shards/core/shard-plan.ts';
import { drawn } from './drawn.ts';

type Draw = (below: number) => number;

const countsOf = (plan: ReadonlyMap<string, string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const to of plan.values()) counts.set(to, (counts.get(to) ?? 0) + 1);
  return counts;
};

const movesOf = (view: ShardView, plan: ReadonlyMap<string, string>): string[] =>
  [...view.owners].flatMap(([shard, owner]) => (owner !== null && plan.get(shard) !== owner ? [shard] : []));

const membersOf = (count: number, weightOf: (at: number) => number = () => 1): ShardMember[] =>
  Array.from({ length: count }, (_, at) => ({ id: `m${at}`, weight: weightOf(at) }));

/** Owners at random, among them members that have gone, and nobody. */
function randomView(draw: Draw, isWeighted: boolean): ShardView {
  const members = membersOf(1 + draw(8), () => (isWeighted ? 1 + draw(5) : 1));
  const owners = new Map<string, string | null>();
  for (let shard = draw(60); shard > 0; shard--) {
    const owner = draw(members.length + 3);
    owners.set(`s${shard}`, owner === 0 ? null : owner > members.length ? 'gone' : members[owner - 1].id);
  }
  return { members, owners };
}

const planned = ({ members }: ShardView, plan: ReadonlyMap<string, string>): ShardView => ({
  members,
  owners: new Map(plan),
});

describe('the plan, for 2,000 views at random', () => {
  for (const isWeighted of [false, true]) {
    const kind = isWeighted ? 'weighted' : 'equal';
    test(`gives every shard to a member and each member its quota, rounded up or down (${kind} members)`, () => {
      drawn(2_000, (draw) => {
        const view = randomView(draw, isWeighted);
        const plan = planShards(view);
        expect(plan.size).toBe(view.owners.size);
        const counts = countsOf(plan);
        const weights = view.members.reduce((sum, { weight }) => sum + weight, 0);
        for (const { id, weight } of view.members) {
          const quota = (view.owners.size * weight) / weights;
          expect(Math.abs((counts.get(id) ?? 0) - quota)).toBeLessThan(1);
        }
        const given = view.members.map(({ id }) => counts.get(id) ?? 0);
        if (!isWeighted) expect(Math.max(...given) - Math.min(...given)).toBeLessThanOrEqual(1);
      });
    });

    test(`moves no more shards than the balance needs (${kind} members)`, () => {
      drawn(2_000, (draw) => {
        const view = randomView(draw, isWeighted);
        const weights = view.members.reduce((sum, { weight }) => sum + weight, 0);
        const before = countsOf(new Map([...view.owners].map(([shard, owner]) => [shard, owner ?? ''])));
        // At least what exceeds the rounded-up quotas must move, and what exceeds all quotas together.
        const surplus = view.members.map(({ id, weight }) => {
          const quota = (view.owners.size * weight) / weights;
          const owned = before.get(id) ?? 0;
          return { low: owned - Math.floor(quota), isRounded: !Number.isInteger(quota) };
        });
        const floors = view.members.reduce(
          (sum, { weight }) => sum + Math.floor((view.owners.size * weight) / weights),
          0,
        );
        const extras = Math.min(
          view.owners.size - floors,
          surplus.filter(({ low, isRounded }) => low > 0 && isRounded).length,
        );
        const least = surplus.reduce((sum, { low }) => sum + Math.max(0, low), 0) - extras;
        const plan = planShards(view);
        const isMember = (shard: string): boolean =>
          view.members.some(({ id }) => id === view.owners.get(shard));
        expect(movesOf(view, plan).filter(isMember)).toHaveLength(least);
      });
    });

    test(`is its own plan once it is carried out, and after any part of it (${kind} members)`, () => {
      drawn(2_000, (draw) => {
        const view = randomView(draw, isWeighted);
        const plan = planShards(view);
        expect(planShards(planned(view, plan))).toEqual(plan);
        const owners = new Map(view.owners);
        for (const [shard, to] of plan) if (draw(2) === 0) owners.set(shard, to);
        expect(planShards({ members: view.members, owners })).toEqual(plan);
      });
    });
  }

  /** The plan, carried out again and again until it is its own plan. */
  function atRest(view: ShardView): ReadonlyMap<string, string> {
    let plan = planShards(view);
    for (let round = 0; round < 5; round++) {
      const moved = new Map([...view.owners].map(([shard]) => [shard, plan.get(shard) ?? null]));
      const next = planShards({ ...view, owners: moved });
      if (JSON.stringify([...next].sort()) === JSON.stringify([...plan].sort())) return plan;
      plan = next;
    }
    throw new Error('the plan does not come to rest');
  }

  test('gives every shard to a member that is not quarantined from it, if there is one, and comes to rest', () => {
    drawn(1_000, (draw) => {
      const view = randomView(draw, draw(2) === 0);
      const ids = view.members.map(({ id }) => id);
      const quarantined = new Map(
        [...view.owners.keys()].flatMap((shard) => {
          const some = new Set(ids.filter(() => draw(4) === 0));
          return some.size > 0 ? [[shard, some] as const] : [];
        }),
      );
      const plan = atRest({ ...view, quarantined });
      const wrong = [...view.owners.keys()].filter((shard) => {
        const to = plan.get(shard);
        const allowed = ids.filter((id) => !quarantined.get(shard)?.has(id));
        return to === undefined ? allowed.length > 0 : !allowed.includes(to);
      });
      expect(wrong).toEqual([]);
    });
  });

  test('is in balance although a member is quarantined from a shard: it gets another one', () => {
    drawn(1_000, (draw) => {
      const view = randomView(draw, false);
      if (view.members.length < 2 || view.owners.size < 2) return;
      const [shard, id] = [[...view.owners.keys()][draw(view.owners.size)], `m${draw(view.members.length)}`];
      const counts = countsOf(atRest({ ...view, quarantined: new Map([[shard, new Set([id])]]) }));
      const given = view.members.map((member) => counts.get(member.id) ?? 0);
      expect(Math.max(...given) - Math.min(...given)).toBeLessThanOrEqual(1);
    });
  });

  test('is as well balanced as the quarantines allow, and then rests: no assignment has a smaller sum of squares', () => {
    let unequal = 0;
    drawn(1_000, (draw) => {
      const members = membersOf(2 + draw(3));
      const shards = Array.from({ length: 1 + draw(6 - members.length + 2) }, (_, at) => `s${at}`);
      const idAt = (at: number): string | null => members[at]?.id ?? null;
      const owners = new Map(shards.map((shard) => [shard, idAt(draw(members.length + 1))]));
      const quarantined = new Map(
        shards.map((shard) => [
          shard,
          // One member at least takes it.
          new Set(members.slice(1).flatMap(({ id }) => (draw(5) < 3 ? [id] : []))),
        ]),
      );
      const squares = (counts: Iterable<number>): number =>
        [...counts].reduce((sum, count) => sum + count * count, 0);
      const least = (at: number, counts: readonly number[]): number =>
        at === shards.length
          ? squares(counts)
          : Math.min(
              ...members.flatMap(({ id }, member) =>
                quarantined.get(shards[at])!.has(id)
                  ? []
                  : [least(at + 1, counts.with(member, counts[member] + 1))],
              ),
            );
      const plan = planShards({ members, owners, quarantined });
      expect(squares(countsOf(plan).values())).toBe(
        least(
          0,
          members.map(() => 0),
        ),
      );
      expect(new Map(planShards({ members, owners: new Map(plan), quarantined }))).toEqual(new Map(plan));
      const given = members.map(({ id }) => countsOf(plan).get(id) ?? 0);
      if (Math.max(...given) - Math.min(...given) > 1) unequal++;
    });
    // Otherwise the quarantines would not have mattered.
    expect(unequal).toBeGreaterThan(100);
  });

  test('does not depend on the order in which members and shards are listed', () => {
    drawn(500, (draw) => {
      const view = randomView(draw, true);
      const reversed = { members: [...view.members].reverse(), owners: new Map([...view.owners].reverse()) };
      expect(new Map(planShards(reversed))).toEqual(new Map(planShards(view)));
    });
  });
});

describe('256 shards', () => {
  const shards = Array.from({ length: 256 }, (_, shard) => `${shard}`);
  const balanced = (count: number): ShardView => {
    const view = { members: membersOf(count), owners: new Map(shards.map((shard) => [shard, null])) };
    return planned(view, planShards(view));
  };

  test.each([1, 2, 3, 7, 15])(
    'a join as one of %i + 1 members moves its share, all of it to the new member',
    (count) => {
      const before = balanced(count);
      const view = { members: membersOf(count + 1), owners: before.owners };
      const plan = planShards(view);
      const moves = movesOf(view, plan);
      expect(moves).toHaveLength(Math.floor(256 / (count + 1)));
      expect(new Set(moves.map((shard) => plan.get(shard)))).toEqual(new Set([`m${count}`]));
    },
  );

  test.each([2, 3, 8])('a failure of one of %i members moves only its shards', (count) => {
    const before = balanced(count);
    const members = membersOf(count).slice(1);
    const plan = planShards({ members, owners: before.owners });
    const others = [...before.owners].filter(([, owner]) => owner !== 'm0');
    for (const [shard, owner] of others) expect(plan.get(shard)).toBe(owner);
  });

  test('members that know of different members still agree on most free shards', () => {
    const free = new Map(shards.map((shard) => [shard, null]));
    const all = planShards({ members: membersOf(8), owners: free });
    const fewer = planShards({ members: membersOf(7), owners: free });
    const agreed = shards.filter((shard) => all.get(shard) === fewer.get(shard)).length;
    expect(agreed).toBeGreaterThan(128);
  });
});

describe('the steps of a member', () => {
  const members = membersOf(2);
  const own = (held: string[], claimed: string[] = []) => ({
    id: 'm0',
    held: new Set(held),
    claimed: new Set(claimed),
    ending: new Map<string, string | null>(),
  });

  test('claims what is free, and hands over nothing while nobody is below its quota', () => {
    const view = {
      members: membersOf(1),
      owners: new Map([
        ['a', null],
        ['b', 'm0'],
      ]),
    };
    expect(stepsOf(view, own(['b']))).toMatchObject({ claim: ['a'], withdraw: [], handOver: [] });
  });

  test('hands its surplus to the member that is below its quota', () => {
    const view = {
      members,
      owners: new Map([
        ['a', 'm0'],
        ['b', 'm0'],
        ['c', 'm0'],
        ['d', 'm0'],
      ]),
    };
    const steps = stepsOf(view, own(['a', 'b', 'c', 'd']));
    expect(steps).toMatchObject({
      claim: [],
      withdraw: [],
      handOver: [
        { shard: 'c', to: 'm1' },
        { shard: 'd', to: 'm1' },
      ],
    });
  });

  test('trusts what it holds more than what it has read', () => {
    const view = {
      members,
      owners: new Map([
        ['a', null],
        ['b', 'm1'],
      ]),
    };
    expect(stepsOf(view, own(['a']))).toMatchObject({ claim: [], withdraw: [], handOver: [] });
  });

  test('withdraws a claim that the plan gives to another member, or whose shard is no longer live', () => {
    const view = {
      members,
      owners: new Map([
        ['a', 'm0'],
        ['b', 'm1'],
      ]),
    };
    expect(stepsOf(view, own(['a'], ['b', 'z'])).withdraw).toEqual(['b', 'z']);
  });
});
