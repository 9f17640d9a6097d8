/**
 * Gives an object with a bigint token a `toJSON` that writes its bigints as decimal text, because JSON has no bigint. The
 * method is not enumerable: copies and comparisons see only the data.
 */
export function withTokenText<Value extends { readonly token: bigint }>(value: Value): Value {
  const text = (field: unknown): unknown => (typeof field === 'bigint' ? `${field}` : field);
  const toJSON = (): object =>
    Object.fromEntries(Object.entries(value).map(([name, field]) => [name, text(field)]));
  return Object.defineProperty(value, 'toJSON', { value: toJSON });
}
