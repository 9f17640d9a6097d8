/** Counterexamples of the checker open as runs. */
import { describe, expect, it } from 'vitest';
import { changRoberts, twins } from '../../../../study/src/algorithms/index.ts';
import { check } from '../../../../study/src/checker/index.ts';
import type { AnyAlgorithm } from '../../../../study/src/kernel/algorithm.ts';
import { foundModel } from '../../../src/model/check/found-run.ts';
import { verdictOf } from '../../../src/model/check/verdict.ts';

it('the verdict on a handler that fails is short, and its error stands in the list of properties', () => {
  const onStart = (): never => {
    throw new RangeError('what is wrong; what to do?');
  };
  const right: AnyAlgorithm = changRoberts;
  const failing: AnyAlgorithm = { ...right, name: 'failing', onStart };
  const { kind, lines, text } = verdictOf(check(failing, { nodes: 2 }));
  expect([kind, text]).toEqual(['violated', 'There is a schedule in which a handler fails.']);
  expect(lines[0]).toMatchObject({ mark: '✗', name: 'handler' });
  expect(lines[0].text).toContain('what is wrong; what to do?');
});

describe('the counterexample of a wrong twin', () => {
  for (const { algorithm, name, search } of twins) {
    it(`${name} opens as a run with the same steps`, { timeout: 60_000 }, () => {
      const result = check(algorithm, { ...search, stateLimit: 300_000 });
      const [violation] = result.violations;
      expect(violation).toBeDefined();
      expect(verdictOf(result)).toMatchObject({ kind: 'violated' });
      const { set, topology } = search;
      const model = foundModel({ algorithm: name, set, topology }, violation, violation.property, algorithm);
      expect(model.length).toBeGreaterThanOrEqual(violation.steps.length);
      model.seek(model.length);
      const { judgement, violation: seen } = model.snapshot();
      expect(seen ?? judgement.fault).toMatchObject({ property: violation.property });
    });
  }
});
