/** What the kernel offers to an author, with the comments of its declarations: read from its source, so that nothing is forgotten. */

export interface Offered {
  readonly name: string;
  /** What it is for. */
  readonly text: string;
  /** The names of the parameters of a method; null for a property. */
  readonly parameters: readonly string[] | null;
}

export interface KernelApi {
  /** What `ctx` has. */
  readonly context: readonly Offered[];
  /** The properties of objects in the definition, by the path to the object: '', 'assumes', 'invariants'. */
  readonly properties: Readonly<Record<string, readonly Offered[]>>;
  /** The texts that a property can have, by its path: 'assumes.network'. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** What '@hustings/study/kernel' exports at run time. */
  readonly exports: readonly Offered[];
}

/** The files of packages/study/src/kernel that are read. */
export const API_FILES = [
  ...['algorithm', 'appearance', 'assumptions', 'context', 'errors', 'field', 'invariant', 'law', 'measure'],
  ...['message', 'params'],
] as const;

/** The texts of the files, by name. */
export type KernelSources = Readonly<Record<(typeof API_FILES)[number], string>>;

/** `names` are the exports of '@hustings/study/kernel' at run time. The build calls it, and the page has the result. */
export function kernelApi(sources: KernelSources, names: readonly string[]): KernelApi {
  const declared = new Map(Object.values(sources).flatMap((source) => exportsIn(source)));
  const { algorithm, appearance, assumptions, context, invariant } = sources;
  const members = (source: string, name: string): Offered[] => membersIn(interfaceIn(source, name));
  return {
    context: membersIn(context),
    properties: {
      '': [...members(algorithm, 'Algorithm'), ...members(appearance, 'AppearanceDeclarations')],
      assumes: members(assumptions, 'Assumptions'),
      invariants: members(invariant, 'Invariants'),
    },
    values: {
      'assumes.network': textsOf(assumptions, 'Network'),
      'assumes.timing': textsOf(assumptions, 'TimingModel'),
      'assumes.ids': ['unique', 'anonymous'],
      'assumes.knows': textsOf(assumptions, 'Knowledge'),
      'assumes.faults': textsOf(assumptions, 'Fault'),
      trigger: textsOf(algorithm, 'Trigger'),
    },
    exports: names.map((name) => ({ name, text: declared.get(name) ?? '', parameters: null })),
  };
}

function plainText(comment: string): string {
  return comment.replace(/\s*\n\s*\*\s*/g, ' ').trim();
}

/** The declaration of an interface. */
function interfaceIn(source: string, name: string): string {
  const start = source.indexOf(`export interface ${name}`);
  if (start < 0) throw new RangeError(`there is no interface ${name}`);
  return source.slice(start, source.indexOf('\n}', start));
}

/** The members that have a comment. Every member of the kernel's API has one. */
function membersIn(source: string): Offered[] {
  const member =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(?:readonly )?(\w+)(?:<[^>]*>)?\??(?=[(:])(?:\(([^)]*)\))?/g;
  return [...source.matchAll(member)].map(([, comment, name, parameters]) => ({
    name,
    text: plainText(comment),
    parameters:
      parameters === undefined ? null : [...parameters.matchAll(/(\w+)\??: /g)].map(([, each]) => each),
  }));
}

/** Exported functions, constants and classes with their comments. */
function exportsIn(source: string): [name: string, text: string][] {
  const declaration =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+export (?:abstract )?(?:function|const|class) (\w+)/g;
  return [...source.matchAll(declaration)].map(([, comment, name]) => [name, plainText(comment)]);
}

/** The texts of a union type. */
function textsOf(source: string, name: string): string[] {
  const [, union = ''] = new RegExp(`export type ${name} =([^;]*);`).exec(source) ?? [];
  return [...union.matchAll(/'([^']*)'/g)].map(([, text]) => text);
}
