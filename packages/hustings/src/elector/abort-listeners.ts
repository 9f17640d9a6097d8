/** Listeners of abort signals. */

/** What the calls of an elector need of an AbortSignal, without the 1.5 kB that one takes. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  /** Returns a function that removes the listener. A signal that has already aborted calls nothing. */
  onAbort(listener: () => void): () => void;
}

/**
 * One listener per signal, however many elections of a process share the signal: from the eleventh listener on, Node warns
 * of a leak.
 */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/** Returns a function that removes the listener. A signal that has already aborted calls nothing. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  const all = listeners.get(signal) ?? listenTo(signal);
  // One function may listen twice: each registration has its own end.
  const call = (): void => listener();
  all.add(call);
  return () => void all.delete(call);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  listeners.set(signal, all);
  const callAll = (): void => {
    for (const listener of [...all]) listener();
  };
  signal.addEventListener('abort', callAll, { once: true });
  return all;
}
