import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bully, changRoberts, raft, registry } from '../../../study/src/algorithms/index.ts';
import { timelineOf } from '../../../study/src/drawing/index.ts';
import { Run, type TraceEvent } from '../../../study/src/simulator/index.ts';
import { placeOf, restorePlace } from '../../src/model/run/branch-link.ts';
import { countersOf } from '../../src/model/run/counters.ts';
import { nodesTable } from '../../src/model/run/node-table.ts';
import { RunModel } from '../../src/model/run/run-model.ts';
import { narrate } from '../../src/model/run/run-narration.ts';

const ids = [3, 4, 6, 5, 7, 2, 1, 8];

describe('the events of a recorded run', () => {
  it.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))(
    '%s: are those of the simulator, so the diagrams are equal',
    (_, algorithm) => {
      const simulated: TraceEvent[] = [];
      const run = new Run(algorithm, {
        nodes: 5,
        seed: 2,
        states: true,
        observe: (event) => simulated.push(event),
      });
      while (!run.advance());
      const model = RunModel.of(algorithm, { nodes: 5, seed: 2 });
      const options = { topology: run.plan.topology, announcements: [] };
      const drawn = [simulated, model.events('units')].map((events) => {
        const { lifelines, marks, transfers } = timelineOf(events, options);
        const sorted = (texts: string[]): string[] => texts.sort();
        return {
          lifelines,
          marks: sorted(marks.map(({ kind, node, time, text }) => `${kind} ${node} ${time} ${text}`)),
          transfers: sorted(
            transfers.map(
              ({ ended, fate, from, isSwallowed, sent, to }) =>
                `${from} ${to} ${sent} ${ended} ${fate} ${isSwallowed}`,
            ),
          ),
        };
      });
      expect(drawn[1]).toEqual(drawn[0]);
    },
  );

  it('are at steps on the other axis, the starts before the first step at 0', () => {
    const model = RunModel.of(changRoberts, { ids, schedule: 'random' });
    const trace = model.trace();
    expect(trace.at('steps', 8)).toBe(0);
    expect(trace.at('steps', 9)).toBe(1);
    expect(trace.positionAt('steps', 1)).toBe(9);
    expect(trace.positionAt('steps', 0.5)).toBe(8);
    const events = trace.events('steps');
    expect(trace.positionOfEvent(trace.eventsBefore(9))).toBe(10);
    expect(events[trace.eventsBefore(8)]).toMatchObject({ type: 'deliver', time: 1 });
  });
});

describe('counters', () => {
  it('stand beside the laws: a bound holds on the way, an exact value at the end', () => {
    const model = RunModel.of(changRoberts, { ids });
    model.seek(12);
    const [election, announcement] = countersOf(model);
    expect(election).toMatchObject({ name: 'election messages', count: model.trace().sentBefore(12).token });
    expect(election.laws.find(({ kind }) => kind === 'bound')).toMatchObject({ value: 36, state: 'holds' });
    expect(announcement.laws).toMatchObject([{ kind: 'exact', value: 8, state: 'open' }]);
    model.seek(model.length);
    expect(countersOf(model)[1]).toMatchObject({ count: 8, laws: [{ state: 'holds' }] });
    expect(
      countersOf(model)
        .flatMap(({ laws }) => laws)
        .filter(({ state }) => state === 'fails'),
    ).toEqual([]);
  });

  it('say that a law does not apply where the reader broke its condition', () => {
    const model = RunModel.of(changRoberts, { ids });
    const before = countersOf(model)
      .flatMap(({ laws }) => laws)
      .filter(({ state }) => state === 'inapplicable').length;
    model.seek(9);
    model.crash(0);
    const after = countersOf(model)
      .flatMap(({ laws }) => laws)
      .filter(({ state }) => state === 'inapplicable').length;
    expect(after).toBeGreaterThan(before);
  });
});

