import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../packages/study/src/algorithms/index.ts';
import { expectKept } from '../../../test-kit/golden/golden.ts';
import { regionsOf } from '../../../test-kit/golden/regions.ts';
import { fillPage, ideaOf, SECTIONS, withSections } from './algorithm-page.ts';

const docs = (path: string): URL => new URL(`../../../docs/${path}`, import.meta.url);

describe.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))(
  'docs/algorithms/%s.md',
  (name, algorithm) => {
    const file = docs(`algorithms/${name}.md`);
    const page = existsSync(file) ? withSections(readFileSync(file, 'utf8')) : '';

    it('has all sections and explains the idea in four to eight sentences', () => {
      expect(page.startsWith(`# ${algorithm.title}\n`)).toBe(true);
      expect(regionsOf(page)).toEqual(SECTIONS);
      const sentences = ideaOf(page)
        .split(/[.!?](?:\s|$)/)
        .filter((one) => one.trim() !== '');
      expect(sentences.length).toBeGreaterThanOrEqual(4);
      expect(sentences.length).toBeLessThanOrEqual(8);
    });

    it('agrees with the code, the runs and the checker', () => {
      const { page: filled, pictures } = fillPage(algorithm, page);
      expectKept(file, filled);
      for (const [picture, svg] of pictures) expectKept(docs(`pictures/algorithms/${picture}`), svg);
    });
  },
);
