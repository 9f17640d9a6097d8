import { expect, it } from 'vitest';
import { unexportedTypes } from '../../../scripts/reference/signatures.mjs';
import { ROOT } from '../source-file.ts';
import { readManifest } from './manifest.ts';

const LIMIT_MS = 120_000;

it(
  'some door exports each type that a signature of a door mentions, or the type is internal',
  () => {
    const { name, exports } = readManifest();
    const doors = Object.entries(exports).map(([path, { types }]): [string, string] => [
      name + path.slice(1),
      types,
    ]);
    expect(unexportedTypes(ROOT, doors)).toEqual([]);
  },
  LIMIT_MS,
);
