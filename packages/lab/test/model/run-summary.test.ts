import { expect, it } from 'vitest';
import { changRoberts } from '../../../study/src/algorithms/index.ts';
import { simulate } from '../../../study/src/simulator/index.ts';
import { RunModel } from '../../src/model/run/run-model.ts';
import { summarise } from '../../src/model/run/run-summary.ts';

it('a summary has the outcome of the simulator, the roles, messages over time and hops', () => {
  const options = { nodes: 1000, seed: 3 };
  const reported: number[] = [];
  const { hops, outcome, overTime, roles } = summarise(changRoberts, options, ({ messages }) =>
    reported.push(messages),
  );
  expect(outcome).toEqual(simulate(changRoberts, options));
  expect(roles).toEqual({ leader: 1, follower: 999, undecided: 0, crashed: 0 });
  expect(overTime.at(-1)?.messages).toBe(outcome.messages.total);
  expect(overTime.length).toBeGreaterThan(10);
  expect(reported.length).toBeGreaterThanOrEqual(overTime.length);
  const times = overTime.map(({ time }) => time);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // Every token is sent once or more; the largest goes round, and so does the announcement.
  expect(hops?.reduce((sum, { count, hops: each }) => sum + count * each, 0)).toBe(outcome.messages.total);
  expect(hops?.at(-1)).toEqual({ hops: 1000, count: 2 });
});

it('a network above 200 nodes is not recorded', () => {
  expect(() => RunModel.of(changRoberts, { nodes: 201 })).toThrow(
    'a run is recorded up to 200 nodes, not 201',
  );
});

it('in a long run a jump to any position takes at most a stretch of replayed steps', () => {
  const model = RunModel.of(changRoberts, { nodes: 100, order: 'descending' });
  expect(model.length).toBeGreaterThan(5000);
  let applied = 0;
  const { world } = model;
  const apply = world.apply.bind(world);
  world.apply = (...args) => {
    applied++;
    return apply(...args);
  };
  for (const position of [4000, 17, 2500, model.length, 1, 3333]) {
    applied = 0;
    model.seek(position);
    expect(applied).toBeLessThanOrEqual(64);
  }
});
