/**
 * One listener on a signal, however many elections of a process share it: from the eleventh on Node would warn of a
 * leak that is none.
 */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/** Returns what ends the listening. A signal that has aborted already calls nobody. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  const those = listeners.get(signal) ?? listenTo(signal);
  // One function may listen twice: each has its own end.
  const call = (): void => listener();
  those.add(call);
  return () => void those.delete(call);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const those = new Set<() => void>();
  listeners.set(signal, those);
  const tell = (): void => {
    for (const listener of [...those]) listener();
  };
  signal.addEventListener('abort', tell, { once: true });
  return those;
}
