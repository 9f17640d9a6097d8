import { describe, expect, it } from 'vitest';
import { changRoberts, dolevKlaweRodeh } from '../../../src/algorithms/index.ts';
import { type AnyAlgorithm, defineAlgorithm, ids, message } from '../../../src/kernel/index.ts';
import { Run, simulate } from '../../../src/simulator/index.ts';

describe('the announcement', () => {
  it('has not returned if it was lost', () => {
    const options = { nodes: 8, despite: ['loss'], loss: 0.05 };
    const homes = [1, 2, 3, 4, 5, 6].map((seed) => {
      let last = '';
      const { time, messages } = simulate(changRoberts, {
        ...options,
        seed,
        observe: (event) => {
          if (event.type === 'lost' && event.message.type === 'elected') last = 'lost';
        },
      });
      return [time.announcementReturnedAt === null, last === 'lost' || messages.announcement === 0];
    });
    for (const [isNull, isLost] of homes) expect(isNull).toBe(isLost);
    expect(new Set(homes.map(String)).size).toBe(2);
  });

  it('has not returned if the run was cut before', () => {
    for (const observe of [undefined, () => {}]) {
      const options = { nodes: 8, until: 12, despite: ['termination'], observe };
      expect(simulate(changRoberts, options).time.announcementReturnedAt).toBe(null);
    }
  });

  it('has returned when it reaches its sender, even if another node leads', () => {
    const run = simulate(dolevKlaweRodeh, { nodes: 8, order: 'ascending' });
    expect(run.time.announcementReturnedAt).toBe(2 * 8 + 2);
  });
});

describe('a run that has ended', () => {
  it('does not change however often it is advanced', () => {
    const run = new Run(changRoberts, { nodes: 4, until: 3, despite: ['termination'] });
    while (!run.advance());
    const before = run.outcome();
    expect(run.advance()).toBe(true);
    expect(run.outcome()).toEqual(before);
  });
});

describe('the replay command of a run', () => {
  it('contains all ids, and quotes characters that a shell would interpret', () => {
    const many = Array.from({ length: 300 }, (_, at) => 300 - at);
    expect(new Run(changRoberts, { ids: many }).plan.replay).toContain(`--ids ${many.join(',')} `);
    const named = new Run(changRoberts, {
      nodes: 2,
      schedule: { pick: () => 0, name: 'file:my runs/a.txt' },
    });
    expect(named.plan.replay).toContain("--schedule 'file:my runs/a.txt'");
  });
});

describe('a handler', () => {
  const listing = (changes: object): AnyAlgorithm =>
    defineAlgorithm({
      name: 'listing',
      title: 'Listing',
      source: 'none',
      cost: 'n',
      assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
      params: {},
      state: {},
      messages: { list: message(['all', ids()]) },
      laws: [],
      onStart(_state, ctx) {
        ctx.send(1, 'list', [ctx.id]);
      },
      on: {
        list(_state, _port, { all }) {
          (all as number[]).push(7);
        },
      },
      ...changes,
    });

  it('cannot change the list of a message', () => {
    expect(() => simulate(listing({}), { nodes: 2 })).toThrow(/object is not extensible/);
  });

  it.each([{ observe: undefined }, { observe: () => {} }])('that is async is refused at once', (options) => {
    const late = listing({ onStart: async () => {} });
    expect(() => simulate(late, { nodes: 2, ...options })).toThrow(/onStart must return nothing/);
  });
});
