/** The table twins of the drawings of a run: the same facts as rows of text. */
import { formatFigure } from '../../../kernel/law-text.ts';
import { formatEvent, formatMessage, type TraceEvent } from '../../../kernel/trace.ts';
import type { RunModel } from './run-model.ts';
import { nodeName } from './step-effect.ts';

/** A table form of a drawing. */
export interface RunTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The nodes at the cursor: one row per position, one column per field of the state. */
export function nodesTable(model: RunModel): RunTable {
  const { nodes } = model.snapshot();
  const fields = Object.keys(model.algorithm.state);
  const timers = model.algorithm.timers ?? [];
  return {
    caption: 'Nodes',
    columns: [
      'position',
      'id',
      'role',
      'leader',
      ...fields,
      ...timers.map((timer: string) => `timer ${timer}`),
    ],
    rows: nodes.map(({ decision, id, isDead, position, role, state, timers: running }) => [
      String(position),
      id === null ? '–' : String(id),
      isDead ? 'crashed' : role,
      decision === null ? '–' : decision.leader === null ? decision.role : String(decision.leader),
      ...fields.map((field) => valueText(state[field])),
      ...timers.map((timer: string) => (running[timer] === undefined ? '–' : String(running[timer]))),
    ]),
  };
}

/** The messages in flight at the cursor, oldest first. */
export function messagesTable(model: RunModel): RunTable {
  const trace = model.trace();
  return {
    caption: 'Messages in flight',
    columns: ['from', 'to', 'message', 'sent at step'],
    rows: model
      .snapshot()
      .messages.map((message) => [
        nodeName(model.world, message.from),
        nodeName(model.world, message.to),
        formatMessage(message.message),
        String(trace.sentPosition(message)),
      ]),
  };
}

/** The events of the branch, up to the cursor by default; the last `most` of them. */
export function eventsTable(model: RunModel, most = 200): RunTable {
  const trace = model.trace();
  const events = trace.events('units').slice(0, trace.eventsBefore(model.position));
  const shown = events.filter(({ type }) => type !== 'state').slice(-most);
  return {
    caption: 'Events so far',
    columns: ['time', 'event'],
    rows: shown.map((event) => [formatFigure(event.time), eventText(event)]),
  };
}

function eventText(event: TraceEvent): string {
  return formatEvent(event).replace(/^\S+ /, '');
}

/** A value of a field for people; a field without a value is a dash. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === -1) return '–';
  return Array.isArray(value) ? (value.length === 0 ? '∅' : value.join(' ')) : String(value);
}
