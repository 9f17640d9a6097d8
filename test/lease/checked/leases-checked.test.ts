import { describe, expect, it } from 'vitest';
import { CONFIGURATIONS } from './configurations.ts';
import { searched } from './searched.ts';

describe('the core of a candidate and the rules of the store', () => {
  for (const [name, setting] of Object.entries(CONFIGURATIONS)) {
    it(`${name}: in no state is a promise broken, and from every state a lasting leader comes`, { timeout: 300_000 }, () => {
      const { result, calm, story, ms } = searched(setting);
      expect(story).toEqual([]);
      expect(result.complete).toBe(true);
      console.log(name, result.states, result.transitions, result.depth, calm.longestMs, ms);
    });
  }
});
