/** Overlays: links that an algorithm adds, to helpers beyond the nodes. */
import { describe, expect, test } from 'vitest';
import { drawNetwork, spaceTimeDiagram } from '../../src/drawing/index.ts';
import { Machine, resolveSetup } from '../../src/kernel/driver.ts';
import { type AnyAlgorithm, NONE, Topology } from '../../src/kernel/index.ts';
import { Run, simulate, type TraceEvent } from '../../src/simulator/index.ts';
import { helperElection } from './overlay-algorithm.ts';
import { linesOf } from './test-algorithm.ts';

const eight = { nodes: 8, initiators: [0] };

describe('a helper at position n', () => {
  test('works with the nodes, and is not one of them', () => {
    const outcome = simulate(helperElection, eight);
    expect(outcome.n).toBe(8);
    expect(outcome.valid).toEqual({ termination: true, uniqueness: true, agreement: true });
    expect(outcome.leader?.id).toBe(8);
    expect(outcome.messages).toMatchObject({ election: 1 + 2 + 8 + 2, announcement: 2 + 8 });
  });

  test('never initiates: `all` means the n nodes', () => {
    const run = new Run(helperElection, { nodes: 8, set: { u: 8 } });
    while (!run.advance());
    expect(Array.from(run.simulation.initiated())).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(() => new Run(helperElection, { nodes: 8, initiators: [8] })).toThrow(
      'an initiator must be a position from 0 to 7, not 8',
    );
  });

  test('has no id, and cannot lead', () => {
    const setup = resolveSetup(helperElection, { nodes: 4 });
    const { algorithm, ids, nodes: n, params, topology, diameter } = setup;
    const status = new Uint8Array(topology.n);
    const machine = new Machine(algorithm, { n, ids, params, topology, diameter, status });
    expect([n, ids.length, topology.n]).toEqual([4, 4, 5]);
    machine.context.at = 4;
    expect(machine.context.id).toBe(NONE);
    expect([machine.context.label(0), machine.context.label(1)]).toEqual(['point 0', 'point 1']);
    expect(() => machine.context.decide('leader')).toThrow('an auxiliary process cannot lead');
    machine.context.at = 2;
    expect([machine.context.label(0), machine.context.label(2)]).toEqual(['helper', 'next']);
  });

  test('can be crashed from the start: messages to it are lost, and the sender is notified', () => {
    const options = { ...eight, crash: [{ position: 8, time: 0 }] };
    const outcome = simulate(helperElection, options);
    expect(outcome.dead).toEqual([8]);
    expect(outcome.valid).toEqual({ termination: true, uniqueness: true, agreement: true });
    expect(outcome.messages).toMatchObject({ election: 1 + 8, announcement: 8 });
    expect(outcome.time).toMatchObject({ electedAt: expect.any(Number), announcementReturnedAt: 2 + 2 * 8 });
    expect(linesOf(helperElection, options, ['crash', 'lost', 'undelivered'])).toEqual([
      '0.000 crash 8',
      '1.000 lost 0 > 8 call (receiver dead)',
      '2.000 undelivered 0 > 8 call',
    ]);
  });

  test('can recover', () => {
    const lines = linesOf(
      helperElection,
      { ...eight, crash: [{ position: 8, time: 0 }], recover: [{ position: 8, time: 0.5 }] },
      ['recover', 'lost'],
    );
    expect(lines).toEqual(['0.500 recover 8']);
  });

  test('crashes like nodes do, and only existing positions can crash', () => {
    expect(() => new Run(helperElection, { ...eight, crash: [{ position: 9, time: 0 }] })).toThrow(
      'a position in crash must be from 0 to 8, not 9',
    );
  });

  test('leaves room for sixty-four nodes in a diagram', () => {
    const events: TraceEvent[] = [];
    const run = new Run(helperElection, {
      nodes: 64,
      initiators: [0],
      observe: (event) => events.push(event),
    });
    while (!run.advance());
    const { topology, ids } = run.plan;
    const shown = { title: 'helper', subtitle: '', topology, ids, leader: 1, announcements: ['elected'] };
    expect(spaceTimeDiagram(events, shown)).toContain('#64');
  });

  test('is labelled by its position', () => {
    const events: TraceEvent[] = [];
    const run = new Run(helperElection, {
      nodes: 4,
      initiators: [0],
      observe: (event) => events.push(event),
    });
    while (!run.advance());
    const { topology, ids } = run.plan;
    const network = { topology, ids, initiators: run.plan.initiators, dead: [], leaders: [1] };
    expect(drawNetwork(network, { width: 80, paint: (_tone, text) => text })?.join('\n')).toContain('○ #4');
    const shown = { title: 'helper', subtitle: '', topology, ids, leader: 1, announcements: ['elected'] };
    expect(spaceTimeDiagram(events, shown)).toContain('#4');
  });
});

describe('the return of the announcement, on nested rings', () => {
  test('is the time when the last announcement reaches a node that sent one', () => {
    for (const [nodes, u] of [
      [8, 2],
      [8, 4],
      [12, 3],
      [64, 4],
    ]) {
      // call and divide, the search of an arc, reply, the announcement to the points, and along the arcs.
      const { time } = simulate(helperElection, { nodes, initiators: [0], set: { u } });
      expect(time.announcementReturnedAt).toBe(2 + nodes / u + 2 + nodes / u);
    }
  });

  test('is the same with and without an observer', () => {
    const options = { nodes: 12, initiators: [0], set: { u: 3 } };
    const watched = simulate(helperElection, { ...options, observe: () => undefined });
    expect(watched).toEqual(simulate(helperElection, options));
  });
});

describe('an overlay', () => {
  test('is added only to the network that the algorithm assumes', () => {
    expect(() => new Run(helperElection, { nodes: 8, topology: 'star' })).toThrow(
      'helper-election assumes a ring, not star',
    );
    expect(() => new Run(helperElection, { nodes: 8, topology: 'ring' })).not.toThrow();
  });

  test('is the same when it is added to its own network again', () => {
    const setup = resolveSetup(helperElection, { nodes: 8 });
    expect([setup.underlay.kind, setup.underlay.n]).toEqual(['ring', 8]);
    expect(resolveSetup(helperElection, { ids: setup.ids, topology: setup.underlay })).toEqual(setup);
  });

  test('has a position for every node', () => {
    const whole: AnyAlgorithm = helperElection;
    const short = { ...whole, overlay: () => Topology.ring(3) };
    expect(() => new Run(short, { nodes: 4 })).toThrow('its overlay must have at least 4 positions, not 3');
  });
});
