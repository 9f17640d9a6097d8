import { lineAt, scan } from './scan.ts';
import type { SourceFile } from './source-file.ts';

/** The folders whose tests only compute. */
export const COMPUTING: readonly string[] = [
  'packages/study/test/algorithms',
  'packages/study/test/checker/cost',
  'packages/study/test/checker/graph',
  'packages/study/test/checker/network',
  'packages/study/test/checker/probability',
  'packages/study/test/checker/search',
  'packages/hustings/test/cli/flags',
  'packages/hustings/test/cli/report',
  'packages/study/test/cli/flags',
  'packages/study/test/cli/report',
  'packages/cluster/test/detector',
  'packages/cluster/test/gate',
  'packages/cluster/test/member-list',
  'packages/cluster/test/runtime',
  'packages/cluster/test/view',
  'test/docs/algorithms',
  'packages/study/test/drawing',
  'test-kit/golden',
  'packages/study/test/kernel',
  'packages/lab/test/model',
  'packages/lab/test/write',
  'packages/hustings/test/lease/core',
  'packages/hustings/test/lease/model',
  'packages/hustings/test/lease/simulation',
  'packages/study/test/properties',
  'packages/study/test/scenarios',
  'packages/hustings/test/shards/core',
  'packages/hustings/test/shards/model',
  'packages/hustings/test/shards/simulation',
  'packages/study/test/simulator',
  'packages/study/test/sweep',
  'packages/study/test/verification',
];

/** What would outlive a test file. Spies are not here: `vi.restoreAllMocks` removes them. */
const OUTLIVES: Readonly<Record<string, RegExp>> = {
  'a change of the environment': /\bprocess\.env(\.\w+|\[[^\]]+\])\s*=(?!=)|\bstubEnv\b/g,
  'a change of the process': /\bprocess\.(on|once|chdir|exit|exitCode)\b/g,
  'a change of a global': /\bglobalThis(\.\w+|\[[^\]]+\])\s*=(?!=)|\bstubGlobal\b/g,
  'fake timers': /\buseFakeTimers\b/g,
  'a module in the place of another': /\bvi\.(mock|doMock)\b/g,
};

/** The places of a test file that need a process of its own. */
export function outliving({ path, text }: SourceFile): string[] {
  const { code } = scan(text);
  return Object.entries(OUTLIVES).flatMap(([name, pattern]) =>
    [...code.matchAll(pattern)].map(({ index }) => `${path}:${lineAt(code, index)} has ${name}`),
  );
}

/**
 * The test files that have a process of their own. The others share processes, which saves each file the start of a process, its
 * imports and the warm-up of the compiler.
 */
export function filesAlone(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => file.path.endsWith('.test.ts') && outliving(file).length > 0)
    .map(({ path }) => path);
}
