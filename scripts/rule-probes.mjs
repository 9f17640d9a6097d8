// Inserts into the source of an algorithm a call at each line with a rule tag, such as `ctx.forward(NEXT); // R2, R3`, so that
// a page can say which rules a step ran. No line moves. The bundler of the lab does this; other programs run the source as it is.

import { parser } from '@lezer/javascript';

/** @typedef {import('@lezer/common').SyntaxNode} SyntaxNode */

const TAG = /\/\/ (R\d+(?:, R\d+)*)\b/;
const STATEMENT = /(Statement|VariableDeclaration)$/;
/** A statement in one of these can be preceded by another. */
const LISTS = new Set(['Block', 'SwitchBody', 'Script']);
const typescript = parser.configure({ dialect: 'ts' });

/**
 * @param {string} text
 * @param {string} file
 * @param {string} log the module with `ranRule` and `withRule`
 * @returns {string}
 */
export function withRuleProbes(text, file, log) {
  const tree = typescript.parse(text);
  /** @type {{ at: number, text: string }[]} */
  const insertions = [];
  let start = 0;
  text.split('\n').forEach((line, index) => {
    const end = start + line.length;
    const found = TAG.exec(line);
    if (found !== null) {
      const rule = `'${found[1]}', ${index + 1}, '${file}'`;
      insertions.push(...probesAt(tree.topNode, text, start, start + found.index, rule));
    }
    start = end + 1;
  });
  if (insertions.length === 0) return text;
  let probed = `import { ranRule, withRule } from '${log}'; `;
  let end = 0;
  for (const { at, text: inserted } of insertions.sort((a, b) => a.at - b.at)) {
    probed += text.slice(end, at) + inserted;
    end = at;
  }
  return probed + text.slice(end);
}

/**
 * The innermost statement that ends before the tag; otherwise one that begins there, with a block; otherwise a handler that is
 * defined elsewhere.
 * @param {SyntaxNode} top
 * @param {string} text
 * @param {number} start of the line
 * @param {number} tag
 * @param {string} rule
 * @returns {{ at: number, text: string }[]}
 */
function probesAt(top, text, start, tag, rule) {
  const before = text.slice(0, tag).trimEnd().length;
  /** @type {SyntaxNode | null} */
  let ends = null;
  /** @type {SyntaxNode | null} */
  let begins = null;
  /** @type {SyntaxNode | null} */
  let handler = null;
  top.cursor().iterate(({ from, name, node, to }) => {
    if (STATEMENT.test(name) && node.parent?.name !== 'Script') {
      if (to === before || (to > start && to <= before)) ends = node;
      if (from >= start && from < tag && blockOf(node) !== null) begins = node;
    }
    if (name === 'Property' && from >= start && to <= before) {
      const value = node.lastChild;
      if (value?.name === 'VariableName') handler = value;
    }
  });
  const statement = /** @type {SyntaxNode | null} */ (ends ?? begins);
  const call = `ranRule(${rule});`;
  if (statement === null) {
    const value = /** @type {SyntaxNode | null} */ (handler);
    if (value === null) return [];
    return [
      { at: value.from, text: 'withRule(' },
      { at: value.to, text: `, ${rule})` },
    ];
  }
  const block = blockOf(statement);
  if (block !== null) return [{ at: block.from + 1, text: call }];
  if (LISTS.has(statement.parent?.name ?? '')) return [{ at: statement.from, text: call }];
  return [
    { at: statement.from, text: `{${call}` },
    { at: statement.to, text: '}' },
  ];
}

/**
 * The block of a statement such as `if (x) { … }`.
 * @param {SyntaxNode} statement
 * @returns {SyntaxNode | null}
 */
function blockOf(statement) {
  return statement.getChild('Block');
}
