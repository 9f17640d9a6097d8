import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { changRoberts } from '../../packages/study/src/algorithms/index.ts';
import { costOf, Recording } from '../../packages/study/src/cli/picture/run-diagram.ts';
import { Run } from '../../packages/study/src/simulator/index.ts';
import { expectKept } from '../../test-kit/golden/golden.ts';

const root = (path: string): URL => new URL(`../../${path}`, import.meta.url);

it('the picture of the README is the run of eight that the command line draws by default', () => {
  const recording = new Recording();
  const run = new Run(changRoberts, { states: true, observe: (event) => recording.take(event) });
  while (!run.advance());
  expect([...run.plan.ids]).toEqual([3, 4, 6, 5, 7, 2, 1, 8]);
  expectKept(root('docs/pictures/chang-roberts.svg'), recording.draw(run, costOf(run.outcome())));
  expect(readFileSync(root('README.md'), 'utf8')).toContain('src="docs/pictures/chang-roberts.svg"');
});
