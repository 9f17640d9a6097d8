import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { writeTwins } from './scripts/twins.mjs';
import { effort, isFull } from './test/limits/effort.ts';
import { FileLimitReporter } from './test/limits/file-limit-reporter.ts';
import { RUN_MARK } from './test/limits/process-tree.ts';
import { RUNNING_FOLDER } from './test/limits/running-files.ts';
import { SlowestFilesReporter } from './test/limits/slowest-files-reporter.ts';
import { COMPUTING } from './test/source/shared-process.ts';

// A twin is as old as its right file, also where no build came before.
await writeTwins();

// Servers of the tests copy their data folder from here: test/lease/servers/data-template.ts.
const templates = join(tmpdir(), `hustings-templates-${process.pid}`);
process.env.HUSTINGS_TEMPLATES = templates;
// Each worker writes here what it runs: test/limits/file-limit-reporter.ts.
const running = join(tmpdir(), `hustings-running-${process.pid}`);
mkdirSync(running, { recursive: true });
process.env[RUNNING_FOLDER] = running;
process.env[RUN_MARK] ??= `${process.pid}`;
process.on('exit', () => {
  for (const folder of [templates, running]) rmSync(folder, { recursive: true, force: true });
});

const within = (folders: readonly string[]): string[] => folders.map((folder) => `${folder}/**/*.test.ts`);
const computing = within(COMPUTING);
/**
 * Folders whose tests wait for leases, timers and servers for half of their time. Not test/lease/faults and
 * test/cluster/processes, which occupy both cores.
 */
const waiting = within([
  'test/cli/queue',
  'test/cluster/leases',
  'test/elector',
  'test/kits',
  'test/lab/demo',
  'test/lab/server',
  'test/lease/{doctor,fence,host,replaced,servers,stores}',
  'test/proof',
  'test/shards',
  'test/sidecar',
  'test/supervisor',
]);
// Hooks start servers and commands, on a machine that may be busy.
const shared = {
  setupFiles: ['test/limits/running-file.setup.ts'],
  testTimeout: effort({ quick: 60_000, full: 600_000 }),
  hookTimeout: 60_000,
  // What a page or a process shows in the end may take a while on a busy machine.
  expect: { poll: { timeout: 20_000 } },
};
// A computation ends. A short limit would only measure the load of the machine.
const COMPUTING_MS = 600_000;
const exclude = effort({ quick: ['test/**/*.long.test.ts'], full: [] });

const cores = availableParallelism();
// What a project says precedes the command line.
const isAsked = process.argv.some((arg) => /^--max-?workers\b/i.test(arg));
// Two workers that wait leave more than half of two cores idle. They never run beside the tests that start commands and browsers.
const moreWorkers = isAsked || isFull ? {} : { maxWorkers: 2 * cores };

/**
 * Vitest begins with the files that took longest in the last run on this machine; after a fresh clone with the largest. These
 * are small, and each takes a minute: at the end of its project it would leave the other cores idle.
 */
const SLOWEST =
  /\/(lease\/faults\/faults|cluster\/processes\/faults|supervisor\/cron-clocks|readme\/readme|docs\/pages-for-students)\.test\.ts$/;
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const slow = (file: TestSpecification): boolean => SLOWEST.test(file.moduleId);
    return [...sorted.filter(slow), ...sorted.filter((file) => !slow(file))];
  }
}

export default defineConfig({
  test: {
    // By default one core is left idle, which on a machine of two is half of it.
    maxWorkers: cores,
    reporters: ['default', new FileLimitReporter(running), new SlowestFilesReporter()],
    sequence: { sequencer: SlowestFirst },
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
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          ...moreWorkers,
          name: 'waiting',
          include: waiting,
          exclude: [...exclude, ...computing],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'commands',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...computing, ...waiting],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
