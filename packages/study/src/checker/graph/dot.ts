/** A state graph in the DOT language of Graphviz. */
import type { NodeView } from '../../kernel/world/node-view.ts';
import type { GraphState, StateGraph } from './state-graph.ts';

/** One line per state and per step. A terminal state is a double circle, a leader is gold, a violation red. */
export function formatDot({ setup, states, edges }: StateGraph): string {
  return [
    `digraph ${quoted(setup.algorithm.name)} {`,
    `  label=${quoted(`${setup.algorithm.title}, ${setup.nodes} nodes: ${states.length} states, ${edges.length} steps`)}`,
    '  rankdir=LR',
    '  node [shape=circle fontsize=10 style=filled fillcolor=white]',
    '  edge [fontsize=9]',
    ...states.map((state) => `  ${state.number} [${attributesOf(state)}]`),
    ...edges.map(({ from, to, step }) => `  ${from} -> ${to} [label=${quoted(step)}]`),
    '}',
    '',
  ].join('\n');
}

function attributesOf(state: GraphState): string {
  const hasLeader = state.nodes.some(({ decision }) => decision?.role === 'leader');
  const fill = state.violation !== null ? '#f9e7e8' : hasLeader ? '#fcf1cf' : null;
  const parts = [`tooltip=${quoted(textOf(state))}`];
  if (state.isTerminal) parts.push('shape=doublecircle');
  if (fill !== null) parts.push(`fillcolor=${quoted(fill)}`);
  if (state.violation !== null) parts.push('color="#a3142e"');
  return parts.join(' ');
}

function textOf({ nodes, messages, violation }: GraphState): string {
  return [...nodes.map(nodeText), ...messages, ...(violation === null ? [] : [violation])].join('\n');
}

function nodeText({ position, status, decision, state }: NodeView): string {
  const fields = Object.entries(state).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? `[${value}]` : value}`,
  );
  return [position, status === 'awake' ? '' : status, ...fields, decision?.role ?? '']
    .filter((part) => part !== '')
    .join(' ');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
