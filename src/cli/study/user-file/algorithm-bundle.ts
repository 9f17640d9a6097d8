/**
 * Bundles a user's file and its imports into one function. Types are stripped, and imports of `hustings` resolve to the
 * running package, wherever the file is.
 *
 * Guarantees: nothing is written to disk; an error that the code throws is mapped to the line of the user's source.
 * Does not isolate the code: it runs in this process, with all its permissions.
 */
import { createHash } from 'node:crypto';
import { createRequire, SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import type { BuildFailure, Plugin } from 'esbuild';
import * as algorithms from '../../../algorithms/index.ts';
import { reasonOf } from '../../../base/command/exit.ts';
import { EnvironmentError, InputError } from '../../../base/hustings-error.ts';
import * as checker from '../../../checker/index.ts';
import * as cluster from '../../../cluster/index.ts';
import * as drawing from '../../../drawing/index.ts';
import * as elector from '../../../index.ts';
import * as driver from '../../../kernel/driver.ts';
import * as kernel from '../../../kernel/index.ts';
import * as fence from '../../../lease/fence/index.ts';
import * as lease from '../../../lease/index.ts';
import { STORES } from '../../../lease/stores/registry.ts';
import * as opentelemetry from '../../../opentelemetry/index.ts';
import type { CarriedFile } from '../../../queue/shared-work.ts';
import * as reproduce from '../../../reproduce/index.ts';
import * as shards from '../../../shards/index.ts';
import * as simulator from '../../../simulator/index.ts';
import * as sweep from '../../../sweep/index.ts';
import * as testing from '../../../testing/index.ts';
import * as threads from '../../../threads/index.ts';
import { firstErrorText, loadEsbuild } from './esbuild.ts';

type Exports = Readonly<Record<string, unknown>>;

const STORE_DOORS = await Promise.all(
  STORES.map(async ({ kind, load }) => [`hustings/lease/${kind}`, { ...(await load()) }] as const),
);

/** The entry points that a user's file may import: those of `exports` in package.json. */
export const DOORS: Readonly<Record<string, Exports>> = {
  hustings: elector,
  'hustings/kernel': kernel,
  'hustings/driver': driver,
  'hustings/algorithms': algorithms,
  'hustings/simulator': simulator,
  'hustings/sweep': sweep,
  'hustings/checker': checker,
  'hustings/checker/threads': threads,
  'hustings/drawing': drawing,
  'hustings/reproduce': reproduce,
  'hustings/lease': lease,
  'hustings/lease/fence': fence,
  'hustings/cluster': cluster,
  'hustings/shards': shards,
  'hustings/testing': testing,
  'hustings/opentelemetry': opentelemetry,
  ...Object.fromEntries(STORE_DOORS),
};

/** The file cannot be bundled; the text begins with the place. */
export class BundleError extends Error {}

export class Bundle {
  private readonly path: string;
  private readonly code: string;
  private readonly mapText: string;
  private readonly map: SourceMap;
  /** The name of this code in stack traces. It differs from every path. */
  private readonly frameName: string;

  private constructor(path: string, code: string, map: string) {
    this.path = resolve(path);
    this.code = code;
    this.mapText = map;
    this.map = new SourceMap(JSON.parse(map));
    this.frameName = `hustings-own:${this.path}`;
  }

  static async of(path: string): Promise<Bundle> {
    const { build, stop } = await loadEsbuild();
    const built = await build({
      entryPoints: [resolve(path)],
      bundle: true,
      write: false,
      outfile: 'own.js',
      format: 'cjs',
      // As in modules: writing an undeclared field is an error.
      banner: { js: "'use strict';" },
      platform: 'node',
      target: 'node20',
      sourcemap: 'external',
      logLevel: 'silent',
      plugins: [runningPackage],
    }).catch((error: BuildFailure) => {
      if (!Array.isArray(error.errors)) throw new EnvironmentError(reasonOf(error), error);
      throw new BundleError(firstErrorText(error, path));
    });
    await stop();
    const [map, code] = built.outputFiles;
    return new Bundle(path, code.text, map.text);
  }

  /** The bundle that `carry` made elsewhere. The file itself need not be on this machine. */
  static carried({ path, code, map, hash }: CarriedFile): Bundle {
    if (hashOf(code, map) === hash) return new Bundle(path, code, map);
    throw new InputError(
      `${path} does not have the hash ${hash} with which it was sent; start the sweep again`,
    );
  }

  /** `path` is the name of the file on the command line. */
  carry(path: string): CarriedFile {
    return { path, code: this.code, map: this.mapText, hash: hashOf(this.code, this.mapText) };
  }

  /** Runs the code, and returns its exports. `doors` are the modules of the package that it can import. */
  run(doors: Readonly<Record<string, Exports>>): Exports {
    const own = { exports: {} };
    const require = createRequire(this.path);
    const run = compileFunction(this.code, ['module', 'exports', 'require', 'hustings'], {
      filename: this.frameName,
    });
    run(own, own.exports, require, doors);
    return own.exports;
  }

  /** `file:line:column` of the innermost frame in the user's code; null if there is none. */
  placeOf(error: unknown): string | null {
    const stack = error instanceof Error ? String(error.stack) : '';
    // A name with a line but no column is not a frame: Node may print the source line before the stack.
    const frames = stack.split(`${this.frameName}:`).slice(1);
    const [, line, column] =
      frames.map((text) => /^(\d+):(\d+)/.exec(text)).find((match) => match !== null) ?? [];
    if (line === undefined) return null;
    const entry = this.map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return null;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }
}

function hashOf(code: string, map: string): string {
  return createHash('sha256')
    .update(JSON.stringify([code, map]))
    .digest('hex');
}

/** Replaces each entry point by constants, one per export, so that a wrong name is found before anything runs. */
const runningPackage: Plugin = {
  name: 'hustings',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^hustings(\/|$)/ }, ({ path }) =>
      path in DOORS
        ? { path, namespace: 'the package' }
        : { errors: [{ text: `'${path}' must be one of ${Object.keys(DOORS).join(', ')}` }] },
    );
    onLoad({ filter: /./, namespace: 'the package' }, ({ path }) => ({
      contents: Object.keys(DOORS[path])
        .map((name) => `export const ${name} = hustings[${JSON.stringify(path)}].${name};`)
        .join('\n'),
    }));
  },
};
