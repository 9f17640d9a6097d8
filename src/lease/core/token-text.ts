/**
 * Gives an object with a bigint token a `toJSON` that writes the token as decimal text, because JSON has no bigint. The
 * method is not enumerable: copies and comparisons see only the data.
 */
export function withTokenText<Value extends { readonly token: bigint }>(value: Value): Value {
  const toJSON = (): object => ({ ...value, token: String(value.token) });
  return Object.defineProperty(value, 'toJSON', { value: toJSON });
}
