import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED } from '../../scripts/twins.mjs';
import { type Import, importsOf } from './imports.ts';
import { layerOf, ROOT, type SourceFile } from './source-file.ts';

/** Layers that run in a browser as well as in Node, below the lab. */
const ENGINES = ['kernel', 'algorithms', 'properties', 'simulator', 'sweep', 'checker', 'drawing'];

/** What every verb may use. */
const COMMAND = ['base', 'base/node', 'base/command'];

/** Doors of services, which a user's file may import. */
const SERVICE_DOORS = ['', 'cluster', 'lease', 'opentelemetry', 'queue', 'reproduce', 'shards', 'testing'];

/** For each folder of src/ the folders that it may import, besides itself. */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  // What the two halves of the package share: errors, text, tables, values of options.
  base: [],
  // The same with Node: writes that are on disk when they return, processes that end with the one that started them.
  'base/node': ['base'],
  kernel: ['base'],
  algorithms: ['base', 'kernel'],
  properties: ['base', 'kernel'],
  simulator: ['base', 'kernel', 'properties'],
  sweep: ['base', 'kernel', 'simulator', 'drawing'],
  drawing: ['base', 'kernel'],
  checker: ['base', 'kernel', 'properties'],
  // Worker threads of Node for the checker, which is pure itself.
  threads: ['base', 'kernel', 'checker'],
  // The claims of the papers: runs every algorithm, and the pure rules of leases and shards, and reports the results.
  reproduce: ['base', 'kernel', 'algorithms', 'simulator', 'sweep', 'checker', 'drawing', 'lease', 'shards'],
  // The catalogue for an algorithm that is given by its name, and the leases that a member grants to electors.
  cluster: ['base', 'base/node', 'http', 'kernel', 'properties', 'algorithms', 'lease'],
  // A service that leads loads nothing of the kernel: see packages/hustings/test/elector/front-door.test.ts.
  lease: ['base', 'base/node'],
  elector: ['base', 'lease'],
  // The store and the clock of a user's tests.
  testing: ['base', 'elector', 'lease'],
  // Shards: one election each, and a plan of who should own which.
  shards: ['base', 'lease', 'elector'],
  opentelemetry: ['elector'],
  // `hustings lead`: the guard, the process group, the signals.
  supervisor: ['base', 'base/node', 'elector', 'lease'],
  // What the servers on loopback share: the lab and the sidecar.
  http: ['base'],
  // `hustings serve`: elections for services in any language.
  sidecar: ['base', 'http', 'lease', 'elector', 'supervisor'],
  // Sweeps and reproductions on many machines. How a job is computed is given to it.
  queue: ['base', 'base/node', 'sweep', 'reproduce', 'lease', 'elector'],
  // What every verb uses, of whichever package.
  'base/command': ['base', 'base/node'],
  // The verbs by the part that they command, and the program that joins them.
  'cli/lease': [...COMMAND, 'lease', 'elector', 'shards', 'supervisor', 'http', 'sidecar'],
  // Of clusters and queues `replay DIR` and `sweep --queue`, loaded when they are asked for; a user's file may import any door.
  'cli/study': [...COMMAND, ...ENGINES, 'threads', 'cli/cluster', 'cli/queue', ...SERVICE_DOORS],
  'cli/cluster': [...COMMAND, ...ENGINES, 'http', 'cluster', 'cli/lease', 'cli/study'],
  'cli/claims': [...COMMAND, ...ENGINES, 'reproduce', 'cli/study', 'cli/queue'],
  'cli/queue': [...COMMAND, ...ENGINES, 'reproduce', 'lease', 'queue', 'cli/study'],
  'cli/lab': [...COMMAND, 'lease', 'cluster', 'lab/server', 'cli/lease', 'cli/cluster'],
  cli: [...COMMAND, 'lease', 'cli/lease', 'cli/study', 'cli/cluster', 'cli/claims', 'cli/queue', 'cli/lab'],
  // The lab. The page never imports Node code, and the server never page code.
  // Of the cluster only its pure parts, which a browser can run: recordings and the quorum gate.
  'lab/model': ['base', ...ENGINES, 'cluster', 'lease'],
  'lab/workers': ['base', ...ENGINES, 'lab/model'],
  'lab/page': ['base', ...ENGINES, 'lease', 'lab/model', 'lab/workers'],
  'lab/demo': ['base', 'base/node', 'lease', 'elector', 'lab/model'],
  'lab/server': ['base', 'http', 'lease', 'elector', 'lab/model', 'lab/demo'],
  // packages/hustings/src/index.ts, the door `hustings`: the elector alone.
  '': ['base', 'elector', 'lease'],
};

/** The layers without a clock, a socket or a random number generator. They also run in a browser. */
export const PURE = [
  'base',
  'kernel',
  'algorithms',
  'properties',
  'simulator',
  'sweep',
  'checker',
  'drawing',
  'reproduce',
  'lease/core',
  'shards/core',
  'lab/model',
  'cluster/detector',
  'cluster/gate',
  'cluster/view',
  'cluster/record',
];

export function isPure(path: string): boolean {
  // The folders in base need Node.
  return PURE.some((folder) => path.startsWith(`src/${folder}/`)) && !/^src\/base\/.*\//.test(path);
}

const where = ({ from, line }: Import): string => `${from}:${line}`;

export function unknownLayers(files: readonly SourceFile[]): string[] {
  const layers = new Set(files.map(({ path }) => layerOf(path)));
  return [...layers]
    .filter((layer) => !(layer in ARROWS))
    .map((layer) => `src/${layer}/ is not in the table: add it to ARROWS in test/source/arrows.ts`);
}

export function upwardArrows(files: readonly SourceFile[]): string[] {
  return files.flatMap(importsOf).flatMap((each) => {
    if (each.target === undefined) return [];
    const from = layerOf(each.from);
    const to = layerOf(each.target);
    if (each.target.startsWith('src/') && (from === to || ARROWS[from]?.includes(to))) return [];
    const name = to === '' ? each.target : `${to}/`;
    return [`${where(each)} imports ${name}, which src/${from} may not`];
  });
}

export function librariesInPureLayers(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isPure(path))
    .flatMap(importsOf)
    .filter(({ target }) => target === undefined)
    .map((each) => `${where(each)} imports ${each.specifier}; ${layerOf(each.from)}/ imports no library`);
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
  const isBrowsers = (path: string): boolean => /^src\/lab\/(page|workers)\//.test(path);
  return files
    .filter(({ path }) => isBrowsers(path))
    .flatMap(importsOf)
    .filter(({ target, specifier }) =>
      target === undefined ? specifier.startsWith('node:') : !isPure(target) && !isBrowsers(target),
    )
    .map((each) => `${where(each)} imports ${each.target ?? each.specifier}, which a browser cannot run`);
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
