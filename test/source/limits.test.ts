import { describe, expect, it } from 'vitest';
import { unlimitedProcesses } from './limits.ts';
import { readFiles, readTests } from './source-file.ts';

describe('the processes that tests and scripts start', () => {
  it('have a limit at which they are killed', () => {
    const tests = readTests().filter(({ path }) => path.endsWith('.ts'));
    expect(tests.length).toBeGreaterThan(0);
    expect(unlimitedProcesses([...tests, ...readFiles('scripts')])).toEqual([]);
  });
});

describe('the search for processes without a limit', () => {
  const found = (text: string) => unlimitedProcesses([{ path: 'test/x/x.test.ts', text }]);

  it.each([
    "import { spawnSync } from 'node:child_process';",
    "import { type ChildProcess, spawn } from 'node:child_process';",
    "import {\n  execFile,\n  spawn,\n} from 'child_process';",
    "import * as processes from 'node:child_process';",
    "const { fork } = await import('node:child_process');",
    "const { fork } = require('node:child_process');",
  ])('finds %s', (text) =>
    expect(found(text)).toEqual([
      'test/x/x.test.ts starts a process without a limit: use test-kit/limits/child-process.ts',
    ]),
  );

  it.each([
    "import type { ChildProcess } from 'node:child_process';",
    "// import { spawn } from 'node:child_process';",
    "import { readFileSync } from 'node:fs';\nconst name = 'node:child_process';",
    "import type { ChildProcess } from 'node:child_process';\nimport { join } from 'node:path';",
  ])('lets pass %s', (text) => expect(found(text)).toEqual([]));
});
