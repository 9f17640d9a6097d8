/** Lists are stored outside the words of records: these tests detect a list that is shared by mistake. */
import { describe, expect, test } from 'vitest';
import { id, ids, message, NONE } from '../../src/kernel/index.ts';
import { Run, type SimulateOptions } from '../../src/simulator/index.ts';
import { eventsOf, testAlgorithm } from './test-algorithm.ts';

/** A list travels around the ring and each node appends itself; the first node that sees it twice keeps it. */
const collecting = testAlgorithm({
  assumes: { network: 'one-way ring' },
  state: { kept: ids(), sent: ids() },
  messages: { list: message(['path', ids()], ['origin', id()]) },
  onStart(state, ctx) {
    state.sent.push(ctx.id);
    ctx.send(1, 'list', state.sent, ctx.id);
    state.sent.push(0); // a list that has been sent is independent of the one in the state
  },
  on: {
    list(state, _port, { path, origin }, ctx) {
      state.kept = path;
      if (origin === ctx.id) return;
      ctx.send(1, 'list', [...path, ctx.id], origin);
      state.kept.push(0);
    },
  },
});

const IDS = [4, 2, 3, 1];

function states(options: SimulateOptions): unknown[] {
  const run = new Run(collecting, { ids: IDS, ...options });
  while (!run.advance());
  return run.simulation.machine.views().map(({ kept, sent }) => ({ kept, sent }));
}

describe('a list', () => {
  test.each(['lockstep', 'random', 'random:nofifo'] as const)(
    'travels around the ring and grows, and no other node changes it: %s',
    (schedule) => {
      expect(states({ initiators: [0], schedule })).toEqual([
        { kept: [4, 2, 3, 1], sent: [4, 0] },
        { kept: [4, 0], sent: [] },
        { kept: [4, 2, 0], sent: [] },
        { kept: [4, 2, 3, 0], sent: [] },
      ]);
    },
  );

  test('is independent in each copy of a duplicated message', () => {
    const heard = eventsOf(collecting, { ids: IDS, initiators: [0], duplicate: 1 }).flatMap((event) =>
      event.type === 'deliver' ? [(event.message.path as number[]).join()] : [],
    );
    const times = (text: string) => heard.filter((each) => each === text).length;
    expect(['4', '4,2', '4,2,3', '4,2,3,1'].map(times)).toEqual([2, 4, 8, 16]);
  });

  test('is forwarded unchanged, and copied for each receiver', () => {
    const flooding = testAlgorithm({
      state: { seen: ids(), parent: id() },
      messages: { flood: message(['path', ids()]) },
      onStart(state, ctx) {
        state.parent = ctx.id;
        for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'flood', [ctx.id, ctx.id]);
      },
      on: {
        flood(state, from, { path }, ctx) {
          if (state.parent !== NONE) return;
          state.parent = ctx.neighbour(from);
          for (let port = 0; port < ctx.degree; port++) if (port !== from) ctx.forward(port);
          state.seen = path;
          state.seen.push(ctx.id);
        },
      },
    });
    const run = new Run(flooding, { nodes: 9, order: 'ascending', topology: 'grid:3x3', initiators: [4] });
    while (!run.advance());
    const seen = run.simulation.machine.views().map((view) => view.seen);
    expect(seen).toEqual([1, 2, 3, 4, null, 6, 7, 8, 9].map((own) => (own === null ? [] : [5, 5, own])));
  });

  test('of a message that was lost, delivered or undelivered frees its slot', () => {
    const run = new Run(collecting, {
      ids: IDS,
      schedule: 'random',
      loss: 0.3,
      duplicate: 0.3,
      crash: [{ position: 2, time: 3 }],
      recover: [{ position: 2, time: 4 }],
    });
    while (!run.advance());
    const { lists } = run.simulation.machine;
    const [all, free] = ['lists', 'free'].map((name) => Reflect.get(lists, name).length);
    expect(all - free).toBe(2 * IDS.length); // the two of each state
  });
});
