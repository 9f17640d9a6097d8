import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readFiles } from '../source/source-file.ts';

const INDEX = 'docs/index.md';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const withoutCode = (path: string): string => read(path).replace(/^```[\s\S]*?^```$/gm, '');
const pages = readFiles('.').filter(({ path }) => path.endsWith('.md') && !path.startsWith('test/'));

/** Where the links of a page lead, as paths from the root; addresses on the web are left out. */
function linksOf(path: string): string[] {
  return [...read(path).matchAll(/\]\(([^)#\s]+)[^)]*\)|(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => join(dirname(path), link));
}

describe('docs/index.md', () => {
  it('links to every page of docs', () => {
    const linked = [INDEX, ...linksOf(INDEX)];
    const paths = pages
      .map(({ path }) => path)
      .filter((path) => /^docs\/(?:(?:jobs|stores)\/)?[^/]+$/.test(path));
    expect(paths.filter((path) => !linked.includes(path))).toEqual([]);
  });
});

it('the README is short, and begins with a service; the door for students follows', () => {
  const lines = read('README.md').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(180);
  const places = ['```ts', '## For students and researchers'].map((title) => lines.indexOf(title));
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(places[0]).toBeLessThan(16);
  expect(places[1]).toBeLessThan(60);
});

it('every link of a page has a target', () => {
  expect(pages.length).toBeGreaterThan(40);
  const broken = pages.flatMap(({ path }) =>
    linksOf(path)
      .filter((target) => !existsSync(join(ROOT, target)))
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

/** The anchors that GitHub makes of headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map(([, text]) => text);
  const plain = headings.map((text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase());
  return new Set(plain.map((text) => text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')));
}

it('every link to a heading has a target', () => {
  const dead = pages.flatMap(({ path }) =>
    [...withoutCode(path).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
      .map(([, file, anchor]) => ({ to: file === '' ? path : join(dirname(path), file), anchor }))
      .filter(({ to, anchor }) => to.endsWith('.md') && !anchorsOf(to).has(anchor))
      .map(({ to, anchor }) => `${path}: ${to}#${anchor}`),
  );
  expect(dead).toEqual([]);
});

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/checker.md', 'docs/reproduce.md'])(
  'every file and folder that %s names exists',
  (page) => {
    const paths = readFiles('.').map(({ path }) => path);
    const named = [
      ...read(page).matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:ts|mjs)|(?:src|test|docs)\/[\w/-]+)`/g),
    ];
    const missing = named
      .map(([, name]) => name.replace(/\/$/, ''))
      .filter((name) => !/NAME|NETWORK|^\.\//.test(name))
      .filter(
        (name) =>
          !paths.some(
            (path) =>
              `/${path}`.endsWith(`/${name}`) ||
              path.startsWith(`${name}/`) ||
              path.replace('/src/', '/').endsWith(`/${name}`),
          ),
      );
    expect(missing).toEqual([]);
  },
);
