import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../test/source/source-file.ts';
import { runProcess } from './child-process.ts';
import { processesOfRun, RUN_MARK } from './process-tree.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

it('a test file that stands still is named and ended; the others are run, the run fails, and no process is left', () => {
  const mark = `hanging-${process.pid}`;
  const args = [VITEST, 'run', '--config', 'test-kit/limits/hanging/vitest.config.ts', '--root', ROOT];
  const env = { ...process.env, HUSTINGS_FILE_LIMIT_MS: '4000', NO_COLOR: '1', [RUN_MARK]: mark };
  const { status, stdout, stderr } = runProcess(process.execPath, args, { cwd: ROOT, env });

  expect(status).toBe(1);
  expect(stderr).toContain(
    'test-kit/limits/hanging/loop.hang.ts, in the test "never returns", stood still: it was ended after 4000 ms.',
  );
  expect(stderr).toContain(
    'test-kit/limits/hanging/child.hang.ts, in the test "waits for a child that ignores SIGTERM", stood still',
  );
  expect(stderr).toContain('its last output:\n    the loop begins\n');
  expect(stderr).toMatch(/it had started: sh -c trap "" TERM/);
  expect(stderr).toMatch(/it had started: sleep 987654/);
  expect(stdout).toMatch(/✓ test-kit\/limits\/hanging\/quick\.hang\.ts/);
  expect(processesOfRun(mark)).toEqual([]);
});
