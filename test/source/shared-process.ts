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

/** The folders whose tests run commands and pages, and look at what these show. They share processes among themselves. */
export const SHARING: readonly string[] = [
  'test/cli/commands',
  'test/cluster/membership',
  'test/cluster/record',
  'test/readme',
  'test/reproduce',
  'test/source',
];

/** What would outlive a test file. Spies are not here: `vi.restoreAllMocks` removes them. */
const CHANGES: Readonly<Record<string, RegExp>> = {
  'a change of the environment': /\bprocess\.env(\.\w+|\[[^\]]+\])\s*=(?!=)|\bstubEnv\b/g,
  'a change of the process': /\bprocess\.(on|once|chdir|exit|exitCode)\b/g,
  'a change of a global': /\bglobalThis(\.\w+|\[[^\]]+\])\s*=(?!=)|\bstubGlobal\b/g,
  'fake timers': /\buseFakeTimers\b/g,
  'a module in the place of another': /\bvi\.(mock|doMock)\b/g,
};

/** What a test that only computes does not need. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  'a process': /(?<![\w$.])(spawn|spawnSync|exec|execFile|fork)\(/g,
  'a built command': /\bbuildBefore\b/g,
};

/** A file that others import is loaded once in a process, so its hooks would be those of the first test file. */
const HOOK = { 'a hook of one test file': /^(before|after)(All|Each)\(/gm };

export function leftovers(files: readonly SourceFile[]): string[] {
  const isIn = (folders: readonly string[], path: string): boolean =>
    folders.some((folder) => path.startsWith(`${folder}/`));
  return files
    .filter(({ path }) => isIn([...COMPUTING, ...SHARING], path) && path.endsWith('.ts'))
    .flatMap(({ path, text }) => {
      const { code } = scan(text);
      const forbidden = {
        ...CHANGES,
        ...(isIn(COMPUTING, path) && COMMANDS),
        ...(!path.endsWith('.test.ts') && HOOK),
      };
      return Object.entries(forbidden).flatMap(([name, pattern]) =>
        [...code.matchAll(pattern)].map(({ index }) => `${path}:${lineAt(code, index)} has ${name}`),
      );
    });
}
