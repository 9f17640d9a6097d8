/** Formats a JSON document with lists of numbers on one line. Tokens, which are bigints, become decimal text. */
export function formatJson(value: unknown): string {
  // JSON strings have no line breaks, so only lists can match.
  return JSON.stringify(value, asText, 2).replace(/\[\n[\s\d.,-]*\]/g, (list) =>
    list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
}

/** For a stream: one document per line. */
export function formatJsonLine(value: unknown): string {
  return JSON.stringify(value, asText);
}

/** A bigint may be too large for a JSON number. */
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
