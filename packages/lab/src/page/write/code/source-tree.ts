/** What the lab must know of a source text before it runs: its imports, its syntax errors, its handlers and its statements. */
import { parser } from '@lezer/javascript';
import type { CodeProblem } from '../../../model/write/code-problem.ts';

/** A handler of an algorithm by name, with the line on which it begins. */
export interface HandlerPlace {
  readonly name: string;
  readonly line: number;
}

const typescript = parser.configure({ dialect: 'ts' });

export type SourceTree = ReturnType<typeof typescript.parse>;

export function parseSource(text: string): SourceTree {
  return typescript.parse(text);
}

/** The number of the line at an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** The modules that the code may import. */
export const ALLOWED_IMPORTS: readonly string[] = ['@hustings/study/kernel'];

/** Imports of anything else, and code that loads code. */
export function importProblems(text: string, tree = parseSource(text)): CodeProblem[] {
  const problems: CodeProblem[] = [];
  tree.iterate({
    enter: ({ from, name, node }) => {
      if (name === 'DynamicImport')
        problems.push({ line: lineAt(text, from), text: 'import() cannot be used: import at the top' });
      if (name !== 'ImportDeclaration' && name !== 'ExportDeclaration') return;
      const source = node.getChild('String');
      if (source === null) return;
      const module = text.slice(source.from + 1, source.to - 1);
      if (ALLOWED_IMPORTS.includes(module)) return;
      problems.push({
        line: lineAt(text, source.from),
        text: `'${module}' cannot be imported here: only ${ALLOWED_IMPORTS.join(', ')} can`,
      });
    },
  });
  return problems;
}

/** The methods of the definition, and of its `on`, in the order of the text. */
export function handlersIn(text: string, tree = parseSource(text)): HandlerPlace[] {
  const handlers: HandlerPlace[] = [];
  tree.iterate({
    enter: ({ from, name, node }) => {
      if (name !== 'Property') return;
      const key = node.getChild('PropertyDefinition');
      const isFunction =
        node.getChild('ParamList') !== null ||
        node.getChild('ArrowFunction') !== null ||
        node.getChild('FunctionExpression') !== null;
      if (key !== null && isFunction)
        handlers.push({ name: text.slice(key.from, key.to), line: lineAt(text, from) });
    },
  });
  return handlers;
}

/** Statements that stand in a block or at the top: a call can be inserted before each of them. */
const STATEMENTS: ReadonlySet<string> = new Set([
  'ExpressionStatement',
  'VariableDeclaration',
  'IfStatement',
  'ForStatement',
  'WhileStatement',
  'DoStatement',
  'SwitchStatement',
  'ReturnStatement',
  'ThrowStatement',
  'TryStatement',
  'BreakStatement',
  'ContinueStatement',
]);

/** The offsets of the statements inside functions, with their lines. */
export function statementsIn(
  text: string,
  tree = parseSource(text),
): { readonly offset: number; readonly line: number }[] {
  const found: { offset: number; line: number }[] = [];
  tree.iterate({
    enter: ({ from, name, node }) => {
      if (STATEMENTS.has(name) && node.parent?.name === 'Block')
        found.push({ offset: from, line: lineAt(text, from) });
    },
  });
  return found;
}
