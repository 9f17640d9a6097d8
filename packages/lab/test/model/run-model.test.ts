import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changRoberts, itaiRodeh, peterson, registry } from '../../../study/src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/index.ts';
import type { Configuration } from '../../../study/src/kernel/world/configuration.ts';
import { isFaultStep, parseStep } from '../../../study/src/kernel/world/step.ts';
import { simulate } from '../../../study/src/simulator/index.ts';
import type { RecordOptions } from '../../src/model/run/recorded-run.ts';
import { RunModel } from '../../src/model/run/run-model.ts';

const modelOf = (algorithm: AnyAlgorithm, options: RecordOptions = {}): RunModel =>
  RunModel.of(algorithm, { nodes: 5, seed: 3, ...options });

/** All that a page shows of the nodes and the messages at the cursor. */
const shown = (model: RunModel) => {
  const { messages, nodes } = model.snapshot();
  return structuredClone({ nodes, messages });
};

describe.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, algorithm) => {
  const model = modelOf(algorithm);

  it('is recorded to its end, with the counts and the leader of the simulator', () => {
    const outcome = simulate(algorithm, { nodes: 5, seed: 3 });
    expect(model.missing).toBeNull();
    model.seek(model.length);
    expect(model.trace().sentBefore(model.length)).toEqual(outcome.messages.byType);
    expect(model.snapshot().judgement.leader).toBe(outcome.leader?.position ?? null);
  });

  it('has the same state after stepping back to the start and forward again, field by field', () => {
    model.seek(0);
    const positions = [...Array(model.length + 1).keys()].filter((k) => k % 7 === 0 || k === model.length);
    const forward = positions.map((position) => {
      model.seek(position);
      return shown(model);
    });
    while (model.back()) {
      const at = positions.indexOf(model.position);
      if (at >= 0) expect(shown(model)).toEqual(forward[at]);
    }
    while (model.forward()) {
      const at = positions.indexOf(model.position);
      if (at >= 0) expect(shown(model)).toEqual(forward[at]);
    }
    expect(model.position).toBe(model.length);
  });

  it('offers the step of the schedule among those that can happen next', () => {
    for (const position of [0, Math.floor(model.length / 3), Math.floor(model.length / 2)]) {
      model.seek(position);
      const scheduled = model.enabled().filter(({ isScheduled }) => isScheduled);
      expect(scheduled).toHaveLength(1);
      expect(scheduled[0].text).not.toBe('');
    }
  });
});

describe('a choice of the reader', () => {
  it('forks the run and keeps both branches', () => {
    const model = modelOf(changRoberts);
    model.seek(7);
    const recorded = [...model.steps];
    const other = model.enabled().find(({ isScheduled }) => !isScheduled);
    if (other === undefined) throw new Error('there is no other step');
    model.take(other.step);
    expect(model.branches).toHaveLength(2);
    expect(model.branch.forkAt).toBe(7);
    expect(model.position).toBe(8);
    const chosen = shown(model);
    model.switchTo(0, 8);
    expect(model.steps).toEqual(recorded);
    expect(shown(model)).not.toEqual(chosen);
    model.switchTo(1);
    expect(shown(model)).toEqual(chosen);
  });

  it('makes no branch if it is the choice of the schedule, or a choice that was made before', () => {
    const model = modelOf(changRoberts);
    model.seek(7);
    const enabled = model.enabled();
    for (const { step } of [...enabled, ...enabled]) {
      model.switchTo(0, 7);
      model.take(step);
    }
    expect(model.branches).toHaveLength(enabled.length);
  });

  it('continues its own branch at the end, without another fork', () => {
    const model = modelOf(changRoberts, { schedule: 'random' });
    model.seek(5);
    for (let k = 0; k < 6; k++) {
      const { step } = model.enabled().at(-1) as { step: (typeof model.steps)[number]['step'] };
      model.take(step);
    }
    expect(model.branches.length).toBeLessThanOrEqual(2);
  });

  it('is continued by the schedule to the end of an election', () => {
    const model = modelOf(changRoberts);
    model.seek(6);
    model.take(model.enabled().at(-1)?.step as never);
    expect(model.extend()).toBeGreaterThan(0);
    model.seek(model.length);
    expect(model.snapshot()).toMatchObject({ isOver: true, violation: null });
    expect(model.snapshot().judgement.fault).toBeNull();
    expect(model.ids?.[model.snapshot().judgement.leader as number]).toBe(5);
  });

  it('replaces what the schedule would have done after it, unless the reader has seen that', () => {
    const model = modelOf(changRoberts);
    model.seek(6);
    model.crash(0);
    model.extend();
    model.take(model.enabled().at(-1)?.step as never);
    expect(model.branches).toHaveLength(2);
    model.extend();
    model.seek(model.length);
    model.seek(8);
    model.crash(1);
    expect(model.branches).toHaveLength(3);
  });

  it('can be undone and done again', () => {
    const model = modelOf(changRoberts);
    model.seek(6);
    const before = shown(model);
    model.crash(2);
    model.crash(3);
    const after = shown(model);
    expect(model.undo()).toBe(true);
    expect(model.undo()).toBe(true);
    expect(model.undo()).toBe(false);
    expect(model.branches).toHaveLength(1);
    expect(shown(model)).toEqual(before);
    expect(model.redo()).toBe(true);
    expect(model.redo()).toBe(true);
    expect(model.redo()).toBe(false);
    expect(shown(model)).toEqual(after);
  });

  it('that the world does not allow is refused, and changes nothing', () => {
    const model = modelOf(changRoberts);
    model.seek(6);
    const before = shown(model);
    expect(() => model.recover(2)).toThrow(/^this cannot happen at this step: id \d recovers$/);
    expect(model.branches).toHaveLength(1);
    expect(shown(model)).toEqual(before);
  });
});

