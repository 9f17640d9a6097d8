/**
 * Gives an object with an error a `toJSON` that writes the error with its name, code and message, which `JSON.stringify`
 * drops. The method is not enumerable: copies and comparisons see only the data.
 */
export function withErrorText<Value extends { readonly error: unknown }>(value: Value): Value {
  const toJSON = (): object => ({ ...value, error: plain(value.error) });
  return Object.defineProperty(value, 'toJSON', { value: toJSON });
}

function plain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  return { name, ...('code' in error ? { code: error.code } : {}), message };
}
