/** A value as a JSON document that people can read too: lists of numbers stay on one line. Tokens are decimal text. */
export function formatJson(value: unknown): string {
  // Inside its strings JSON has no bare line break, so that only lists can match.
  return JSON.stringify(value, asText, 2).replace(/\[\n[\s\d.,-]*\]/g, (list) =>
    list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
}

/** For a stream: one document a line. */
export function formatJsonLine(value: unknown): string {
  return JSON.stringify(value, asText);
}

/** Larger integers than the numbers of JSON's readers. */
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
