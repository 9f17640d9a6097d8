/**
 * An algorithm of the catalogue as one file: the modules that it imports come first, without their exports, and everything of
 * the kernel is imported from '@hustings/study/kernel'.
 */
import { lineAt, parseSource } from './source-tree.ts';

/** Reads a file of packages/study/src/algorithms by its path in that folder. */
export type ReadSource = (path: string) => Promise<string>;

interface Declaration {
  readonly names: readonly string[];
  readonly text: string;
  readonly isExported: boolean;
}

interface Module {
  readonly path: string;
  readonly imports: readonly { readonly path: string }[];
  readonly kernelNames: readonly string[];
  readonly declarations: readonly Declaration[];
  readonly comment: string;
}

/** The file of an algorithm among the paths of packages/study/src/algorithms: it has the algorithm's name. */
export function sourcePath(name: string, paths: readonly string[]): string {
  const found = paths.find((path) => path.endsWith(`/${name}.ts`) && !path.startsWith('broken/'));
  if (found === undefined) throw new RangeError(`there is no source of ${name}`);
  return found;
}

/** The text of a fork. `path` is that of the algorithm's file in packages/study/src/algorithms. */
export async function forkOf(path: string, read: ReadSource): Promise<string> {
  const modules: Module[] = [];
  const visit = async (at: string): Promise<void> => {
    if (modules.some((module) => module.path === at)) return;
    const module = readModule(at, await read(at));
    for (const { path: imported } of module.imports) await visit(imported);
    if (!modules.some((other) => other.path === at)) modules.push(module);
  };
  await visit(path);
  const main = modules[modules.length - 1];
  const kernel = [...new Set(modules.flatMap(({ kernelNames }) => kernelNames))];
  // A name without `type` imports the type as well.
  const names = kernel.filter((name) => !name.startsWith('type ') || !kernel.includes(name.slice(5)));
  const taken = new Map<string, string>();
  const parts: string[] = [];
  for (const module of modules) {
    const renamed = new Map<string, string>();
    for (const { names: declared, text } of module.declarations) {
      for (const name of declared) {
        const other = taken.get(name);
        if (other !== undefined && other !== text) renamed.set(name, `${name}${taken.size}`);
      }
    }
    for (const { isExported, names: declared, text } of module.declarations) {
      if (declared.length > 0 && declared.every((name) => taken.get(name) === text)) continue;
      for (const name of declared) taken.set(renamed.get(name) ?? name, text);
      const body = rename(text, renamed);
      parts.push(
        module === main && isExported ? body.replace(/^((?:\/\*[\s\S]*?\*\/\s*)?)/, '$1export ') : body,
      );
    }
  }
  const head = main.comment === '' ? '' : `${main.comment}\n`;
  return `${head}import { ${sorted(names).join(', ')} } from '@hustings/study/kernel';\n\n${parts.join('\n\n')}\n`;
}

function sorted(names: readonly string[]): string[] {
  const key = (name: string): string => name.replace(/^type /, '').toLowerCase();
  return [...names].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function readModule(path: string, text: string): Module {
  const tree = parseSource(text);
  const imports: { path: string }[] = [];
  const kernelNames: string[] = [];
  const declarations: Declaration[] = [];
  const spaces: string[] = [];
  let comment = '';
  let pending: number | null = null;
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    const { from, name, to } = node;
    if (name === 'BlockComment' || name === 'LineComment') {
      if (imports.length === 0 && kernelNames.length === 0 && declarations.length === 0 && comment === '')
        comment = text.slice(from, to);
      else pending ??= from;
      continue;
    }
    if (name === 'ImportDeclaration') {
      const source = node.getChild('String');
      if (source === null) throw new Error(`${path}:${lineAt(text, from)}: an import without a module`);
      const module = text.slice(source.from + 1, source.to - 1);
      if (/kernel\/index\.ts$/.test(module)) kernelNames.push(...importedNames(text.slice(from, to)));
      else imports.push({ path: resolve(path, module) });
      const [, space] = /^import\s+\*\s+as\s+(\w+)/.exec(text.slice(from, to)) ?? [];
      if (space !== undefined) spaces.push(space);
      pending = null;
      continue;
    }
    const isExported = name === 'ExportDeclaration';
    const inner = isExported ? node.firstChild?.nextSibling : node;
    if (inner === null || inner === undefined) throw new Error(`${path}: an export that cannot be inlined`);
    const before = pending === null ? '' : text.slice(pending, from);
    pending = null;
    const names = [];
    for (let part = inner.firstChild; part !== null; part = part.nextSibling) {
      if (part.name === 'VariableDefinition' || part.name === 'TypeDefinition')
        names.push(text.slice(part.from, part.to));
    }
    declarations.push({
      names,
      isExported,
      text: withoutSpaces(`${before}${text.slice(inner.from, to)}`, spaces),
    });
  }
  return { path, imports, kernelNames, declarations, comment };
}

/** `space.name` of `import * as space` becomes `name`. */
function withoutSpaces(text: string, spaces: readonly string[]): string {
  return spaces.reduce((result, space) => result.replace(new RegExp(`\\b${space}\\.(?=\\w)`, 'g'), ''), text);
}

/** The names between the braces, each with `type` if only its type is imported. */
function importedNames(declaration: string): string[] {
  const [, isType, list = ''] = /^import\s+(type\s)?\s*\{([^}]*)\}/.exec(declaration) ?? [];
  return list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .map((name) => (isType ? `type ${name}` : name));
}

function resolve(from: string, to: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of to.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Renames variables and types, not properties. */
function rename(text: string, names: ReadonlyMap<string, string>): string {
  if (names.size === 0) return text;
  let renamed = '';
  let end = 0;
  parseSource(text).iterate({
    enter: ({ from, name, to }) => {
      if (!['VariableName', 'VariableDefinition', 'TypeName', 'TypeDefinition'].includes(name)) return;
      const other = names.get(text.slice(from, to));
      if (other === undefined) return;
      renamed += text.slice(end, from) + other;
      end = to;
    },
  });
  return renamed + text.slice(end);
}
