/** The texts on messages: the first field, after the beginning of the type if there are several types. */
import type { TracedMessage } from '../../kernel/trace.ts';
import { abbreviation } from '../trace/abbreviation.ts';
import type { MessagePurpose } from '../trace/purpose.ts';

export interface MessageLabel {
  readonly type: string;
  readonly purpose: MessagePurpose;
  readonly prefix: string;
  /** The field that is shown; null if the type has none. */
  readonly field: string | null;
}

/** The types that occur, in order of first appearance. */
export function messageLabels(
  messages: readonly TracedMessage[],
  purposeOf: (type: string) => MessagePurpose,
): ReadonlyMap<string, MessageLabel> {
  const first = new Map<string, TracedMessage>();
  for (const message of messages) if (!first.has(message.type)) first.set(message.type, message);
  const types = [...first.keys()];
  return new Map(
    [...first].map(([type, { type: _, ...fields }]) => {
      const field = Object.keys(fields)[0] ?? null;
      const needsPrefix = types.length > 1 || field === null;
      return [
        type,
        { type, purpose: purposeOf(type), prefix: needsPrefix ? abbreviation(type, types, 4) : '', field },
      ];
    }),
  );
}

export function labelOfMessage(message: TracedMessage, { prefix, field }: MessageLabel): string {
  return field === null ? prefix : `${prefix}${shortValue(message[field])}`;
}

/** 'e7: election (id)' */
export function legendOfMessage({ type, field }: MessageLabel): string {
  return field === null ? type : `${type} (${field})`;
}

/** No id and no port are −1. A list is shown by its ends. */
function shortValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? '+' : '−';
  if (!Array.isArray(value)) return value === -1 ? '–' : String(value);
  return value.length < 3 ? `[${value.join(' ')}]` : `[${value[0]}…${value.at(-1)}]`;
}
