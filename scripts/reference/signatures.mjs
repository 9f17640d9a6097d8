// Finds types that a user of a door meets but cannot name: a signature mentions them, and no door exports them.
// Reads the built declarations, where every signature is spelled out.

import { join, relative } from 'node:path';
import ts from 'typescript6';

/**
 * @param {string} root
 * @param {readonly import('../sources.mjs').Door[]} doors
 * @returns {string[]}
 */
export function unexportedTypes(root, doors) {
  const program = ts.createProgram(
    doors.map(({ types }) => join(root, types)),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      skipLibCheck: true,
    },
  );
  const checker = program.getTypeChecker();
  const ownFolder = `${join(root, 'packages')}/`;
  const isOwn = (/** @type {ts.Symbol} */ symbol) =>
    symbol.declarations?.some((each) => each.getSourceFile().fileName.startsWith(ownFolder)) ?? false;
  const isInternal = (/** @type {ts.Node} */ node) =>
    ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
  // A conditional or mapped type is computed with: a user meets its result, not its name.
  const isTypeFunction = (/** @type {ts.Symbol} */ symbol) =>
    symbol.declarations?.every(
      (each) =>
        ts.isTypeAliasDeclaration(each) &&
        (ts.isConditionalTypeNode(each.type) || ts.isMappedTypeNode(each.type)),
    ) ?? false;
  const target = (/** @type {ts.Symbol} */ symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  const exported = new Map(
    doors.map(({ specifier, types }) => {
      const module = checker.getSymbolAtLocation(
        /** @type {ts.SourceFile} */ (program.getSourceFile(join(root, types))),
      );
      const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
      return [specifier, new Set(symbols.map(target))];
    }),
  );

  const nameable = new Set([...exported.values()].flatMap((symbols) => [...symbols]));
  /** @type {Map<ts.Symbol, string>} */
  const gaps = new Map();
  for (const [door, own] of exported) {
    for (const symbol of own) {
      for (const declaration of symbol.declarations ?? []) {
        if (!declaration.getSourceFile().fileName.startsWith(ownFolder)) continue;
        visit(declaration, (/** @type {ts.Symbol} */ used) => {
          if (!isOwn(used) || isTypeFunction(used) || nameable.has(used) || gaps.has(used)) return;
          if (used.declarations?.some(isInternal)) return;
          const file = relative(root, used.declarations?.[0].getSourceFile().fileName ?? '');
          gaps.set(used, `no door exports ${used.name} (${file}), which ${symbol.name} of ${door} mentions`);
        });
      }
    }
  }
  return [...gaps.values()];

  /** @param {ts.Node} node @param {(used: ts.Symbol) => void} found */
  function visit(node, found) {
    if (isInternal(node)) return;
    if (ts.isTypeParameterDeclaration(node)) {
      ts.forEachChild(node, (child) => visit(child, found));
      return;
    }
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : ts.isImportTypeNode(node)
          ? node.qualifier
          : undefined;
    if (name !== undefined) {
      const symbol = checker.getSymbolAtLocation(name);
      const named = symbol === undefined ? undefined : target(symbol);
      if (named !== undefined && !(named.flags & ts.SymbolFlags.TypeParameter)) found(named);
    }
    ts.forEachChild(node, (child) => visit(child, found));
  }
}
