import { expect, it } from 'vitest';
import { affectedTests } from '../../scripts/changed.mjs';

it.each([
  [
    'the lease side',
    'packages/hustings/src/lease/core/lease-row.ts',
    'packages/hustings/',
    'packages/study/',
  ],
  ['the study side', 'packages/study/src/kernel/field.ts', 'packages/lab/', 'packages/hustings/'],
  ['a package at the top', 'packages/queue/src/coordinator.ts', 'packages/queue/', 'packages/cluster/'],
])('a change of %s runs its tests and those of its dependents, and no other', (_, path, runs, leaves) => {
  const filters = affectedTests([path]);
  expect(filters).toContain(runs);
  expect(filters).toContain('test/');
  expect(filters).not.toContain(leaves);
});

it('a change of the base, of the test kit or of the set-up runs everything', () => {
  expect(affectedTests(['packages/base/src/text.ts'])).toHaveLength(8);
  for (const path of ['test-kit/until.ts', 'vitest.config.ts', 'package-lock.json', 'scripts/test.mjs']) {
    expect([path, affectedTests(['README.md', path])]).toEqual([path, null]);
  }
});

it('a change of a test runs that test; of a document, the tests of documents; of nothing, none', () => {
  const path = 'packages/study/test/kernel/params.test.ts';
  expect(affectedTests([path])).toEqual([path]);
  expect(affectedTests(['docs/leases.md', 'LICENSE'])).toEqual(['test/']);
  expect(affectedTests([])).toEqual([]);
});
