import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { registry } from '../../src/algorithms/index.ts';

it('the README leads to the page of every algorithm, once', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const named = [...readme.matchAll(/\[([a-z-]+)\]\(docs\/algorithms\/([a-z-]+)\.md\)/g)];
  expect(named.filter(([, text, page]) => text !== page)).toEqual([]);
  expect(named.map(([, text]) => text).sort()).toEqual(registry.map(({ name }) => name).sort());
});

it('no two algorithms have one name', () => {
  const names = registry.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
