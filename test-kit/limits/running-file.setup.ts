// Runs in each worker before each test file. Writes down what the worker runs, so that the runner can name it when it stands
// still: a worker that is blocked by a loop or by a synchronous call cannot answer any more.

import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, expect } from 'vitest';
import { runningFilePath } from './running-files.ts';

const path = runningFilePath(process.pid);
if (path !== undefined) {
  const startedAtMs = Date.now();
  const note = (test: string): void => {
    writeFileSync(path, JSON.stringify({ file: expect.getState().testPath ?? '', test, startedAtMs }));
  };
  note('');
  beforeEach(() => note(expect.getState().currentTestName ?? ''));
  afterAll(() => rmSync(path, { force: true }));
}
