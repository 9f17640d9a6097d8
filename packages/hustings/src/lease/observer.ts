/**
 * Calls a function of the user that only observes. An error of it, thrown or rejected, harms nothing, but its author should
 * learn of it: the process warns of the first error of each function.
 */
const failed = new WeakSet<object>();

/** `option` is the name under which the user gave the function. */
export function notify<Value>(
  observer: ((value: Value) => unknown) | undefined,
  value: Value,
  option: string,
): void {
  if (observer === undefined) return;
  try {
    const result = observer(value);
    if (result instanceof Promise) result.catch((error) => warn(observer, error, option));
  } catch (error) {
    warn(observer, error, option);
  }
}

function warn(observer: object, error: unknown, option: string): void {
  if (failed.has(observer)) return;
  failed.add(observer);
  process.emitWarning(`${option} failed: ${error}`, {
    code: 'HUSTINGS_OBSERVER_FAILED',
    detail: `Nothing else is affected. Later errors of this ${option} are not reported.`,
  });
}
