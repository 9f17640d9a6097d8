import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED } from '../../scripts/twins.mjs';
import { type Import, importsOf } from './imports.ts';
import { layerOf, ROOT, type SourceFile } from './source-file.ts';

/** Layers that run in a browser as well as in Node, below the lab. */
const ENGINES = ['kernel', 'algorithms', 'properties', 'simulator', 'sweep', 'checker', 'drawing'].map(
  (folder) => `study/${folder}`,
);

/** What every verb may use. */
const COMMAND = ['base', 'base/node', 'base/command'];

/** For each layer, a package or a folder of it, the layers that it may import besides itself. */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  // What all packages share: errors, text, tables, values of options.
  base: [],
  // The same with Node: writes that are on disk when they return, processes that end with the one that started them.
  'base/node': ['base'],
  // What the servers on loopback share: the lab, the sidecar and a member of a cluster.
  'base/http': ['base'],
  // What every verb uses, of whichever package.
  'base/command': ['base', 'base/node'],

  // The door `hustings`: the elector alone.
  hustings: ['base', 'hustings/elector', 'hustings/lease'],
  // A service that leads loads nothing of the kernel: see packages/hustings/test/elector/front-door.test.ts.
  'hustings/lease': ['base', 'base/node'],
  'hustings/elector': ['base', 'hustings/lease'],
  // The store and the clock of a user's tests.
  'hustings/testing': ['base', 'hustings/elector', 'hustings/lease'],
  // Shards: one election each, and a plan of who should own which.
  'hustings/shards': ['base', 'hustings/lease', 'hustings/elector'],
  'hustings/opentelemetry': ['hustings/elector'],
  // `hustings lead`: the guard, the process group, the signals.
  'hustings/supervisor': ['base', 'base/node', 'hustings/elector', 'hustings/lease'],
  // `hustings serve`: elections for services in any language.
  'hustings/sidecar': ['base', 'base/http', 'hustings/lease', 'hustings/elector', 'hustings/supervisor'],
  // The program, and the verbs of leases.
  'hustings/cli': [
    ...COMMAND,
    ...['lease', 'elector', 'shards', 'supervisor', 'sidecar'].map((folder) => `hustings/${folder}`),
  ],

  'study/kernel': ['base'],
  'study/algorithms': ['base', 'study/kernel'],
  'study/properties': ['base', 'study/kernel'],
  'study/simulator': ['base', 'study/kernel', 'study/properties'],
  'study/drawing': ['base', 'study/kernel'],
  'study/sweep': ['base', 'study/kernel', 'study/simulator', 'study/drawing'],
  'study/checker': ['base', 'study/kernel', 'study/properties'],
  // Worker threads of Node for the checker, which is pure itself.
  'study/threads': ['base', 'study/kernel', 'study/checker'],
  // `replay DIR` and `sweep --queue` look for other packages when they are asked for, and so do imports of a user's file.
  'study/cli': [...COMMAND, ...ENGINES, 'study/threads'],

  // The catalogue for an algorithm that is given by its name, and the leases that a member grants to electors.
  cluster: [
    ...['base', 'base/node', 'base/http', 'study/kernel', 'study/properties', 'study/algorithms'],
    ...['hustings', 'hustings/lease', 'hustings/elector'],
  ],
  'cluster/cli': [...COMMAND, 'base/http', ...ENGINES, 'study/cli', 'hustings/cli', 'cluster'],

  // The claims of the papers: runs every algorithm, and the pure rules of leases and shards, and reports the results.
  claims: ['base', ...ENGINES, 'hustings/lease', 'hustings/shards'],
  'claims/cli': [...COMMAND, ...ENGINES, 'study/cli', 'claims'],

  // Sweeps and reproductions on many machines. How a job is computed is given to it.
  queue: [
    ...['base', 'base/node', 'study/sweep', 'study/cli', 'claims'],
    ...['hustings', 'hustings/lease', 'hustings/elector', 'hustings/opentelemetry'],
  ],
  'queue/cli': [...COMMAND, ...ENGINES, 'study/cli', 'claims', 'claims/cli', 'hustings/lease', 'queue'],

  // The lab. The page never imports Node code, and the server never page code.
  // Only the pure parts of the cluster, which a browser can run: recordings and the quorum gate.
  'lab/model': ['base', ...ENGINES, 'cluster', 'hustings/lease'],
  'lab/workers': ['base', ...ENGINES, 'lab/model'],
  'lab/page': ['base', ...ENGINES, 'hustings/lease', 'lab/model', 'lab/workers'],
  'lab/demo': [
    ...['base', 'base/node', 'hustings', 'hustings/lease', 'hustings/elector', 'hustings/opentelemetry'],
    'lab/model',
  ],
  'lab/server': [
    'base',
    'base/command',
    'base/http',
    'hustings/lease',
    'hustings/elector',
    'lab/model',
    'lab/demo',
  ],
  'lab/cli': [...COMMAND, 'hustings/lease', 'hustings/cli', 'cluster', 'cluster/cli', 'lab/server'],
};

