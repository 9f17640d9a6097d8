import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED } from '../../scripts/twins.mjs';
import { type Import, importsOf } from './imports.ts';
import { layerOf, ROOT, type SourceFile } from './source-file.ts';

/** Layers that run in a browser as well as in Node, below the lab. */
const ENGINES = ['kernel', 'algorithms', 'properties', 'simulator', 'sweep', 'checker', 'drawing'];

/** For each folder of src/ the folders that it may import, besides itself. */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  // The base errors, and names near a misspelt one, are all that the two halves of the package share.
  errors: [],
  // Writes that are on disk when they return.
  files: [],
  kernel: ['errors'],
  algorithms: ['kernel'],
  properties: ['kernel'],
  simulator: ['kernel', 'properties'],
  sweep: ['kernel', 'simulator', 'drawing'],
  drawing: ['kernel'],
  checker: ['kernel', 'properties'],
  // Worker threads of Node for the checker, which is pure itself.
  threads: ['kernel', 'checker'],
  // The claims of the papers: runs every algorithm, and the pure rules of leases and shards, and reports the results.
  reproduce: ['kernel', 'algorithms', 'simulator', 'sweep', 'checker', 'drawing', 'lease', 'shards'],
  // The catalogue for an algorithm that is given by its name, and the leases that a member grants to electors.
  cluster: ['errors', 'files', 'http', 'kernel', 'properties', 'algorithms', 'lease'],
  // A service that leads loads nothing of the kernel: see test/elector/front-door.test.ts.
  lease: ['errors', 'files'],
  elector: ['errors', 'lease'],
  // The store and the clock of a user's tests.
  testing: ['errors', 'elector', 'lease'],
  // Shards: one election each, and a plan of who should own which.
  shards: ['errors', 'lease', 'elector'],
  opentelemetry: ['elector'],
  // `hustings lead`: the guard, the process group, the signals.
  supervisor: ['errors', 'elector', 'lease'],
  // What the servers on loopback share: the lab and the sidecar.
  http: ['errors'],
  // `hustings serve`: elections for services in any language.
  sidecar: ['errors', 'http', 'lease', 'elector', 'supervisor'],
  // Sweeps and reproductions on many machines. How a job is computed is given to it.
  queue: ['errors', 'sweep', 'reproduce', 'lease', 'elector'],
  cli: [
    'errors',
    'kernel',
    'algorithms',
    'properties',
    'simulator',
    'sweep',
    'drawing',
    'checker',
    'threads',
    'reproduce',
    'cluster',
    'lease',
    'elector',
    'supervisor',
    'http',
    'sidecar',
    'shards',
    'queue',
    'lab/server',
    // The doors of the package, for a user's own file.
    'testing',
    'opentelemetry',
    '',
  ],
  // The lab. The page never imports Node code, and the server never page code.
  // Of the cluster only its pure parts, which a browser can run: recordings and the quorum gate.
  'lab/model': [...ENGINES, 'cluster', 'lease'],
  'lab/workers': [...ENGINES, 'lab/model'],
  'lab/page': [...ENGINES, 'lease', 'lab/model', 'lab/workers'],
  'lab/demo': ['errors', 'lease', 'elector', 'lab/model'],
  'lab/server': ['errors', 'http', 'lease', 'elector', 'lab/model', 'lab/demo'],
  // src/index.ts, the door `hustings`: the elector alone.
  '': ['errors', 'elector', 'lease'],
};

/** The layers without a clock, a socket or a random number generator. They also run in a browser. */
export const PURE = [
  'errors',
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
  return PURE.some((folder) => path.startsWith(`src/${folder}/`));
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
