/** A value as a JSON document that people can read too: lists of numbers stay on one line. */
export function formatJson(value: unknown): string {
  // Inside its strings JSON has no bare line break, so that only lists can match.
  return JSON.stringify(value, null, 2).replace(/\[\n[\s\d.,-]*\]/g, (list) =>
    list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
}
