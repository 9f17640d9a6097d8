// The reference, and what it lacks: exports without a comment, and types that a signature names but no door exports.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application, Comment, LogLevel, ReflectionKind } from 'typedoc';
import { unexportedTypes } from './signatures.mjs';

const TOP_LEVEL = ['Class', 'Interface', 'TypeAlias', 'Function', 'Variable', 'Enum'];

/**
 * @param {string} root the repository, built
 * @param {string} out the folder to write
 * @returns {Promise<string[]>} the gaps, one line each
 */
export async function writeReference(root, out) {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {[door: string, built: string][]} */
  const doors = Object.entries(exports).map(([path, { types }]) => [name + path.slice(1), types]);
  const sourceOf = (/** @type {string} */ built) =>
    join(root, built.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts'));

  const app = await Application.bootstrap({
    name,
    entryPoints: doors.map(([, built]) => sourceOf(built)),
    tsconfig: join(root, 'scripts', 'reference', 'tsconfig.json'),
    // `tsc -b` has checked the sources; the TypeScript of this folder only reads them.
    skipErrorChecking: true,
    excludePrivate: true,
    excludeProtected: true,
    excludeInternal: true,
    readme: 'none',
    disableSources: true,
    requiredToBeDocumented: TOP_LEVEL,
    validation: { notDocumented: true, notExported: false, invalidLink: true },
    logLevel: LogLevel.Warn,
  });
  /** @type {string[]} */
  const gaps = [];
  app.logger.log = (message, level) => {
    if (level >= LogLevel.Warn) gaps.push(message);
  };
  const project = await app.convert();
  if (project === undefined) return [...gaps, 'typedoc read no sources'];
  describeModules(project, doors, sourceOf);
  app.validate(project);
  await app.generateDocs(project, out);
  return [...gaps, ...unexportedTypes(root, doors)];
}

/**
 * A module is called by its door, not by its file, and is described by the comment at the head of that file.
 * @param {import('typedoc').ProjectReflection} project
 * @param {[door: string, built: string][]} doors
 * @param {(built: string) => string} sourceOf
 */
function describeModules(project, doors, sourceOf) {
  const byFile = new Map(
    doors.map(([door, built]) => [built.replace(/^\.\/dist\/|(\/index)?\.d\.ts$/g, ''), { door, built }]),
  );
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    const found = byFile.get(module.name);
    if (found === undefined) continue;
    module.name = found.door;
    const [, head = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(sourceOf(found.built), 'utf8')) ?? [];
    const text = head.replace(/^\s*\* ?/gm, ' ').trim();
    if (text !== '') module.comment = new Comment([{ kind: 'text', text }]);
  }
}
