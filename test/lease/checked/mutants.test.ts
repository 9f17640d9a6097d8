import { describe, expect, it } from 'vitest';
import { searchSystem } from '../../../src/checker/index.ts';
import { LeaseSystem } from './lease-system.ts';
import { MUTANTS } from './mutants.ts';

describe('a fault that is planted into the core, the store or the fence', () => {
  for (const { name, property, setting, planted } of MUTANTS) {
    it(`${name}: caught by ${property}`, () => {
      const { violation, states } = searchSystem(new LeaseSystem({ ...setting, ...planted }));
      expect(violation?.property).toBe(property);
      console.log(name, states, violation?.text, '\n  ' + violation?.steps.join('\n  '));
    });
  }
});
