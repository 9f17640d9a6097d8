import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { twins } from '../../../packages/study/src/algorithms/index.ts';
import { expectKept } from '../../../test-kit/golden/golden.ts';
import { fillRegions, regionsOf } from '../../../test-kit/golden/regions.ts';
import { MAKERS, partsWanted, pictureOf } from './why-this-line.ts';

const docs = (path: string): URL => new URL(`../../../docs/${path}`, import.meta.url);

it('docs/why-this-line.md has the reason, the line and the counterexample of every twin, once each', () => {
  const page = readFileSync(docs('why-this-line.md'), 'utf8');
  expect(regionsOf(page).sort()).toEqual([...partsWanted].sort());
  expectKept(docs('why-this-line.md'), fillRegions(page, MAKERS));
});

describe.each(twins.map((twin) => [twin.name, twin] as const))('docs/pictures/%s.svg', (name, twin) => {
  it('shows the counterexample of the page', () => {
    expectKept(docs(`pictures/${name}.svg`), pictureOf(twin));
  });
});
