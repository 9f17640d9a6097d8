import { defineConfig } from 'vitest/config';
import { writeTwins } from './scripts/twins.mjs';

// Long tests (`*.long.test.ts`) sweep sizes and seeds for minutes: `npm run test:long` includes them.
const long = process.env.HUSTINGS_LONG === '1';

// A twin is as old as its right file, also where no build came before.
await writeTwins();

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: long ? [] : ['test/**/*.long.test.ts'],
    // By default one core is left idle, which on a machine of two is half of it.
    maxWorkers: '100%',
    testTimeout: long ? 600_000 : 60_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'coverage',
    },
  },
});
