/**
 * The registry of verbs, in the order of `hustings --help`: those of this package, and the names of those that other packages
 * bring. No verb of this package loads another package.
 */

import { InputError } from '@hustings/base';
import { findPackage, loadDoor } from '@hustings/base/command/other-package';
import { versionOfPackage } from '@hustings/base/command/package-version';
import type { VerbTable } from '@hustings/base/command/verb';
import { LEASE_VERBS } from './verbs.ts';

/** The verbs of the other packages by package. */
export const OTHER_VERBS: Readonly<Record<string, readonly string[]>> = {
  '@hustings/cluster': ['node', 'maelstrom', 'cluster'],
  '@hustings/study': ['welcome', 'algorithms', 'run', 'simulate', 'sweep', 'check', 'replay'],
  '@hustings/claims': ['reproduce'],
  '@hustings/queue': ['worker', 'queue'],
  '@hustings/lab': ['lab'],
};

export const VERB_NAMES: readonly string[] = [
  ...Object.keys(LEASE_VERBS),
  ...Object.values(OTHER_VERBS).flat(),
];

/** The table that has the verb. */
export async function verbsWith(verb: string): Promise<VerbTable> {
  if (Object.hasOwn(LEASE_VERBS, verb)) return LEASE_VERBS;
  const [name] = Object.entries(OTHER_VERBS).find(([, verbs]) => verbs.includes(verb)) ?? [];
  if (name === undefined) return {};
  if (findPackage(name) === null) {
    const version = versionOfPackage();
    throw new InputError(
      `${verb} is in the package ${name}, which is not installed: npm install ${name}@${version}; without an installation: ` +
        `npx -p hustings@${version} -p ${name}@${version} hustings ${verb} …`,
    );
  }
  return verbsOf(name, verb);
}

async function verbsOf(name: string, verb: string): Promise<VerbTable> {
  return (await loadDoor(name, './verbs', `'hustings ${verb}'`)).verbs as VerbTable;
}

/** All verbs of the installed packages, and the packages that are not installed or have another version. */
export async function installedVerbs(): Promise<{ verbs: VerbTable; missing: readonly string[] }> {
  const names = Object.keys(OTHER_VERBS);
  const isUsable = (name: string): boolean => findPackage(name)?.version === versionOfPackage();
  const tables = names.filter(isUsable).map((name) => verbsOf(name, '--help'));
  return {
    verbs: Object.assign({}, LEASE_VERBS, ...(await Promise.all(tables))),
    missing: names.filter((name) => !isUsable(name)),
  };
}
