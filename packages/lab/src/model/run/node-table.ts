/** The text alternative of the network: the declared state of every node at the cursor, as text. */
import type { Decision } from '@hustings/study/driver';
import type { RunModel } from './run-model.ts';

/** A table form of a drawing. */
export interface NodeTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The nodes at the cursor: one row per position, one column per field of the state. */
export function nodesTable(model: RunModel): NodeTable {
  const { nodes } = model.snapshot();
  const fields = Object.keys(model.algorithm.state);
  const timers = model.algorithm.timers ?? [];
  return {
    caption: 'The nodes at the cursor',
    columns: [
      'position',
      'id',
      'role',
      'decision',
      ...fields,
      ...timers.map((timer: string) => `timer ${timer}`),
    ],
    rows: nodes.map(({ decision, id, isDead, position, role, state, timers: running }) => [
      String(position),
      id === null ? '–' : String(id),
      isDead ? 'crashed' : role,
      decision === null ? '–' : decisionText(decision),
      ...fields.map((field) => valueText(state[field])),
      ...timers.map((timer: string) => (running[timer] === undefined ? '–' : String(running[timer]))),
    ]),
  };
}

/** A value of a field for people; a field without a value is a dash. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === -1) return '–';
  return Array.isArray(value) ? (value.length === 0 ? '∅' : value.join(' ')) : String(value);
}

function decisionText({ leader, role, term }: Decision): string {
  const inTerm = term > 0 ? ` in term ${term}` : '';
  return role === 'leader' ? `leads${inTerm}` : `follows${leader === null ? '' : ` ${leader}`}${inTerm}`;
}
