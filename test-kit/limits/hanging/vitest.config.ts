import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { FileLimitReporter } from '../file-limit-reporter.ts';
import { RUNNING_FOLDER } from '../running-files.ts';

const running = mkdtempSync(join(tmpdir(), 'hustings-running-'));
process.env[RUNNING_FOLDER] = running;
process.on('exit', () => rmSync(running, { recursive: true, force: true }));

// Three files: two stand still on purpose. test-kit/limits/file-limit.test.ts runs them.
export default defineConfig({
  test: {
    include: ['test-kit/limits/hanging/*.hang.ts'],
    setupFiles: ['test-kit/limits/running-file.setup.ts'],
    reporters: ['default', new FileLimitReporter(running)],
    maxWorkers: 2,
  },
});
