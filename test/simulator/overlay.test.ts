/** Links of an algorithm's own, with a process beyond the nodes. */
import { describe, expect, test } from 'vitest';
import { drawNetwork, spaceTimeDiagram } from '../../src/drawing/index.ts';
import { Machine, resolveSetup } from '../../src/kernel/driver.ts';
import { type AnyAlgorithm, NONE, Topology } from '../../src/kernel/index.ts';
import { Run, simulate, type TraceEvent } from '../../src/simulator/index.ts';
import { heraldElection } from './overlay-algorithm.ts';
import { linesOf } from './trial.ts';

const eight = { nodes: 8, initiators: [0] };

describe('a process at position n', () => {
  test('works with the nodes, and is not one of them', () => {
    const outcome = simulate(heraldElection, eight);
    expect(outcome.n).toBe(8);
    expect(outcome.valid).toEqual({ termination: true, uniqueness: true, agreement: true });
    expect(outcome.leader?.id).toBe(8);
    expect(outcome.messages).toMatchObject({ election: 1 + 2 + 8 + 2, announcement: 2 + 8 });
  });

  test('never initiates: all are the n nodes', () => {
    const run = new Run(heraldElection, { nodes: 8, set: { u: 8 } });
    while (!run.advance());
    expect(Array.from(run.simulation.initiated())).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(() => new Run(heraldElection, { nodes: 8, initiators: [8] })).toThrow(
      'an initiator must be a position from 0 to 7, not 8',
    );
  });

  test('has no id, and cannot lead', () => {
    const setup = resolveSetup(heraldElection, { nodes: 4 });
    const { algorithm, ids, nodes: n, params, topology, diameter } = setup;
    const status = new Uint8Array(topology.n);
    const machine = new Machine(algorithm, { n, ids, params, topology, diameter, status });
    expect([n, ids.length, topology.n]).toEqual([4, 4, 5]);
    machine.context.at = 4;
    expect(machine.context.id).toBe(NONE);
    expect([machine.context.label(0), machine.context.label(1)]).toEqual(['point 0', 'point 1']);
    expect(() => machine.context.decide('leader')).toThrow('no node of the election');
    machine.context.at = 2;
    expect([machine.context.label(0), machine.context.label(2)]).toEqual(['herald', 'next']);
  });

  test('can be dead from the start: what it is sent is lost, and its sender is told', () => {
    const options = { ...eight, crash: [{ position: 8, time: 0 }] };
    const outcome = simulate(heraldElection, options);
    expect(outcome.dead).toEqual([8]);
    expect(outcome.valid).toEqual({ termination: true, uniqueness: true, agreement: true });
    expect(outcome.messages).toMatchObject({ election: 1 + 8, announcement: 8 });
    expect(outcome.time).toMatchObject({ electedAt: expect.any(Number), announcementReturnedAt: 2 + 2 * 8 });
    expect(linesOf(heraldElection, options, ['crash', 'lost', 'undelivered'])).toEqual([
      '0.000 crash 8',
      '1.000 lost 0 > 8 call (receiver dead)',
      '2.000 undelivered 0 > 8 call',
    ]);
  });

  test('can recover', () => {
    const lines = linesOf(
      heraldElection,
      { ...eight, crash: [{ position: 8, time: 0 }], recover: [{ position: 8, time: 0.5 }] },
      ['recover', 'lost'],
    );
    expect(lines).toEqual(['0.500 recover 8']);
  });

  test('fails as others do, and only positions that exist fail', () => {
    expect(() => new Run(heraldElection, { ...eight, crash: [{ position: 9, time: 0 }] })).toThrow(
      'a position in crash must be from 0 to 8, not 9',
    );
  });

  test('leaves room for sixty-four nodes in a diagram', () => {
    const events: TraceEvent[] = [];
    const run = new Run(heraldElection, {
      nodes: 64,
      initiators: [0],
      observe: (event) => events.push(event),
    });
    while (!run.advance());
    const { topology, ids } = run.plan;
    const shown = { title: 'herald', subtitle: '', topology, ids, leader: 1, announcements: ['elected'] };
    expect(spaceTimeDiagram(events, shown)).toContain('#64');
  });

  test('is drawn by its position', () => {
    const events: TraceEvent[] = [];
    const run = new Run(heraldElection, {
      nodes: 4,
      initiators: [0],
      observe: (event) => events.push(event),
    });
    while (!run.advance());
    const { topology, ids } = run.plan;
    const network = { topology, ids, initiators: run.plan.initiators, dead: [], leaders: [1] };
    expect(drawNetwork(network, { width: 80, paint: (_tone, text) => text })?.join('\n')).toContain('○ #4');
    const shown = { title: 'herald', subtitle: '', topology, ids, leader: 1, announcements: ['elected'] };
    expect(spaceTimeDiagram(events, shown)).toContain('#4');
  });
});

describe('home, on rings upon a ring', () => {
  test('is when the last announcement is back where one was sent', () => {
    for (const [nodes, u] of [
      [8, 2],
      [8, 4],
      [12, 3],
      [64, 4],
    ]) {
      // call and divide, the search of an arc, reply, word to the points, and the arcs again.
      const { time } = simulate(heraldElection, { nodes, initiators: [0], set: { u } });
      expect(time.announcementReturnedAt).toBe(2 + nodes / u + 2 + nodes / u);
    }
  });

  test('is the same whether or not somebody looks', () => {
    const options = { nodes: 12, initiators: [0], set: { u: 3 } };
    const watched = simulate(heraldElection, { ...options, observe: () => undefined });
    expect(watched).toEqual(simulate(heraldElection, options));
  });
});

describe('an overlay', () => {
  test('is laid on the network that the algorithm assumes, and no other', () => {
    expect(() => new Run(heraldElection, { nodes: 8, topology: 'star' })).toThrow(
      'herald-election assumes a ring, not star',
    );
    expect(() => new Run(heraldElection, { nodes: 8, topology: 'ring' })).not.toThrow();
  });

  test('is laid again in the same way on the network that it was laid on', () => {
    const setup = resolveSetup(heraldElection, { nodes: 8 });
    expect([setup.underlay.kind, setup.underlay.n]).toEqual(['ring', 8]);
    expect(resolveSetup(heraldElection, { ids: setup.ids, topology: setup.underlay })).toEqual(setup);
  });

  test('has a position for every node', () => {
    const whole: AnyAlgorithm = heraldElection;
    const short = { ...whole, overlay: () => Topology.ring(3) };
    expect(() => new Run(short, { nodes: 4 })).toThrow('its overlay must have at least 4 positions, not 3');
  });
});
