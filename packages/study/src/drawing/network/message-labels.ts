/** The texts on messages: the values of fields that vary, after the beginning of the type if there are several types. */
import type { TracedMessage } from '../../kernel/trace.ts';
import { abbreviation } from '../trace/abbreviation.ts';
import { fieldsOf, fieldsText, type MessageField, varyingOf } from '../trace/message-fields.ts';
import type { MessagePurpose } from '../trace/purpose.ts';

export interface MessageLabel {
  readonly type: string;
  readonly purpose: MessagePurpose;
  readonly prefix: string;
  readonly fields: readonly MessageField[];
  /** The fields that are shown; empty if the type has none. */
  readonly shown: readonly string[];
}

/** The types that occur, in order of first appearance. Labels show up to `most` fields that vary, or one that does not. */
export function messageLabels(
  messages: readonly TracedMessage[],
  purposeOf: (type: string) => MessagePurpose,
  most: number,
): ReadonlyMap<string, MessageLabel> {
  const groups = new Map<string, TracedMessage[]>();
  for (const message of messages) {
    const group = groups.get(message.type);
    if (group === undefined) groups.set(message.type, [message]);
    else group.push(message);
  }
  const types = [...groups.keys()];
  return new Map(
    [...groups].map(([type, group]) => {
      const fields = fieldsOf(group);
      const varying = varyingOf(fields).slice(0, most);
      const shown = varying.length > 0 ? varying : fields.slice(0, 1).map(({ name }) => name);
      const prefix = types.length > 1 || shown.length === 0 ? abbreviation(type, types, 4) : '';
      return [type, { type, purpose: purposeOf(type), prefix, fields, shown }];
    }),
  );
}

export function labelOfMessage(message: TracedMessage, { prefix, shown }: MessageLabel): string {
  return prefix + shown.map((name) => shortValue(message[name])).join(',');
}

/** 'election (id, round; shown: id)' */
export function legendOfMessage({ fields, shown, type }: MessageLabel): string {
  return type + fieldsText(fields, shown);
}

/** No id and no port are −1. A list is shown by its ends. */
function shortValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? '+' : '−';
  if (!Array.isArray(value)) return value === -1 ? '–' : String(value);
  return value.length < 3 ? `[${value.join(' ')}]` : `[${value[0]}…${value.at(-1)}]`;
}
