/**
 * Packages of hustings that are installed beside the running program. The command line offers their verbs, and some verbs use
 * one another's, without a dependency between the packages.
 *
 * Guarantees: a package is looked for beside the program, then from the working directory; one of another version is refused,
 * because the packages call each other's internal functions.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EnvironmentError, InputError } from '../hustings-error.ts';
import { reasonOf } from './exit.ts';
import { versionOfPackage } from './package-version.ts';

type Exports = Readonly<Record<string, unknown>>;

interface OtherPackage {
  readonly folder: string;
  readonly version: string;
  /** The files of its doors: './verbs' is './dist/cli/verbs.js'. */
  readonly doors: Readonly<Record<string, string>>;
}

/** Doors of the command line, patterns, and the file of the package itself. */
const NOT_FOR_USERS = /\*|^\.\/(package\.json|verbs|shared|recordings)$/;

/** An entry of `exports`: its last condition is the ES module. */
type Target = string | { readonly default: Target };

function fileOf(target: Target): string {
  return typeof target === 'string' ? target : fileOf(target.default);
}

const known = new Map<string, OtherPackage>();

/** Null if the package is not installed. */
export function findPackage(name: string): OtherPackage | null {
  const before = known.get(name);
  if (before !== undefined) return before;
  for (const from of [import.meta.url, process.argv[1], join(process.cwd(), 'package.json')]) {
    const found = from === undefined ? null : packageFrom(from, name);
    if (found === null) continue;
    known.set(name, found);
    return found;
  }
  return null;
}

function packageFrom(from: string, name: string): OtherPackage | null {
  let path: string;
  try {
    path = createRequire(from).resolve(`${name}/package.json`);
  } catch {
    return null;
  }
  const { version, exports } = JSON.parse(readFileSync(path, 'utf8'));
  const doors = Object.entries<Target>(exports).map(([door, target]) => [door, fileOf(target)]);
  return { folder: dirname(path), version, doors: Object.fromEntries(doors) };
}

/** The public doors of a package, as in its `exports`; none if it is not installed. */
export function doorsOf(name: string): readonly string[] {
  return Object.keys(findPackage(name)?.doors ?? {}).filter((door) => !NOT_FOR_USERS.test(door));
}

/** `user` is what needs the package, such as `'hustings simulate'`. */
export async function loadDoor(name: string, door: string, user: string): Promise<Exports> {
  const found = findPackage(name);
  const own = versionOfPackage();
  if (found === null) {
    throw new InputError(
      `${user} needs the package ${name}, which is not installed: npm install hustings@${own} ${name}@${own}`,
    );
  }
  if (found.version !== own) {
    throw new InputError(
      `${user} needs ${name} ${own}, and ${found.folder} has ${found.version}: npm install hustings@${own} ${name}@${own}`,
    );
  }
  try {
    return await import(pathToFileURL(join(found.folder, found.doors[door])).href);
  } catch (error) {
    throw new EnvironmentError(`${name} cannot be loaded: ${reasonOf(error)}; install it again`, error);
  }
}
