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
import { announcement, counter, defineAlgorithm, id } from '../../../src/kernel/index.ts';
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

/** A process that starts announces itself when its timer fires. Terms are ids. */
const slow = defineAlgorithm({
  name: 'slow',
  title: 'Slow',
  source: 'none',
  cost: 'none',
  assumes: { network: 'complete', timing: 'asynchronous', ids: 'unique', fifo: true, faults: ['crash'] },
  trigger: 'coordinator missed',
  params: {},
  state: { term: counter(9) },
  messages: { coordinator: announcement(['id', id()]) },
  timers: ['delay'],
  laws: [],
  onStart(_state, ctx) {
    ctx.setTimer('delay', 1);
  },
  onTimer(state, _timer, ctx) {
    state.term = ctx.id;
    ctx.decide('leader', ctx.id, ctx.id);
    ctx.send(0, 'coordinator', ctx.id);
  },
  on: {
    coordinator(state, _port, { id }, ctx) {
      if (id < state.term) return;
      state.term = id;
      ctx.decide('follower', id, id);
    },
  },
});

it('a suspicion is certain again when all processes that have started have crashed', () => {
  const found = check(slow, { ids: [1, 2], initiators: [0], crashes: 1 });
  expect(found).toMatchObject({ complete: true, termination: 'sure', violations: [] });
});

it.each([ringList, ringMax, sun, divided].map((each) => [each.name, each] as const))(
  '%s with 3 processes and a crash terminates although suspicions are optional',
  (_name, algorithm) => {
    const found = check(algorithm, { ids: [1, 2, 3], initiators: [0], crashes: 1 });
    expect(found).toMatchObject({ complete: true, termination: 'sure', violations: [] });
  },
);

it('the result states the assumption, for an algorithm that a crash triggers', () => {
  expect(check(bully, { nodes: 2 }).failureDetection).toMatch(/every live initiator starts/);
  expect(check(changRoberts, { nodes: 2 }).failureDetection).toBeNull();
});