/** Folders without a clock, a socket or a random number generator. They also run in a browser. */
export const PURE = [
  'base',
  ...ENGINES,
  'claims',
  'hustings/lease/core',
  'hustings/shards/core',
  'lab/model',
  'cluster/detector',
  'cluster/gate',
  'cluster/view',
  'cluster/record',
];

/** Folders of pure packages that need Node. */
const NEEDS_NODE = /^packages\/(base\/src\/(node|http|command)|claims\/src\/cli)\//;

export function isPure(path: string): boolean {
  const [, name, rest] = /^packages\/([^/]+)\/src\/(.*)/.exec(path) ?? [];
  return PURE.some((folder) => `${name}/${rest}`.startsWith(`${folder}/`)) && !NEEDS_NODE.test(path);
}

const where = ({ from, line }: Import): string => `${from}:${line}`;

export function unknownLayers(files: readonly SourceFile[]): string[] {
  const layers = new Set(files.map(({ path }) => layerOf(path)));
  return [...layers]
    .filter((layer) => !(layer in ARROWS))
    .map((layer) => `${layer} is not in the table: add it to ARROWS in test/source/arrows.ts`);
}

export function upwardArrows(files: readonly SourceFile[]): string[] {
  return files.flatMap(importsOf).flatMap((each) => {
    if (each.target === undefined) return [];
    const from = layerOf(each.from);
    const to = layerOf(each.target);
    if (to !== '' && (from === to || ARROWS[from]?.includes(to))) return [];
    return [`${where(each)} imports ${to || each.target}, which ${from} may not`];
  });
}

export function librariesInPureLayers(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isPure(path))
    .flatMap(importsOf)
    .filter(({ target }) => target === undefined)
    .map((each) => `${where(each)} imports ${each.specifier}; ${layerOf(each.from)} imports no library`);
}

/** A pure layer may import only pure layers. */
export function impureImports(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isPure(path))
    .flatMap(importsOf)
    .filter(({ target }) => target !== undefined && !isPure(target))
    .map((each) => `${where(each)} imports ${each.target}, which is not pure`);
}

/** What a browser runs imports only what a browser can run. */
export function nodeCodeInBrowser(files: readonly SourceFile[]): string[] {
  const isBrowsers = (path: string): boolean => /^packages\/lab\/src\/(page|workers)\//.test(path);
  return files
    .filter(({ path }) => isBrowsers(path))
    .flatMap(importsOf)
    .filter(({ target, specifier }) =>
      target === undefined ? specifier.startsWith('node:') : !isPure(target) && !isBrowsers(target),
    )
    .map((each) => `${where(each)} imports ${each.target ?? each.specifier}, which a browser cannot run`);
}

/** The number of imports past the doors of another package, by the two packages. */
export function internalImports(files: readonly SourceFile[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { from, specifier } of files.flatMap(importsOf)) {
    const [, to] = /^(?:@hustings\/)?(\w+)\/internal\//.exec(specifier) ?? [];
    if (to === undefined) continue;
    const pair = `${from.split('/')[1]} → ${to}`;
    counts[pair] = (counts[pair] ?? 0) + 1;
  }
  return counts;
}

export function missingTargets(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  // Written by the build, or not TypeScript, such as a style sheet.
  const isOnDisk = (path: string): boolean =>
    (path.startsWith(`${GENERATED}/`) || !/\.tsx?$/.test(path)) && existsSync(join(ROOT, path));
  return files
    .flatMap(importsOf)
    .filter(({ target }) => target !== undefined && !paths.has(target) && !isOnDisk(target))
    .map((each) => `${where(each)} imports ${each.specifier}, which is not a file`);
}

/** Each cycle once, as a path. Imports of types count, because a reader of one file must read the whole cycle. */
export function cycles(files: readonly SourceFile[]): string[] {
  const next = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ target }) => target ?? [])]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) found.push([...trail.slice(seenAt), path].join(' → '));
    if (seenAt >= 0 || done.has(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return found;
}
