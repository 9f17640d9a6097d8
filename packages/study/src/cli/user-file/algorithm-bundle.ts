/**
 * Bundles a user's file and its imports into one function. Types are stripped, and imports of `hustings` and `@hustings/…` resolve to the
 * running packages, wherever the file is.
 *
 * Guarantees: nothing is written to disk; an error that the code throws is mapped to the line of the user's source.
 * Does not isolate the code: it runs in this process, with all its permissions.
 */
import { createHash } from 'node:crypto';
import { createRequire, SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import { EnvironmentError, InputError } from '@hustings/base';
import { reasonOf } from '@hustings/base/command/exit';
import { doorsOf, loadDoor } from '@hustings/base/command/other-package';
import type { BuildFailure, Plugin } from 'esbuild';
import { firstErrorText, loadEsbuild } from './esbuild.ts';

/** A file of a user with its imports, as data. */
export interface CarriedFile {
  /** The name of the file on the command line. */
  readonly path: string;
  readonly code: string;
  readonly map: string;
  /** SHA-256 of code and map. */
  readonly hash: string;
}

type Exports = Readonly<Record<string, unknown>>;

type Doors = Readonly<Record<string, () => Promise<Exports>>>;

/** The entry points of this package that a user's file may import. Only those that it imports are loaded. */
const OWN_DOORS: Doors = {
  '@hustings/study/kernel': () => import('../../kernel/index.ts'),
  '@hustings/study/driver': () => import('../../kernel/driver.ts'),
  '@hustings/study/algorithms': () => import('../../algorithms/index.ts'),
  '@hustings/study/simulator': () => import('../../simulator/index.ts'),
  '@hustings/study/sweep': () => import('../../sweep/index.ts'),
  '@hustings/study/checker': () => import('../../checker/index.ts'),
  '@hustings/study/checker/threads': () => import('../../threads/index.ts'),
  '@hustings/study/drawing': () => import('../../drawing/index.ts'),
};

/** Packages whose entry points a user's file may import as well, if they are installed. */
const OTHER_PACKAGES = ['hustings', '@hustings/cluster', '@hustings/claims'];

/** All doors of the installed packages. */
export function allDoors(): Doors {
  const others = OTHER_PACKAGES.flatMap((name) =>
    doorsOf(name).map((door) => [name + door.slice(1), () => loadDoor(name, door, 'a file that imports it')]),
  );
  return { ...OWN_DOORS, ...Object.fromEntries(others) };
}

async function load(name: string): Promise<Exports | undefined> {
  return (OWN_DOORS[name] ?? allDoors()[name])?.();
}

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

  /** The modules of the package that the code imports, loaded. */
  async doors(): Promise<Readonly<Record<string, Exports>>> {
    const names = new Set([...this.code.matchAll(DOOR_IN_CODE)].map(([, name]) => name));
    const loaded = [...names].map(async (name) => [name, (await load(name)) ?? {}] as const);
    return Object.fromEntries(await Promise.all(loaded));
  }

  /** Runs the code, and returns its exports. `doors` are the modules of the package that it imports. */
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

/** How the code of a bundle reads an export of a door. */
const DOOR_IN_CODE = /\bhustings\["((?:@hustings\/|hustings)[^"]*)"\]/g;

/** Replaces each entry point by constants, one per export, so that a wrong name is found before anything runs. */
const runningPackage: Plugin = {
  name: 'hustings',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(@hustings\/|hustings(\/|$))/ }, ({ path }) => {
      const doors = allDoors();
      return path in doors
        ? { path, namespace: 'the package' }
        : { errors: [{ text: `'${path}' must be one of ${Object.keys(doors).join(', ')}` }] };
    });
    onLoad({ filter: /./, namespace: 'the package' }, async ({ path }) => ({
      contents: Object.keys((await load(path)) ?? {})
        .map((name) => `export const ${name} = hustings[${JSON.stringify(path)}].${name};`)
        .join('\n'),
    }));
  },
};
