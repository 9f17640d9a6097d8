// The reference, and what it lacks: exports without a comment, and types that a signature names but no door exports.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application, Comment, LogLevel, ReflectionKind } from 'typedoc';
import { PUBLIC_DOORS } from '../sources.mjs';
import { unexportedTypes } from './signatures.mjs';

const TOP_LEVEL = ['Class', 'Interface', 'TypeAlias', 'Function', 'Variable', 'Enum'];

/**
 * @param {string} root the repository, built
 * @param {string} out the folder to write
 * @returns {Promise<string[]>} the gaps, one line each
 */
export async function writeReference(root, out) {
  const app = await Application.bootstrap({
    name: 'hustings',
    entryPoints: PUBLIC_DOORS.map(({ source }) => join(root, source)),
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
  describeModules(project, root);
  app.validate(project);
  await app.generateDocs(project, out);
  return [...gaps, ...unexportedTypes(root, PUBLIC_DOORS)];
}

/**
 * A module is called by its door, not by its file, and is described by the comment at the head of that file.
 * @param {import('typedoc').ProjectReflection} project
 * @param {string} root
 */
function describeModules(project, root) {
  const byFile = new Map(
    PUBLIC_DOORS.map((door) => [door.source.replace(/^packages\/|(\/index)?\.ts$/g, ''), door]),
  );
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    const found = byFile.get(module.name);
    if (found === undefined) continue;
    module.name = found.specifier;
    const [, head = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(join(root, found.source), 'utf8')) ?? [];
    const text = head.replace(/^\s*\* ?/gm, ' ').trim();
    if (text !== '') module.comment = new Comment([{ kind: 'text', text }]);
  }
}