describe('narration', () => {
  it('tells what a step did, with the ids that were compared', () => {
    const model = RunModel.of(changRoberts, { ids: [2, 1, 3], schedule: 'random', seed: 2 });
    const told = [...Array(model.length + 1).keys()].map((position) => {
      model.seek(position);
      return narrate(model);
    });
    expect(told).toMatchInlineSnapshot(`
      [
        "Nothing has happened yet. All nodes will start.",
        "Id 2 starts: it sends token 2 to id 1.",
        "Id 1 starts: it sends token 1 to id 3.",
        "Id 3 starts: it sends token 3 to id 2.",
        "Token 3 reaches id 2 and goes on: 3 > 2.",
        "Token 1 reaches id 3 and ends there: 1 < 3.",
        "Token 2 reaches id 1 and goes on: 2 > 1.",
        "Token 3 reaches id 1 and goes on: 3 > 1.",
        "Token 2 reaches id 3 and ends there: 2 < 3.",
        "Token 3 reaches id 3: it becomes the leader and sends elected 3 to id 2.",
        "Elected 3 reaches id 2: it follows id 3 and sends elected 3 to id 1.",
        "Elected 3 reaches id 1: it follows id 3 and sends elected 3 to id 3.",
        "Elected 3 reaches id 3 and ends there: 3 = 3. The election is over: id 3 leads, and all others follow. It took 9 messages.",
      ]
    `);
  });

  it('tells faults, with the message that they hit', () => {
    const model = RunModel.of(changRoberts, { ids: [2, 1, 3] });
    model.seek(3);
    model.duplicate(model.snapshot().messages[0]);
    expect(narrate(model)).toBe('Token 2 to id 1 is duplicated.');
    model.lose(model.snapshot().messages[0]);
    expect(narrate(model)).toBe('Token 2 to id 1 is lost.');
  });

  it('tells the steps of an instant together', () => {
    const model = RunModel.of(changRoberts, { ids });
    model.seek(model.instantEnd(8));
    expect(narrate(model, 8)).toMatchInlineSnapshot(`"8 messages arrive, 4 go on, 4 end there."`);
  });

  it('has a sentence for every step of every algorithm, and no step that is undefined', () => {
    for (const algorithm of registry) {
      const model = RunModel.of(algorithm, { nodes: 5, seed: 1 });
      do expect(narrate(model)).toMatch(/^[A-Z0-9⟨](?!.*undefined).*\.$/);
      while (model.forward() && model.position < 60);
    }
  });
});

describe('causality', () => {
  it('leads from a message back to the start of its token', () => {
    const model = RunModel.of(changRoberts, { ids, schedule: 'random', seed: 49 });
    model.seek(Math.floor(model.length / 2));
    const trace = model.trace();
    const causality = trace.causality();
    const events = trace.events('steps');
    for (const message of model.snapshot().messages) {
      const send = trace.sendEvent(message) as number;
      expect(events[send]).toMatchObject({ type: 'send', node: message.from, to: message.to });
      const path = [...causality.sendsBefore(send), send].map((index) => events[index]);
      expect(path.every((event) => event.type === 'send' && event.message.id === message.message.id)).toBe(
        true,
      );
      expect(ids[path[0].node]).toBe(message.message.id);
      for (const later of causality.sendsAfter(send)) expect(causality.sendsBefore(later)).toContain(send);
      expect(trace.endPosition(message, model.position)).toBeGreaterThan(model.position);
    }
  });
});

describe('the table twin of the network', () => {
  it('has a row per node with its declared state and its timers', () => {
    const model = RunModel.of(bully, { nodes: 5, seed: 1 });
    model.seek(Math.floor(model.length / 2));
    const { columns, rows } = nodesTable(model);
    expect(columns).toEqual([
      'position',
      'id',
      'role',
      'decision',
      ...Object.keys(bully.state),
      'timer patience',
    ]);
    expect(rows.map((row) => row.length)).toEqual(Array(5).fill(columns.length));
    expect(rows.filter((row) => row[2] === 'crashed')).toHaveLength(1);
  });
});

describe('cursor and branches in a link', () => {
  const act = fc.record({ kind: fc.nat(8), choice: fc.nat(), place: fc.nat() });

  it('give the same branches and the same cursor', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(changRoberts, raft, bully, registry[9]),
        fc.constantFrom('lockstep' as const, 'random' as const),
        fc.array(act, { maxLength: 20 }),
        (algorithm, schedule, acts) => {
          const options = { nodes: 4, seed: 5, despite: ['timing'], schedule };
          const model = RunModel.of(algorithm, options);
          for (const { choice, kind, place } of acts) {
            if (kind < 2) model.seek(place % (model.length + 1));
            else if (kind === 2) model.switchTo(model.branches[choice % model.branches.length].id);
            else if (kind === 3) model.extend(5);
            else if (kind === 4) model.cut(place % 4, choice % 4);
            else if (kind === 5) model.undo();
            else {
              const enabled = model.enabled({ faults: true, most: 0 });
              if (enabled.length > 0) model.take(enabled[choice % enabled.length].step);
            }
          }
          const place = placeOf(model);
          const copy = RunModel.of(algorithm, options);
          expect(restorePlace(copy, place)).toBeNull();
          expect(placeOf(copy)).toEqual(place);
          expect(copy.world.save()).toEqual(model.world.save());
          expect(copy.branches.map(({ visited }) => visited)).toEqual(
            model.branches.map(({ visited }) => visited),
          );
        },
      ),
      { numRuns: 80, seed: 3 },
    );
  });

  it.each(['1.2.0', 'x', '0.5.', '0.5.99', '0.999.0', '0.5.0x99999999'])(
    'that do not fit are reported, and the run is shown: %s',
    (br) => {
      const model = RunModel.of(changRoberts, { ids });
      expect(restorePlace(model, { t: '7', br })).toMatch(/^Branch 1 of the link does not fit this run/);
      expect(model.position).toBe(7);
    },
  );
});
