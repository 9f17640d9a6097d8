/** The fields of a message type: which of them vary in a run, and how a legend names them. */
import type { TracedMessage } from '../../kernel/trace.ts';

/** A field, with its value if that is the same in every message of the run. */
export interface MessageField {
  readonly name: string;
  readonly constant: string | null;
}

/** The fields of messages of one type. A single message varies: its values are worth a label. */
export function fieldsOf(messages: readonly TracedMessage[]): MessageField[] {
  const { type: _, ...first } = messages[0];
  return Object.keys(first).map((name) => {
    const values = new Set(messages.map((message) => fullValue(message[name])));
    return { name, constant: values.size === 1 && messages.length > 1 ? [...values][0] : null };
  });
}

export function varyingOf(fields: readonly MessageField[]): string[] {
  return fields.filter(({ constant }) => constant === null).map(({ name }) => name);
}

/** ' (id, hop = 1; shown: id)', with the fields that labels show if they leave out some that vary; '' without fields. */
export function fieldsText(fields: readonly MessageField[], shown: readonly string[]): string {
  if (fields.length === 0) return '';
  const texts = fields.map(({ name, constant }) => (constant === null ? name : `${name} = ${constant}`));
  const isPartial = shown.length > 0 && shown.length < varyingOf(fields).length;
  return ` (${texts.join(', ')}${isPartial ? `; shown: ${shown.join(', ')}` : ''})`;
}

export function fullValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(' ')}]` : String(value);
}
