import { describe, expect, it } from 'vitest';
import { readSources } from '../source-file.ts';
import { algorithmNames, NAMELESS, namedAlgorithms } from './names.ts';

const files = readSources();

describe(`${NAMELESS.join(', ')}`, () => {
  it('are compared with the names of existing algorithms', () => {
    expect(algorithmNames(files).length).toBeGreaterThan(0);
  });

  it('name no algorithm', () => {
    expect(namedAlgorithms(files, algorithmNames(files))).toEqual([]);
  });
});

describe('the search for names', () => {
  it('takes the names from files that define an algorithm', () => {
    const defined = ['ring/chang-roberts.ts', 'broken/two-kings.ts'];
    const shared = ['ring/announcement.ts', 'registry.ts'];
    const algorithms = [...defined, ...shared].map((path) => ({
      path: `packages/study/src/algorithms/${path}`,
      text: defined.includes(path) ? 'export const it = defineAlgorithm({' : 'export const elected = 1;',
    }));
    expect(algorithmNames(algorithms)).toEqual(['chang-roberts', 'two-kings']);
  });

  it.each([
    'chang-roberts',
    'changRoberts(',
    'ChangRoberts',
    'runChangRobertsRing',
    'Chang–Roberts',
    'Chang and // Chang-Roberts, 1979',
    'chang roberts',
    'CHANG_ROBERTS',
    'changroberts',
  ])('finds %s', (text) => {
    const found = namedAlgorithms(
      [{ path: 'packages/study/src/simulator/run.ts', text: `a\n${text}` }],
      ['chang-roberts'],
    );
    expect(found).toEqual(['packages/study/src/simulator/run.ts:2 names the algorithm chang-roberts']);
  });

  it('finds neither a part of a word nor a name in other layers', () => {
    expect(
      namedAlgorithms(
        [{ path: 'packages/study/src/checker/a.ts', text: 'bullying, drafts' }],
        ['bully', 'raft'],
      ),
    ).toEqual([]);
    expect(namedAlgorithms([{ path: 'packages/hustings/src/cli/a.ts', text: 'bully' }], ['bully'])).toEqual(
      [],
    );
  });
});
