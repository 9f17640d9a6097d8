import { expect, it } from 'vitest';
import { mergedPaths } from '../../src/page/views/merged-paths.ts';

it('paths of one style become one element, in the order of the styles', () => {
  const parts = [
    '<path d="M0 0L1 1" stroke="a"/><path d="M1 1L2 2Z" fill="a"/>',
    '<g opacity="1"><path d="M5 5L6 6" stroke="a"/></g>',
    '<path d="M7 7L8 8" stroke="b"/>',
  ];
  expect(mergedPaths(parts)).toEqual([
    '<path d="M0 0L1 1M5 5L6 6" stroke="a"/>',
    '<path d="M1 1L2 2Z" fill="a"/>',
    '<path d="M7 7L8 8" stroke="b"/>',
  ]);
});
