/** What the version of a NATS server says about it. */

const FIXED_IN = [2, 9, 21];

/** Whether the server compares the sequence number too early. `version` is as the server greets. */
export function comparesEarly(version: string): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? FIXED_IN;
  const index = parts.findIndex((part, at) => part !== FIXED_IN[at]);
  return index >= 0 && parts[index] < FIXED_IN[index];
}
