import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { writeTwins } from './scripts/twins.mjs';
import { COMPUTING } from './test/source/shared-process.ts';

// Long tests (`*.long.test.ts`) sweep sizes and seeds for minutes: `npm run test:long` includes them.
const long = process.env.HUSTINGS_LONG === '1';

// A twin is as old as its right file, also where no build came before.
await writeTwins();

const computing = COMPUTING.map((folder) => `${folder}/**/*.test.ts`);
// Hooks start servers and commands, on a machine that may be busy.
const shared = {
  testTimeout: long ? 600_000 : 60_000,
  hookTimeout: 60_000,
  // What a page or a process shows in the end may take a while on a busy machine.
  expect: { poll: { timeout: 20_000 } },
};
// A computation ends. A short limit would only measure the load of the machine.
const COMPUTING_MS = 600_000;
const exclude = long ? [] : ['test/**/*.long.test.ts'];

export default defineConfig({
  test: {
    // By default one core is left idle, which on a machine of two is half of it. More workers than cores would delay the
    // leases of tests that have short ones.
    maxWorkers: availableParallelism(),
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'coverage',
    },
    // The projects do not extend this file: `--maxWorkers` of the command line would not reach them.
    projects: [
      {
        test: {
          ...shared,
          testTimeout: COMPUTING_MS,
          name: 'computing',
          include: computing,
          exclude,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'waiting',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...computing],
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
