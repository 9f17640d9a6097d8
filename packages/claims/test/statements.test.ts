/** The stated claims of the report against the list of statements that were taken from the sources. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { studies } from '../src/index.ts';
import * as sources from '../src/sources.ts';

interface Statement {
  readonly source: string;
  readonly place: string;
  readonly says: string;
  readonly judgedBy: readonly string[];
}

const LINES = readFileSync(new URL('statements.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const statements = LINES.map((line): Statement => {
  const [source, place, says, ids = ''] = line.split(' | ');
  return { source, place, says, judgedBy: ids.split(', ') };
});

const claims = studies.flatMap((study) => study.claims);
const stated = claims.flatMap(({ id, origin }) =>
  origin.type === 'stated' ? origin.places.map(({ source, at }) => `${id}: ${source}, ${at}`) : [],
);

/** What the list has and the claims do not, and the reverse. */
function differences(listed: readonly string[], reported: readonly string[]) {
  return {
    unjudged: listed.filter((each) => !reported.includes(each)),
    unlisted: reported.filter((each) => !listed.includes(each)),
  };
}

const listed = statements.flatMap(({ source, place, judgedBy }) =>
  judgedBy.map((id) => `${id}: ${source}, ${place}`),
);

describe('the statements of the sources', () => {
  test('are each on one line: source, place, statement and the claims that judge it', () => {
    const known: readonly string[] = Object.values(sources);
    for (const { source, place, says, judgedBy } of statements) {
      expect(known).toContain(source);
      expect(place).toMatch(/^(?:(?:slides?|section|table) [\d.–]+(?: and \d+)?, )?lines? \d[\d–, ]*$/);
      expect([says.length > 10, judgedBy.every((id) => /^[a-z-]+\/[a-z0-9-]+$/.test(id))]).toEqual([
        true,
        true,
      ]);
    }
    const places = statements.map(({ source, place }) => `${source}, ${place}`);
    expect(places.filter((each, index) => places.indexOf(each) !== index)).toEqual([]);
  });

  test('are all judged by a claim, and each stated claim is one of them at the same place', () => {
    expect(differences(listed, stated)).toEqual({ unjudged: [], unlisted: [] });
  });

  test('are counted in the README and the changelog, those that were measured', () => {
    const all = claims.filter(({ origin }) => origin.type === 'stated');
    const count = all.filter(({ method }) => method !== 'out of scope').length;
    const page = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
    expect(page('README.md')).toContain(`[${count} claims of the sources, measured]`);
    expect(page('CHANGELOG.md')).toContain(`${count} of the ${all.length} claims stated by five sources`);
  });

  test('a missing claim, a missing statement and another place are noticed', () => {
    const [first] = stated;
    expect(differences(listed, stated.slice(1)).unjudged).toEqual([first]);
    expect(differences(listed.slice(1), stated).unlisted).toEqual([listed[0]]);
    const moved = [`${first}0`, ...stated.slice(1)];
    expect(differences(listed, moved)).toEqual({ unjudged: [first], unlisted: [`${first}0`] });
  });
});
