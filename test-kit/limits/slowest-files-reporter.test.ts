import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { SlowestFilesReporter } from './slowest-files-reporter.ts';

/** What the reporter prints after files that ran for 1, 2, 3, … seconds. */
function printed(files: number, secondsEach = 1): string {
  let text = '';
  const reporter = new SlowestFilesReporter((more) => {
    text += more;
  });
  reporter.onTestRunStart();
  for (let k = 1; k <= files; k++) {
    const moduleId = join(process.cwd(), `test/${k}.test.ts`);
    const diagnostic = () => ({
      collectDuration: 400,
      setupDuration: 100,
      duration: 1000 * secondsEach * k - 500,
    });
    reporter.onTestModuleEnd({ moduleId, project: { name: 'waiting' }, diagnostic } as unknown as TestModule);
  }
  reporter.onTestRunEnd();
  return text;
}

it('a run of more than 25 files ends with the 25 slowest, slowest first, with project and time, and the sum', () => {
  const [title, ...rest] = printed(27).trimEnd().split('\n');
  expect(title).toBe('The 25 slowest of 27 files:');
  const lines = rest.slice(0, -1);
  expect(lines).toHaveLength(25);
  expect(rest.at(-1)).toBe('All files: waiting 378 s');
  expect(lines[0]).toBe('   27.0 s  waiting    test/27.test.ts');
  expect(lines.at(-1)).toBe('    3.0 s  waiting    test/3.test.ts');
});

it('marks a file that takes longer than a file may', () => {
  const marked = printed(30, 2.1)
    .split('\n')
    .filter((line) => line.endsWith('over the budget of 60 s'));
  expect(marked).toEqual([expect.stringContaining('30.test.ts'), expect.stringContaining('29.test.ts')]);
});

it('a run of up to 25 files has no list', () => expect(printed(25)).toBe(''));
