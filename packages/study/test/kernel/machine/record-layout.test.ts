import { setFlagsFromString } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { counter, id, MAX_WORD, NONE, ProtocolError } from '../../../src/kernel/index.ts';
import { ListTable } from '../../../src/kernel/machine/list-table.ts';
import { RecordLayout, viewOf } from '../../../src/kernel/machine/record-layout.ts';
import { machineFor, sampleAlgorithm } from '../sample-algorithm.ts';

/** A view of the middle of three nodes, whose ids are 4, 9 and 2. */
function middle(): Record<string, unknown> {
  return machineFor(sampleAlgorithm, [4, 9, 2]).views()[1];
}

const FRESH = {
  best: NONE,
  kept: NONE,
  count: 0,
  sure: true,
  phase: 'asleep',
  parent: NONE,
  seen: [],
  log: [],
};

describe('a view', () => {
  test('starts with the declared values, in the declared order', () => {
    expect({ ...middle() }).toEqual(FRESH);
    expect(Object.keys(middle())).toEqual(Object.keys(FRESH));
  });

  test('returns the values that were written, and changes no other node', () => {
    const views = machineFor(sampleAlgorithm, [4, 9, 2]).views();
    const written = {
      best: 9,
      kept: 0,
      count: 10,
      sure: false,
      phase: 'done',
      parent: 1,
      seen: [4, 9],
      log: [2],
    };
    Object.assign(views[1], written);
    expect({ ...views[1] }).toEqual(written);
    expect({ ...views[0] }).toEqual(FRESH);
    expect({ ...views[2] }).toEqual(FRESH);
  });

  test('copies a list that is assigned, and supports push on its own list', () => {
    const view = middle();
    const given = [4];
    view.seen = given;
    given.push(9);
    (view.seen as number[]).push(2);
    view.log = view.seen;
    (view.log as number[]).push(9);
    expect([view.seen, view.log]).toEqual([
      [4, 2],
      [4, 2, 9],
    ]);
  });

  test.each([
    ['best', 10, "'best' takes a whole number from -1 to 9, not 10"],
    ['best', -2, "'best' takes a whole number from -1 to 9, not -2"],
    ['best', 1.5, "'best' takes a whole number from -1 to 9, not 1.5"],
    ['best', Number.NaN, "'best' takes a whole number from -1 to 9, not NaN"],
    ['best', '4', "'best' takes a whole number from -1 to 9, not '4'"],
    ['best', undefined, "'best' takes a whole number from -1 to 9, not undefined"],
    ['count', 11, "'count' takes a whole number from 0 to 10, not 11"],
    ['count', NONE, "'count' takes a whole number from 0 to 10, not -1"],
    ['count', 2 ** 32, "'count' takes a whole number from 0 to 10, not 4294967296"],
    ['sure', 1, "'sure' takes true or false, not 1"],
    ['phase', 'dead', "'phase' takes one of asleep, awake, done, not 'dead'"],
    ['phase', 0, "'phase' takes one of asleep, awake, done, not 0"],
    ['parent', MAX_WORD + 1, "'parent' takes a whole number from -1 to 2147483647, not 2147483648"],
    ['seen', [1, 2, 3, 4], "'seen' takes a list of at most 3 ids up to 9, not [1,2,3,4]"],
    ['seen', [1.5], "'seen' takes a list of at most 3 ids up to 9, not [1.5]"],
    ['seen', 'abc', "'seen' takes a list of at most 3 ids up to 9, not 'abc'"],
  ])('refuses %s = %j, and names the field', (field, value, text) => {
    const view = middle();
    expect(() => {
      view[field] = value;
    }).toThrow(new ProtocolError(text));
    expect({ ...view }).toEqual(FRESH);
  });
});

describe('a node', () => {
  test('has only its durable state after a crash', () => {
    const machine = machineFor(sampleAlgorithm, [4, 9, 2]);
    const [, view] = machine.views();
    Object.assign(view, { best: 4, kept: 4, count: 3, sure: false, phase: 'awake', seen: [2], log: [2, 4] });
    machine.crash(1);
    expect({ ...view }).toEqual({ ...FRESH, kept: 4, log: [2, 4] });
  });

  test('is restored from a saved state, including lists and decision', () => {
    const machine = machineFor(sampleAlgorithm, [4, 9, 2]);
    const [, view] = machine.views();
    machine.start(1);
    Object.assign(view, { best: 4, count: 3, sure: false, phase: 'awake', seen: [2, 4], log: [9] });
    machine.decisions.record(1, 2, 9, 5, 0);
    const before = { ...view, seen: [2, 4], log: [9] };
    const saved = machine.save(1);
    machine.crash(1);
    machine.load(1, saved);
    expect({ ...view }).toEqual(before);
    expect(machine.decisions.describe(1)).toBe('a follower of 9 of term 5');
    expect(machine.save(1)).toEqual(saved);
    (view.seen as number[]).push(9);
    expect(machine.save(1)).not.toEqual(saved);
  });

  test('that lost its decision is saved like one that never decided', () => {
    const machine = machineFor(sampleAlgorithm, [4, 9, 2]);
    const fresh = machine.save(1).slice(1);
    machine.decisions.record(1, 2, 9, 5, 0);
    machine.crash(1);
    expect(machine.save(1).slice(1)).toEqual(fresh);
  });

  test('knows from a loaded state that it initiated, whatever other states were run', () => {
    let asked: boolean[] = [];
    const machine = machineFor(
      { ...sampleAlgorithm, on: { ...sampleAlgorithm.on, empty: ask } } as never,
      [1, 2],
    );
    function ask(_state: unknown, _port: unknown, _message: unknown, ctx: { initiator: boolean }): undefined {
      asked.push(ctx.initiator);
    }
    const fresh = [0, 1].map((at) => machine.save(at));
    const toZero = new Int32Array(machine.codec.width);
    for (const started of [[0], [1], [0, 1]]) {
      asked = [];
      fresh.forEach((record, at) => {
        machine.load(at, record);
      });
      for (const at of started) machine.start(at);
      machine.receive(toZero, 0);
      expect(asked).toEqual([started.includes(0)]);
    }
  });
});

describe('views of two layouts with the same names', () => {
  test('are both fast: neither is a dictionary', () => {
    setFlagsFromString('--allow-natives-syntax');
    const isFast = new Function('object', 'return %HasFastProperties(object)') as (object: object) => boolean;
    const cursor = () => ({
      words: new Int32Array(2),
      base: 0,
      limits: new Int32Array(4),
      lists: new ListTable(),
    });
    const views = [1, 2, 3].map((most) => {
      const layout = new RecordLayout([
        ['term', counter(most)],
        ['leader', id()],
      ]);
      return viewOf(layout, cursor());
    });
    expect(views.map(isFast)).toEqual([true, true, true]);
  });
});
