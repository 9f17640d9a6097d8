/**
 * Texts of any characters in ASCII, so that a database of any encoding can store them. Metadata is JSON, which can escape every
 * character. A checkpoint that is not ASCII is stored as JSON behind a mark.
 */
import { metadataText } from '../../core/term-data.ts';

const MARK = '\u0001';
const NOT_ASCII = /[^\0-\x7f]/g;

const escaped = (json: string): string =>
  json.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export function storedMetadata(...args: Parameters<typeof metadataText>): string | null {
  const text = metadataText(...args);
  return text === null ? null : escaped(text);
}

/** Null stands for no change, and '' for no checkpoint. */
export function storedCheckpoint(text: string | undefined): string | null {
  if (text === undefined) return null;
  const isPlain = !text.startsWith(MARK) && text.search(NOT_ASCII) < 0;
  return isPlain ? text : MARK + escaped(JSON.stringify(text));
}

export function checkpointFrom(stored: string | null): string | null {
  return stored?.startsWith(MARK) ? JSON.parse(stored.slice(MARK.length)) : stored;
}
