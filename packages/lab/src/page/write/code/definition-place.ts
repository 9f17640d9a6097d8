/** Where an offset is in the definition of an algorithm. */
import { parseSource } from './source-tree.ts';

export interface DefinitionPlace {
  /** The properties around it, outermost first: ['assumes', 'network']. A constant such as `const state = { … }` counts as one. */
  readonly path: readonly string[];
  /** A name of a property is expected, not its value. */
  readonly isName: boolean;
  /** The properties that the innermost object has already. */
  readonly present: readonly string[];
}

/** Null outside of a definition, and in the code of a function. */
export function definitionPlace(text: string, offset: number): DefinitionPlace | null {
  const path: string[] = [];
  let isName: boolean | null = null;
  let present: string[] = [];
  const nameOf = (node: { from: number; to: number }): string => text.slice(node.from, node.to);
  for (let node: SyntaxNode | null = parseSource(text).resolveInner(offset, -1); node; node = node.parent) {
    if (node.name === 'Block' || node.name === 'ParamList' || node.name === 'ArrowFunction') return null;
    if (node.name === 'ObjectExpression') {
      if (isName === null) {
        isName = path.length === 0;
        present = node
          .getChildren('Property')
          .filter(({ from, to }) => offset < from || offset > to)
          .flatMap((property) => property.getChildren('PropertyDefinition').map(nameOf));
      }
    } else if (node.name === 'Property') {
      const key = node.getChild('PropertyDefinition');
      if (key !== null && offset > key.to) path.unshift(nameOf(key));
    } else if (node.name === 'VariableDeclaration') {
      const variable = node.getChild('VariableDefinition');
      if (isName === null || variable === null) return null;
      return { path: [nameOf(variable), ...path], isName, present };
    } else if (node.name === 'CallExpression' && isName !== null) {
      const called = node.getChild('VariableName');
      if (called !== null && nameOf(called) === 'defineAlgorithm') return { path, isName, present };
    }
  }
  return null;
}

type SyntaxNode = ReturnType<ReturnType<typeof parseSource>['resolveInner']>;
