import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { twins } from '../../../src/algorithms/index.ts';
import { expectKept } from '../../golden/golden.ts';
import { fillIn, partsOf, partsWanted, pictureOf } from './why-this-line.ts';

const docs = (path: string): URL => new URL(`../../../docs/${path}`, import.meta.url);

describe('docs/why-this-line.md', () => {
  it('has the reason, the line and the counterexample of every twin, once each', () => {
    const page = readFileSync(docs('why-this-line.md'), 'utf8');
    expect(partsOf(page).sort()).toEqual([...partsWanted].sort());
  });

  it('agrees with the twins and the checker', () => {
    const file = docs('why-this-line.md');
    expectKept(file, fillIn(readFileSync(file, 'utf8')));
  });
});

describe.each(twins.map((twin) => [twin.name, twin] as const))('docs/pictures/%s.svg', (name, twin) => {
  it('shows the counterexample of the page', () => {
    expectKept(docs(`pictures/${name}.svg`), pictureOf(twin));
  });
});