it('the random draws of a step do not depend on what was looked at before', () => {
  const endOf = (looks: boolean): unknown => {
    const model = modelOf(itaiRodeh);
    for (let k = 0; k < 3; k++) {
      if (looks) model.enabled();
      model.take({ type: 'start', node: 4 - k });
    }
    model.extend();
    model.seek(model.length);
    return shown(model);
  };
  expect(endOf(true)).toEqual(endOf(false));
});

describe('faults', () => {
  it('a crashed node loses what reaches it', () => {
    const model = modelOf(changRoberts, { ids: [1, 2, 3, 4, 5] });
    model.seek(5);
    model.crash(1);
    const lost = model.enabled().find(({ step }) => 'to' in step && step.to === 1);
    expect(lost).toMatchObject({ effect: 'lost: id 2 has crashed', kind: 'lost' });
    expect(model.snapshot().nodes[1]).toMatchObject({ isDead: true, role: 'asleep' });
  });

  it('a message can be lost and duplicated', () => {
    const model = modelOf(changRoberts);
    model.seek(5);
    const [first] = model.snapshot().messages;
    model.duplicate(first);
    expect(model.snapshot().messages).toHaveLength(6);
    model.lose(model.snapshot().messages[0]);
    expect(model.snapshot().messages).toHaveLength(5);
  });

  it('a link that is cut loses every message until it is repaired', () => {
    const model = modelOf(changRoberts, { ids: [5, 1, 2, 3, 4] });
    model.seek(5);
    model.cut(0, 1);
    expect([...model.snapshot().cutLinks]).toEqual(['0-1']);
    model.extend();
    model.seek(model.length);
    expect(model.snapshot().judgement.fault?.property).toBe('termination');
    const overCut = model.steps.filter(({ step }) => step.type === 'lose');
    expect(overCut.length).toBeGreaterThan(0);
    expect(overCut.every(({ step }) => 'from' in step && step.from === 0 && step.to === 1)).toBe(true);
    model.undo();
    expect(model.snapshot().cutLinks.size).toBe(0);
    model.cut(0, 1);
    model.repair(0, 1);
    model.extend();
    model.seek(model.length);
    expect(model.snapshot().judgement.fault).toBeNull();
  });
});

it('Peterson without FIFO links is broken by choosing the schedule', () => {
  const ids = [4, 3, 2, 1];
  const model = RunModel.of(peterson, { ids, schedule: 'random:nofifo', despite: ['fifo'] });
  const chosen = [
    ...['start 3', 'start 0', 'deliver 3 > 0 id id=1', 'start 1'],
    ...['deliver 0 > 1 id id=4', 'deliver 0 > 1 id id=4', 'start 2', 'deliver 1 > 2 id id=3'],
    ...['deliver 1 > 2 id id=4', 'deliver 1 > 2 id id=4', 'deliver 2 > 3 id id=3', 'deliver 2 > 3 id id=2'],
    ...['deliver 2 > 3 id id=4', 'deliver 3 > 0 id id=3', 'deliver 3 > 0 id id=3', 'deliver 3 > 0 id id=4'],
  ];
  for (const text of chosen) model.take(parseStep(text));
  expect(model.snapshot().violation).toBeNull();
  model.take(parseStep('deliver 0 > 1 id id=3'));
  expect(model.snapshot().violation).toEqual({
    property: 'uniqueness',
    text: 'node 1 became the leader of term 0, which node 0 has led already',
  });
  expect(model.branches).toHaveLength(2);
  const onFifoLinks = RunModel.of(peterson, { ids });
  for (const text of chosen.slice(0, 10)) onFifoLinks.take(parseStep(text));
  expect(() => onFifoLinks.take(parseStep(chosen[10]))).toThrow('this cannot happen at this step');
});

describe('random interventions', () => {
  it('never give a configuration that the world would not reach by the same steps', () => {
    const act = fc.record({ kind: fc.nat(9), choice: fc.nat(), place: fc.nat() });
    const algorithms = fc.constantFrom(...registry);
    const setups = fc.record({ seed: fc.nat(99), nodes: fc.integer({ min: 2, max: 5 }) });
    fc.assert(
      fc.property(algorithms, setups, fc.array(act, { maxLength: 25 }), (algorithm, options, acts) => {
        const model = RunModel.of(algorithm, options);
        const first = model.world.save();
        for (const { choice, kind, place } of acts) {
          if (kind < 3) model.seek(place % (model.length + 1));
          else if (kind === 3) model.switchTo(model.branches[choice % model.branches.length].id);
          else if (kind === 4) model.undo();
          else if (kind === 5) model.redo();
          else if (kind === 6) model.extend(20);
          else {
            const enabled = model.enabled({ faults: true, most: 0 });
            if (enabled.length > 0) model.take(enabled[choice % enabled.length].step);
          }
        }
        const { position, steps, world } = model;
        const reached = world.save();
        expect(replay(model, first, position)).toEqual(reached);
        world.load(reached);
        expect(steps.slice(0, position).every(({ by, step }) => by === 'you' || !isFaultStep(step))).toBe(
          true,
        );
      }),
      { numRuns: 60, seed: 4 },
    );
  });
});

function replay(model: RunModel, first: Configuration, position: number): Configuration {
  model.world.load(first);
  for (const { step } of model.steps.slice(0, position)) model.world.apply(step);
  return model.world.save();
}
