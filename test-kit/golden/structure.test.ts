import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pageStructure, svgStructure } from './structure.ts';

const docs = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

/** The text with one change, which must apply. */
function changed(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, to);
  expect(result).not.toBe(text);
  return result;
}

describe('the structure of a picture', () => {
  const picture = docs('pictures/algorithms/time-slice.svg');
  const structure = svgStructure(picture);

  it('has every element of the file, and every text', () => {
    expect(structure.length).toBeGreaterThan(50);
    expect(structure.length).toBe(picture.split(/<[a-zA-Z]/).length - 1);
    expect(structure).toContain('text Time slices');
  });

  it.each([
    ['a label', '>Time slices<', '>Time slots<'],
    ['a number in a label', 'seed 1', 'seed 2'],
    ['an element', /<rect [^>]*rx="[\d.]+"[^>]*\/>\n/, ''],
    ['a text', /<text [^>]*>0<\/text>\n/, ''],
    ['an arrow that is no longer dashed', / stroke-dasharray="[^"]*"/, ''],
  ])('differs in %s', (_what, from, to) => {
    expect(svgStructure(changed(picture, from, to))).not.toEqual(structure);
  });

  it('differs by an element that is added or moved past another', () => {
    expect(svgStructure(changed(picture, '</svg>', '<circle r="3"/></svg>'))).not.toEqual(structure);
    expect(structure.toReversed()).not.toEqual(structure);
  });

  it('does not differ by where a label stands, its size and its colour', () => {
    const moved = changed(changed(picture, /x="\d+"/g, 'x="7"'), /fill="#1b2a3a"/g, 'fill="#000"');
    expect(svgStructure(changed(moved, /font-size="28"/, 'font-size="18"'))).toEqual(structure);
  });
});

describe('the structure of a page', () => {
  const page = docs('algorithms/lelann.md');
  const structure = pageStructure(page);

  it.each([
    ['a heading', '## The rules', '## Rules'],
    ['a word of a rule', '**R1** ', '**R1** Not '],
    ['a number of the cost table', /\| (\d+) \|\n/, '| 7$1 |\n'],
    ['a row of a table', /\n\| announcement messages [^\n]*/, ''],
    ['a list item', /\n- \*\*R2\*\*[^\n]*/, ''],
    ['a command', '--nodes 6', '--nodes 7'],
    ['a picture', 'lelann.svg', 'lelan.svg'],
    ['a verdict of a search', '| complete |', '| not complete |'],
  ])('differs in %s', (_what, from, to) => {
    expect(pageStructure(changed(page, from, to))).not.toEqual(structure);
  });

  it('does not differ by the line on which a word stands, nor by the width of a column', () => {
    const paragraph = 'An idea that is told in a line.\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n';
    const wrapped = 'An idea that is told\nin a line.\n\n| a   |   b |\n| :--- | --- |\n| 1   | 2 |\n';
    expect(pageStructure(wrapped)).toEqual(pageStructure(paragraph));
  });

  it('has the state count of a search without reduction, and not that of a reduced one', () => {
    const row = (states: number, reduced: string): string[] =>
      pageStructure(`| n | states | reduced |\n| --- | --- | --- |\n| 3 | ${states} | ${reduced} |\n`);
    expect(row(10, 'no')).not.toEqual(row(11, 'no'));
    expect(row(10, 'yes')).toEqual(row(11, 'yes'));
    expect(row(10, 'yes')).not.toEqual(row(10, 'no'));
  });
});
