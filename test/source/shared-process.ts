import { lineAt, scan } from './scan.ts';
import type { SourceFile } from './source-file.ts';

/**
 * The folders whose tests only compute. They share processes, which saves each file its imports and the warm-up of the
 * compiler; so none may change what the next one finds.
 */
export const COMPUTING: readonly string[] = [
  'test/algorithms',
  'test/checker/cost',
  'test/checker/graph',
  'test/checker/network',
  'test/checker/probability',
  'test/checker/search',
  'test/cli/flags',
  'test/cli/report',
  'test/cluster/detector',
  'test/cluster/gate',
  'test/cluster/member-list',
  'test/cluster/runtime',
  'test/cluster/view',
  'test/docs/algorithms',
  'test/drawing',
  'test/golden',
  'test/kernel',
  'test/lab/model',
  'test/lab/write',
  'test/lease/core',
  'test/lease/model',
  'test/lease/simulation',
  'test/properties',
  'test/scenarios',
  'test/shards/core',
  'test/shards/model',
  'test/shards/simulation',
  'test/simulator',
  'test/sweep',
  'test/verification',
];

/** What would outlive a test file. Spies are not here: `vi.restoreAllMocks` removes them. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'a change of the environment': /\bprocess\.env(\.\w+|\[[^\]]+\])\s*=(?!=)|\bstubEnv\b/g,
  'a change of the process': /\bprocess\.(on|once|chdir|exit|exitCode)\b/g,
  'a change of a global': /\bglobalThis(\.\w+|\[[^\]]+\])\s*=(?!=)|\bstubGlobal\b/g,
  'fake timers': /\buseFakeTimers\b/g,
  'a module in the place of another': /\bvi\.(mock|doMock)\b/g,
  'a process': /(?<![\w$.])(runProcess|runToSuccess|startProcess)\(/g,
  'a built command': /\bbuildBefore\b/g,
};

export function leftovers(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => COMPUTING.some((folder) => path.startsWith(`${folder}/`)) && path.endsWith('.ts'))
    .flatMap(({ path, text }) => {
      const { code } = scan(text);
      return Object.entries(FORBIDDEN).flatMap(([name, pattern]) =>
        [...code.matchAll(pattern)].map(({ index }) => `${path}:${lineAt(code, index)} has ${name}`),
      );
    });
}
