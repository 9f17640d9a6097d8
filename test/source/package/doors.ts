/** What the doors of package.json export, found by reading the sources: no compiler is needed. */
import { posix } from 'node:path';
import { doorFile } from '../imports.ts';
import { lineAt, scan } from '../scan.ts';
import type { SourceFile } from '../source-file.ts';

export interface Declaration {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly isType: boolean;
  /** Whether a comment ends just before it. */
  readonly isDocumented: boolean;
}

const DECLARED =
  /^(export )?(?:declare |abstract |async |default )*(function\*?|class|interface|type|const|let|enum) ([A-Za-z_$][\w$]*)/gm;
const STAR = /^export (?:type )?\* from /gm;
const LIST = /^(export|import) (?:type )?\{([^}]*)\}( from )?/gm;

interface Module {
  readonly own: ReadonlyMap<string, Declaration & { readonly isExported: boolean }>;
  readonly stars: readonly string[];
  /** Exported name, name where it comes from, and the file, or undefined for this one. */
  readonly listed: readonly {
    readonly as: string;
    readonly name: string;
    readonly from: string | undefined;
  }[];
}

function readModule({ path, text }: SourceFile): Module {
  const { code, strings } = scan(text);
  const target = (offset: number): string => {
    const specifier = strings.get(code.indexOf("'", offset)) ?? '';
    return doorFile(specifier) ?? posix.join(posix.dirname(path), specifier);
  };
  const own = new Map<string, Declaration & { isExported: boolean }>();
  for (const match of code.matchAll(DECLARED)) {
    const [, exported, kind, name] = match;
    if (own.has(name) && !exported) continue;
    // An instruction to the linter may stand between the comment and the declaration.
    const before = text
      .slice(0, match.index)
      .replace(/(?:\s*\/\/ biome-ignore[^\n]*)+\s*$/, '')
      .trimEnd();
    own.set(name, {
      name,
      path,
      line: lineAt(text, match.index),
      isType: kind === 'interface' || kind === 'type' || kind === 'class',
      isDocumented: (own.get(name)?.isDocumented ?? false) || /\*\/$/.test(before),
      isExported: exported !== undefined,
    });
  }
  const stars = [...code.matchAll(STAR)].map(({ index, 0: all }) => target(index + all.length));
  const lists = [...code.matchAll(LIST)].flatMap(({ index, 0: all, 1: verb, 2: names, 3: from }) =>
    names
      .split(',')
      .map((each) => each.trim().replace(/^type /, ''))
      .filter((each) => each !== '')
      .map((each) => {
        const [name, as = name] = each.split(/\s+as\s+/);
        return { verb, as, name, from: from === undefined ? undefined : target(index + all.length) };
      }),
  );
  const imported = new Map(lists.filter(({ verb }) => verb === 'import').map((each) => [each.as, each]));
  const listed = lists
    .filter(({ verb }) => verb === 'export')
    .map(({ as, name, from }) => ({
      ...((from === undefined ? imported.get(name) : undefined) ?? { name, from }),
      as,
    }));
  return { own, stars, listed };
}

export class Exports {
  private readonly modules: ReadonlyMap<string, Module>;

  constructor(sources: readonly SourceFile[]) {
    this.modules = new Map(sources.map((source) => [source.path, readModule(source)]));
  }

  /** Every name that a module exports, with its declaration. */
  of(path: string): Map<string, Declaration> {
    const module = this.modules.get(path);
    if (module === undefined) throw new Error(`${path} is no module of src`);
    const found = new Map<string, Declaration>();
    for (const star of module.stars) for (const [name, each] of this.of(star)) found.set(name, each);
    for (const [name, each] of module.own) if (each.isExported) found.set(name, each);
    for (const { as, name, from } of module.listed) {
      const each = from === undefined ? module.own.get(name) : this.of(from).get(name);
      if (each !== undefined) found.set(as, each);
      else if (from !== undefined) throw new Error(`${path} exports ${name}, which ${from} does not`);
    }
    return found;
  }

  /** The declarations that are exported by some module, each once. */
  all(): Declaration[] {
    return [...this.modules.values()].flatMap(({ own }) =>
      [...own.values()].filter((each) => each.isExported),
    );
  }
}

/** Names with more than one meaning: the places of their declarations. */
export function ambiguous(declarations: Iterable<readonly [string, Declaration]>): string[] {
  const places = new Map<string, Set<string>>();
  for (const [name, { path, line }] of declarations) {
    places.set(name, (places.get(name) ?? new Set()).add(`${path}:${line}`));
  }
  return [...places]
    .filter(([, { size }]) => size > 1)
    .map(([name, all]) => `${name}: ${[...all].join(', ')}`);
}
