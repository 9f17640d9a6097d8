import { expect, it } from 'vitest';
import { unexportedTypes } from '../../../scripts/reference/signatures.mjs';
import { PUBLIC_DOORS } from '../../../scripts/sources.mjs';
import { ROOT } from '../source-file.ts';

const LIMIT_MS = 120_000;

it(
  'some door exports each type that a signature of a door mentions, or the type is internal',
  () => expect(unexportedTypes(ROOT, PUBLIC_DOORS)).toEqual([]),
  LIMIT_MS,
);
