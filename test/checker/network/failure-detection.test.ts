import { describe, expect, it } from 'vitest';
import {
  bully,
  bullyGrant,
  bullyIds,
  bullySuccessor,
  changRoberts,
  divided,
  ringList,
  ringMax,
  sun,
} from '../../../src/algorithms/index.ts';
import { check, replay } from '../../../src/checker/index.ts';
import { withoutSends } from './dropped-sends.ts';

const BULLIES = [bully, bullyIds, bullyGrant, bullySuccessor].map((each) => [each.name, each] as const);

/** The process with id 1 has not detected the crash of the process with id 4. */
const options = { ids: [2, 3, 4, 1], initiators: [0] } as const;

describe.each(BULLIES)('%s', (_name, algorithm) => {
  it('informs a process that has not detected the crash', () => {
    expect(check(algorithm, options)).toMatchObject({ complete: true, termination: 'sure', violations: [] });
  });

  it('without the announcement to it violates termination, and the run can be replayed', () => {
    const secretive = withoutSends(
      algorithm,
      (ctx, port, type) => type === 'coordinator' && ctx.neighbour(port) === 1,
    );
    const { termination, violations } = check(secretive, options);
    const [{ steps, text, ...found }] = violations;
    expect({ termination, text }).toEqual({ termination: 'violated', text: 'node 3 has not decided' });
    // The process may still detect the crash, but need not: the run has ended.
    const { ended, violation } = replay(secretive, { ...found, steps, property: 'termination' });
    expect({ ended, text: violation?.text }).toEqual({ ended: true, text });
  });

  it('without the announcement of a second election is found too', () => {
    const forgetful = withoutSends(
      algorithm,
      (ctx, port, type, ...fields) =>
        type === 'coordinator' && ctx.neighbour(port) === 1 && (fields.at(-1) ?? 0) > 4,
    );
    const crash = { ids: [1, 2, 3, 4], initiators: [1], crashes: 1, stateLimit: 100_000 } as const;
    expect(check(forgetful, crash).violations).toMatchObject([{ property: 'termination' }]);
  });
});

it.each(
  [bully, bullyIds, bullyGrant, bullySuccessor, ringList, ringMax, sun, divided].map(
    (each) => [each.name, each] as const,
  ),
)(
  '%s with 3 processes: a suspicion is certain again when all that have started have crashed',
  (_name, algorithm) => {
    const found = check(algorithm, { ids: [1, 2, 3], initiators: [0], crashes: 1 });
    expect(found).toMatchObject({ complete: true, termination: 'sure', violations: [] });
  },
);

it('the result states the assumption, for an algorithm that a crash triggers', () => {
  expect(check(bully, { nodes: 2 }).failureDetection).toMatch(/some live node detects a crash/);
  expect(check(changRoberts, { nodes: 2 }).failureDetection).toBeNull();
});
