import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { indexText } from '../../scripts/generate.mjs';
import * as door from '../../src/algorithms/index.ts';

const read = (file: string): string =>
  readFileSync(new URL(`../../src/algorithms/${file}`, import.meta.url), 'utf8');
const lines = (text: string): string[] => text.split('\n').sort();

it('hustings/algorithms exports every algorithm of the registry by name: run npm run generate', () => {
  expect(lines(read('index.ts'))).toEqual(lines(indexText(read('registry.ts'))));
  expect(Object.values(door)).toEqual(expect.arrayContaining([...door.registry]));
});
