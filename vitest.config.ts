import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { runLimited } from './scripts/limited.mjs';
import { sourceAliases } from './scripts/sources.mjs';
import { COMPUTING, filesAlone } from './test/source/shared-process.ts';
import { readTests } from './test/source/source-file.ts';
import { effort, isFull } from './test-kit/limits/effort.ts';
import { FileLimitReporter } from './test-kit/limits/file-limit-reporter.ts';
import { RUN_MARK } from './test-kit/limits/process-tree.ts';
import { RUNNING_FOLDER } from './test-kit/limits/running-files.ts';
import { SlowestFilesReporter } from './test-kit/limits/slowest-files-reporter.ts';

// Tests of commands run what is compiled, which is to be as new as the sources.
const built = runLimited(process.execPath, ['scripts/setup.mjs'], { cwd: import.meta.dirname });
if (built.status !== 0) throw new Error(built.stderr);

// Servers of the tests copy their data folder from here: test-kit/servers/data-template.ts.
const templates = join(tmpdir(), `hustings-templates-${process.pid}`);
process.env.HUSTINGS_TEMPLATES = templates;
// Each worker writes here what it runs: test-kit/limits/file-limit-reporter.ts.
const running = join(tmpdir(), `hustings-running-${process.pid}`);
mkdirSync(running, { recursive: true });
process.env[RUNNING_FOLDER] = running;
process.env[RUN_MARK] ??= `${process.pid}`;
process.on('exit', () => {
  for (const folder of [templates, running]) rmSync(folder, { recursive: true, force: true });
});

const within = (folders: readonly string[]): string[] => folders.map((folder) => `${folder}/**/*.test.ts`);
const computing = within(COMPUTING);
const alone = filesAlone(readTests());
/**
 * Folders whose tests wait for leases, timers and servers for half of their time. Not packages/hustings/test/lease/faults and
 * packages/cluster/test/processes, which occupy both cores.
 */
const waiting = within([
  'packages/queue/test/cli',
  'test-kit/servers',
  'packages/cluster/test/leases',
  'packages/hustings/test/elector',
  'packages/hustings/test/kits',
  'packages/lab/test/demo',
  'packages/lab/test/server',
  'packages/hustings/test/lease/{doctor,fence,host,replaced,stores}',
  'packages/study/test/proof',
  'packages/hustings/test/shards',
  'packages/hustings/test/sidecar',
  'packages/hustings/test/supervisor',
]);
const resolve = { alias: sourceAliases() };
// Hooks start servers and commands, on a machine that may be busy.
const shared = {
  setupFiles: ['test-kit/limits/running-file.setup.ts'],
  testTimeout: effort({ quick: 60_000, full: 600_000 }),
  hookTimeout: 60_000,
  // What a page or a process shows in the end may take a while on a busy machine.
  expect: { poll: { timeout: 20_000 } },
};
// A computation ends. A short limit would only measure the load of the machine.
const COMPUTING_MS = 600_000;
const exclude = effort({ quick: ['**/*.long.test.ts'], full: [] });

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
  /\/(lease\/faults\/faults|cluster\/test\/processes\/faults|hustings\/test\/supervisor\/cron-clocks|test\/readme\/readme|docs\/pages-for-students)\.test\.ts$/;
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
      include: ['packages/*/src/**/*.ts'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'coverage',
    },
    // The projects do not extend this file: `--maxWorkers` of the command line would not reach them.
    projects: [
      {
        resolve,
        test: {
          ...shared,
          testTimeout: COMPUTING_MS,
          name: 'computing',
          include: computing,
          exclude: [...exclude, ...alone],
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        resolve,
        test: {
          ...shared,
          ...moreWorkers,
          name: 'waiting',
          include: waiting,
          exclude: [...exclude, ...computing, ...alone],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'alone',
          include: alone,
          exclude,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'commands',
          include: ['{packages/*/test,test,test-kit}/**/*.test.ts'],
          exclude: [...exclude, ...computing, ...waiting, ...alone],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
