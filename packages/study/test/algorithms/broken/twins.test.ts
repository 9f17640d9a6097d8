import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GENERATED, mutate, rightFile, TwinError } from '../../../../../scripts/twins.mjs';
import { ROOT } from '../../../../../test/source/source-file.ts';
import { expectKept } from '../../../../../test-kit/golden/golden.ts';
import { plain } from '../../../../base/src/command/terminal.ts';
import { twins } from '../../../src/algorithms/index.ts';
import { check, formatCounterexample, isReproduced, narrateReplay } from '../../../src/checker/index.ts';
import { twinCommand } from '../../../src/cli/report/algorithm-lists.ts';
import { reportViolation } from '../../../src/cli/report/check-report.ts';
import { capture, rightOf } from './capture.ts';

const PLAIN_OUTPUT = { width: Number.POSITIVE_INFINITY, paint: plain };
const kept = (file: string): URL => new URL(`counterexamples/${file}`, import.meta.url);

describe('the wrong twins', () => {
  it('are not written where the right text is absent, occurs twice, spans lines or does not change', () => {
    const right = { path: 'a.ts', text: 'if (a) b();\nif (c) b();\n' };
    const asked = (...line: [string, string]) => ({ ...twins[0], line });
    expect(mutate(right, asked('(c)', '(d)'))).toBe('if (a) b();\nif (d) b();\n');
    for (const line of [
      ['x', 'y'],
      ['b()', 'c()'],
      ['', 'y'],
      ['b();\nif (c)', 'y'],
      ['(a)', '(a)'],
    ] as [string, string][]) {
      expect(() => mutate(right, asked(...line)), line[0]).toThrow(TwinError);
    }
  });
});

describe.each(twins.map((twin) => [twin.name, twin] as const))('%s', (name, twin) => {
  const { result, counterexample, replayed } = capture(twin);

  it('is one line away from the right file', () => {
    const code = (text: string): string[] =>
      text.split('\n').filter((line) => !line.startsWith('import ') && !line.startsWith("} from '"));
    const right = code(rightFile(ROOT, twin).text);
    const wrong = code(readFileSync(join(ROOT, GENERATED, `${name}.ts`), 'utf8'));
    expect(wrong).toHaveLength(right.length);
    expect(wrong.filter((line, at) => line !== right[at])).toHaveLength(1);
  });

  it(`violates ${twin.property}, and the checker finds it`, () => {
    expect(result.violations.map(({ property }) => property)).toEqual([twin.property]);
  });

  it(`differs from ${twin.of}, which passes the same search`, () => {
    const { complete, stopped, violations } = check(rightOf(twin), twin.search);
    expect({ stopped, violations }).toEqual({ stopped: null, violations: [] });
    expect(complete).toBe(twin.search.bound === undefined);
  });

  it('violates it again when the counterexample is replayed', () => {
    expect(replayed.violation?.property).toBe(twin.property);
    expect(isReproduced(twin.algorithm, counterexample, replayed)).toBe(true);
  });

  it('has a kept counterexample, as a file and as text', () => {
    const story = reportViolation(
      counterexample,
      narrateReplay(replayed),
      replayed.setup.anonymous,
      PLAIN_OUTPUT,
    );
    expectKept(kept(`${name}.counterexample.json`), formatCounterexample(counterexample));
    expectKept(kept(`${name}.counterexample.txt`), [`# ${twinCommand(twin)}`, ...story, ''].join('\n'));
  });
});
