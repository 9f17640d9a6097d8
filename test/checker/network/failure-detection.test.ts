import { describe, expect, it } from 'vitest';
import { bullyIds } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import { withoutSends } from './dropped-sends.ts';

/** The winner is announced to the processes that answered, and not to those with smaller ids. */
const secretive = withoutSends(
  bullyIds,
  (ctx, port, type) => type === 'coordinator' && ctx.neighbour(port) < ctx.id,
);

describe('a process that a bully does not inform', () => {
  const options = { ids: [2, 3, 4, 1], initiators: [0] } as const;

  it('is found: another process has detected the crash, so it need not', () => {
    const { violations } = check(secretive, options);
    expect(violations).toMatchObject([{ property: 'termination' }]);
  });

  it('is informed by the right algorithm', () => {
    expect(check(bullyIds, options)).toMatchObject({ complete: true, violations: [] });
  });
});
