import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry, twins } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import { reportViolation } from '../../../src/cli/report/check-report.ts';
import { formatCounterexample } from '../../../src/cli/report/counterexample-file.ts';
import { showsAgain, tellReplay } from '../../../src/cli/report/counterexample-replay.ts';
import { twinCommand } from '../../../src/cli/report/twin-list.ts';
import { plain } from '../../../src/cli/terminal.ts';
import { expectKept } from '../../golden/golden.ts';
import { capture, changesOf, rightOf } from './capture.ts';

const NOBODY_LOOKS = { width: Number.POSITIVE_INFINITY, paint: plain };
const kept = (file: string): URL => new URL(`../../golden/${file}`, import.meta.url);

describe('the wrong twins', () => {
  it('are all the files of their folder', () => {
    const files = readdirSync(new URL('../../../src/algorithms/broken', import.meta.url));
    const expected = [...twins.map(({ name }) => `${name}.ts`), 'twins.ts'];
    expect(files.sort()).toEqual(expected.sort());
  });

  it('have names that no right algorithm has', () => {
    const names = [...registry, ...twins].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe.each(twins.map((twin) => [twin.name, twin] as const))('%s', (name, twin) => {
  const { result, counterexample, replayed } = capture(twin);

  it('is one line away from the right file', () => {
    expect(changesOf(twin)).toHaveLength(1);
  });

  it(`breaks ${twin.property}, and the checker sees it`, () => {
    expect(result.violations.map(({ property }) => property)).toEqual([twin.property]);
  });

  it(`is told from ${twin.of}, which passes the same search`, () => {
    const { complete, stopped, violations } = check(rightOf(twin), twin.where);
    expect({ stopped, violations }).toEqual({ stopped: null, violations: [] });
    expect(complete).toBe(twin.where.bound === undefined);
  });

  it('breaks it again when the counterexample is played on a fresh machine', () => {
    expect(replayed.violation?.property).toBe(twin.property);
    expect(showsAgain(twin.algorithm, counterexample, replayed)).toBe(true);
  });

  it('is caught by a run that is kept, as a file and as a story', () => {
    const story = reportViolation(
      counterexample,
      tellReplay(replayed),
      replayed.setup.anonymous,
      NOBODY_LOOKS,
    );
    expectKept(kept(`${name}.counterexample.json`), formatCounterexample(counterexample));
    expectKept(kept(`${name}.counterexample.txt`), [`# ${twinCommand(twin)}`, ...story, ''].join('\n'));
  });
});
