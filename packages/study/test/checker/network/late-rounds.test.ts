/** Rounds of a synchronous network that do not fit one 16-bit number of a state. */
import { expect, it } from 'vitest';
import { check } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, announcement, defineAlgorithm, id, message } from '../../../src/kernel/index.ts';
import { simulate } from '../../../src/simulator/index.ts';

const about = { title: 'Late', source: 'none', cost: 'none', params: {}, laws: [], state: {} };
const assumes = {
  network: 'one-way ring',
  timing: 'synchronous',
  ids: 'unique',
  fifo: true,
  knows: ['time'],
} as const;

/** A token circulates, and elects in round 70,001. */
const lateElection: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'late-election',
  assumes,
  messages: { token: message(), elected: announcement(['id', id()]) },
  onStart(_state, ctx) {
    if (ctx.id === 1) ctx.send(1, 'token');
  },
  on: {
    token(_state, _port, _message, ctx) {
      if (ctx.now < 70_000 || ctx.id !== 2) ctx.send(1, 'token');
      else {
        ctx.decide('leader');
        ctx.send(1, 'elected', ctx.id);
      }
    },
    elected(_state, _port, { id }, ctx) {
      if (id === ctx.id) return;
      ctx.decide('follower', id);
      ctx.forward(1);
    },
  },
});

/** A token circulates forever, and after round 70,000 each receiver leads. */
const lateFault: AnyAlgorithm = defineAlgorithm({
  ...about,
  name: 'late-fault',
  assumes,
  messages: { token: message() },
  horizon: () => 80_000,
  onStart(_state, ctx) {
    if (ctx.id === 1) ctx.send(1, 'token');
  },
  on: {
    token(_state, _port, _message, ctx) {
      ctx.send(1, 'token');
      if (ctx.now > 70_000) ctx.decide('leader');
    },
  },
});

const ids = [1, 2];

it('a run may take more than 65,535 rounds', () => {
  const result = check(lateElection, { ids });
  expect(result).toMatchObject({ complete: true, violations: [], termination: 'sure', terminal: 1 });
  // The announcement returns in the last round.
  expect(result.depth).toBe(simulate(lateElection, { ids }).time.announcementReturnedAt);
});

it('a violation may come after more than 65,535 rounds', () => {
  const [violation] = check(lateFault, { ids }).violations;
  expect(violation).toMatchObject({ property: 'uniqueness', text: 'nodes 0 and 1 both lead' });
  expect(violation.steps).toHaveLength(70_002);
  expect(() => simulate(lateFault, { ids })).toThrow(/violated uniqueness at node 0 .* time 70002/);
});
