import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { registry } from '../../src/algorithms/index.ts';
import { expectKept } from '../golden/golden.ts';

const root = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const pages = readdirSync(root('docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`);

describe('the number of algorithms', () => {
  it.each(['README.md', 'ARCHITECTURE.md', ...pages])('is that of the registry, in %s', (path) => {
    const page = readFileSync(root(path), 'utf8');
    expectKept(root(path), page.replace(/\b\d+(?= algorithms\b)/g, String(registry.length)));
  });
});
