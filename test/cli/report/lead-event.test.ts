import { expect, it } from 'vitest';
import { wrapperJson, wrapperLine } from '../../../src/cli/report/lead-event.ts';

it('a lease that is kept for an heir is not said to be held by it', () => {
  const kept = { kind: 'waiting', holder: null, heir: 'b' } as const;
  expect(wrapperLine('tea', kept)).toBe("hustings: 'tea': waiting: kept for 'b'");
  expect(wrapperLine('tea', { ...kept, holder: 'a', heir: null })).toBe(
    "hustings: 'tea': waiting: held by 'a'",
  );
  expect(JSON.parse(wrapperJson('tea', kept, 0))).toMatchObject({ holder: null, heir: 'b' });
});
