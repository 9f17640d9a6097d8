/** The message types of a picture: stroke, abbreviation, and which fields labels show. */
import type { TracedMessage } from '../../kernel/trace.ts';
import { textWidth } from '../text-box.ts';
import { abbreviation } from '../trace/abbreviation.ts';
import { fieldsOf, fieldsText, fullValue, type MessageField, varyingOf } from '../trace/message-fields.ts';
import type { MessagePurpose } from '../trace/purpose.ts';
import type { LineStyle } from './scene.ts';
import type { Transfer } from './transfer.ts';

/** Strokes that differ in grey print; further types have an abbreviation in their labels. */
export const STROKES: Readonly<Record<MessagePurpose, number>> = { election: 4, announcement: 2, upkeep: 1 };

/** What all pictures of a run have in common. */
export interface MessageTypeInfo extends LineStyle {
  readonly type: string;
  readonly fields: readonly MessageField[];
  /** Precedes the values if strokes alone do not tell the types apart. */
  readonly prefix: string;
  /** The widest label with the first varying field, the first two, and so on, as a multiple of the font size. */
  readonly widths: readonly number[];
}

/** A message type with what its labels show. */
export interface MessageTypeStyle extends MessageTypeInfo {
  /** The fields on the labels: those that vary, as many as fit. */
  readonly shown: readonly string[];
}

/** In order of first appearance. */
export function messageTypesOf(
  transfers: readonly Pick<Transfer, 'message' | 'purpose'>[],
): MessageTypeInfo[] {
  const groups = new Map<string, { purpose: MessagePurpose; messages: TracedMessage[] }>();
  for (const { message, purpose } of transfers) {
    const group = groups.get(message.type);
    if (group === undefined) groups.set(message.type, { purpose, messages: [message] });
    else group.messages.push(message);
  }
  return [...groups].map(([type, { messages, purpose }]) => {
    const alike = [...groups].filter(([, other]) => other.purpose === purpose).map(([name]) => name);
    const prefix = alike.length > STROKES[purpose] ? abbreviation(type, alike) : '';
    const fields = fieldsOf(messages);
    const varying = varyingOf(fields);
    const widths = varying.map((_, k) => {
      const names = varying.slice(0, k + 1);
      return messages.reduce(
        (most, message) => Math.max(most, textWidth(labelText(message, names, prefix), 1)),
        Number.NEGATIVE_INFINITY,
      );
    });
    return { type, purpose, stroke: alike.indexOf(type) % STROKES[purpose], fields, prefix, widths };
  });
}

/** With the fields that fit: `room` is the width of a label in multiples of the font size; 0 if there are no labels. */
export function labelledTypes(
  types: readonly MessageTypeInfo[],
  room: number,
): ReadonlyMap<string, MessageTypeStyle> {
  return new Map(
    types.map((info) => {
      const { fields, prefix, purpose, widths } = info;
      const varying = varyingOf(fields);
      const fitting = widths.filter((width) => width <= room).length;
      // Equal announcements need no label; an election message without one would look like a mistake.
      const isBare = varying.length === 0 && fields.length > 0 && purpose === 'election' && prefix === '';
      const names = isBare ? [fields[0].name] : varying.slice(0, Math.max(1, fitting));
      return [info.type, { ...info, shown: room > 0 ? names : [] }];
    }),
  );
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
  return `${name}${fieldsText(fields, shown)}${suffix}`;
}

/** A long list by its ends. */
function shortValue(value: unknown): string {
  if (!Array.isArray(value) || value.length < 4) return fullValue(value);
  return `[${value[0]}…${value.at(-1)}]`;
}
