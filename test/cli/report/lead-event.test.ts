import { expect, it } from 'vitest';
import { wrapperJson, wrapperLine } from '../../../src/cli/report/lead-event.ts';

it('a lease that is kept for a successor is not said to be held by it', () => {
  const kept = { kind: 'waiting', holder: null, successor: 'b' } as const;
  expect(wrapperLine('tea', kept)).toBe("hustings: 'tea': waiting: kept for 'b'");
  expect(wrapperLine('tea', { ...kept, holder: 'a', successor: null })).toBe(
    "hustings: 'tea': waiting: held by 'a'",
  );
  expect(JSON.parse(wrapperJson('tea', kept, 0))).toMatchObject({ holder: null, successor: 'b' });
});
