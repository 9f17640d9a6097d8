/** The message types of a picture: stroke, abbreviation, and which fields labels show. */
import type { TracedMessage } from '../../kernel/trace.ts';
import { textWidth } from '../text-box.ts';
import type { LineStyle } from './scene.ts';
import type { Purpose, Transfer } from './timeline.ts';

/** Strokes that differ in grey print; further types have an abbreviation in their labels. */
export const STROKES: Readonly<Record<Purpose, number>> = { election: 4, announcement: 2, upkeep: 1 };

export interface MessageTypeStyle extends LineStyle {
  readonly type: string;
  /** All fields, with the value if it is the same in every message of the picture. */
  readonly fields: readonly { readonly name: string; readonly constant: string | null }[];
  /** Precedes the values if strokes alone do not tell the types apart. */
  readonly prefix: string;
  /** The fields on the labels: those that vary, as many as fit. */
  readonly shown: readonly string[];
}

/** In order of first appearance. `room` is the width of a label; 0 if there are no labels. */
export function messageTypesOf(
  transfers: readonly Transfer[],
  size: number,
  room: number,
): ReadonlyMap<string, MessageTypeStyle> {
  const groups = new Map<string, Transfer[]>();
  for (const transfer of transfers) {
    const group = groups.get(transfer.message.type);
    if (group === undefined) groups.set(transfer.message.type, [transfer]);
    else group.push(transfer);
  }
  const styles = new Map<string, MessageTypeStyle>();
  const all = [...groups].map(([type, [{ purpose }]]) => ({ type, purpose }));
  for (const [type, group] of groups) {
    const { purpose } = group[0];
    const alike = all.filter((each) => each.purpose === purpose).map((each) => each.type);
    const prefix = alike.length > STROKES[purpose] ? uniqueBeginning(type, alike) : '';
    const messages = group.map(({ message }) => message);
    const fields = fieldsOf(messages);
    const varying = fields.filter(({ constant }) => constant === null).map(({ name }) => name);
    const shown: string[] = [];
    for (const name of varying) {
      const longer = [...shown, name];
      const widest = Math.max(
        ...messages.map((message) => textWidth(labelText(message, longer, prefix), size)),
      );
      if (widest > room && (shown.length > 0 || room === 0)) break;
      shown.push(name);
    }
    // Equal announcements need no label; an election message without one would look like a mistake.
    const isBare = varying.length === 0 && fields.length > 0 && purpose === 'election' && prefix === '';
    if (isBare && room > 0) shown.push(fields[0].name);
    const stroke = alike.indexOf(type) % STROKES[purpose];
    styles.set(type, { type, purpose, stroke, fields, prefix, shown });
  }
  return styles;
}

/** A single message varies: its values are worth a label. */
function fieldsOf(messages: readonly TracedMessage[]): MessageTypeStyle['fields'] {
  const { type: _, ...first } = messages[0];
  return Object.keys(first).map((name) => {
    const values = new Set(messages.map((message) => fullValue(message[name])));
    return { name, constant: values.size === 1 && messages.length > 1 ? [...values][0] : null };
  });
}

/** The text on an arrow; '' if it needs none. */
export function labelOf(message: TracedMessage, { prefix, shown }: MessageTypeStyle): string {
  return labelText(message, shown, prefix);
}

function labelText(message: TracedMessage, fields: readonly string[], prefix: string): string {
  const values = fields.map((name) => shortValue(message[name])).join(',');
  return `${prefix} ${values}`.trim();
}

/** 'probe (id, hop = 1)', with the abbreviation of the labels, and the fields that they show if some are left out. */
export function legendOf({ fields, prefix, purpose, shown, type }: MessageTypeStyle): string {
  const name = prefix === '' || prefix === type ? type : `${prefix}: ${type}`;
  const suffix = purpose === 'upkeep' ? ', upkeep' : '';
  if (fields.length === 0) return name + suffix;
  const texts = fields.map((field) =>
    field.constant === null ? field.name : `${field.name} = ${field.constant}`,
  );
  const varying = fields.filter(({ constant }) => constant === null).length;
  const partly = shown.length > 0 && shown.length < varying ? `; shown: ${shown.join(', ')}` : '';
  return `${name} (${texts.join(', ')}${partly})${suffix}`;
}

function fullValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(' ')}]` : String(value);
}

/** A long list by its ends. */
function shortValue(value: unknown): string {
  if (!Array.isArray(value) || value.length < 4) return fullValue(value);
  return `[${value[0]}…${value.at(-1)}]`;
}

function uniqueBeginning(type: string, types: readonly string[]): string {
  for (let length = 1; length < type.length; length++) {
    const beginning = type.slice(0, length);
    if (types.filter((other) => other.startsWith(beginning)).length === 1) return beginning;
  }
  return type;
}
