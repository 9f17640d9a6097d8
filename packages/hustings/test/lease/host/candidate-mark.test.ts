import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runProcess } from '../../../../../test-kit/limits/child-process.ts';
import { hasProcessTable } from '../../../../base/src/node/process-table.ts';
import { CandidateMarks, markCandidate } from '../../../src/lease/host/candidate-mark.ts';

const isMarked = (election: string): boolean => new CandidateMarks(process.pid).has(election);

describe.skipIf(!hasProcessTable())('the mark of a candidate (where there is a /proc)', () => {
  it('names the elections in which the process stands, and leaves no file behind', () => {
    expect(isMarked('a')).toBe(false);
    const ends = [markCandidate('a'), markCandidate('a'), markCandidate('b')];
    expect(['a', 'b', 'c'].map(isMarked)).toEqual([true, true, false]);
    expect(
      readdirSync(tmpdir()).filter((name) => name.startsWith(`hustings-candidate-${process.pid}-`)),
    ).toEqual([]);
    for (const end of ends) end();
  });

  it('forgets ended candidates, so that it does not grow with every election', () => {
    const end = markCandidate('kept');
    for (let index = 0; index < 100; index++) markCandidate(`passing ${index}`)();
    expect(isMarked('kept')).toBe(true);
    const left = Array.from({ length: 100 }, (_, index) => isMarked(`passing ${index}`)).filter(Boolean);
    expect(left.length).toBeLessThan(20);
    end();
    end();
  });

  it('is not inherited by a program that the process starts', () => {
    const end = markCandidate('parent');
    const { stdout } = runProcess('ls', ['-l', '/proc/self/fd']);
    expect(stdout).not.toContain('hustings-candidate');
    end();
  });
});
