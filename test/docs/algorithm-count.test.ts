import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/algorithms/index.ts';
import { expectKept } from '../golden/golden.ts';

const root = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const pages = readdirSync(root('docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`);

describe('the number of algorithms', () => {
  it('is in the README, in digits', () => {
    expect(readFileSync(root('README.md'), 'utf8')).toMatch(/\b\d+ algorithms\b/);
  });

  it.each(['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...pages])(
    'is that of the registry, in %s',
    (path) => {
      const page = readFileSync(root(path), 'utf8');
      expectKept(root(path), page.replace(/\b\d+(?= algorithms\b)/g, String(registry.length)));
    },
  );
});
