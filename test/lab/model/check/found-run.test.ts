/** Counterexamples of the checker open as runs. */
import { describe, expect, it } from 'vitest';
import { twins } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { foundModel } from '../../../../src/lab/model/check/found-run.ts';
import { verdictOf } from '../../../../src/lab/model/check/verdict.ts';

describe('the counterexample of a wrong twin', () => {
  for (const { algorithm, name, search } of twins) {
    it(`${name} opens as a run with the same steps`, { timeout: 60_000 }, () => {
      const result = check(algorithm, { ...search, stateLimit: 300_000 });
      const [violation] = result.violations;
      expect(violation).toBeDefined();
      expect(verdictOf(result)).toMatchObject({ kind: 'violated' });
      const { set, topology } = search;
      const model = foundModel({ algorithm: name, set, topology }, violation, violation.property);
      expect(model.length).toBeGreaterThanOrEqual(violation.steps.length);
      model.seek(model.length);
      const { judgement, violation: seen } = model.snapshot();
      expect(seen ?? judgement.fault).toMatchObject({ property: violation.property });
    });
  }
});
