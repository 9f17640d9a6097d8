/**
 * Gives an object with a token a `toJSON` that writes its bigints as decimal text, because JSON has no bigint. The method
 * is not enumerable: copies and comparisons see only the data.
 */
export function withTokenText<Value extends { readonly token: bigint }>(value: Value): Value {
  return Object.defineProperty(value, 'toJSON', { value: toJSON });
}

function toJSON(this: object): object {
  return Object.fromEntries(Object.entries(this).map(([key, part]) => [key, textOf(part)]));
}

const textOf = (part: unknown): unknown => (typeof part === 'bigint' ? String(part) : part);
