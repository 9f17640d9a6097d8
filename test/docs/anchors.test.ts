import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../source/source-file.ts';

const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
const pages = ['README.md', ...docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file))];
const read = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');

/** As GitHub makes them of headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, text]) => text);
  const plain = headings.map((text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase());
  return new Set(plain.map((text) => text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')));
}

it('links of the documentation lead to headings that exist', () => {
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
      .map(([, file, anchor]) => ({ to: file === '' ? page : join(page, '..', file), anchor }))
      .filter(({ to, anchor }) => to.endsWith('.md') && !anchorsOf(to).has(anchor))
      .map(({ to, anchor }) => `${page}: ${to}#${anchor}`),
  );
  expect(dead).toEqual([]);
});
