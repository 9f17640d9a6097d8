/**
 * A stream of the lab's server that connects again by itself, also to a server that was restarted. A hidden tab has no
 * stream: browsers allow six connections to a host, and one more tab would wait without end.
 */

/** connecting: at first; absent: this host serves files alone, or lacks the API; paused: the tab was hidden. */
export type StreamState = 'connecting' | 'absent' | 'lost' | 'paused';

export interface StreamOptions {
  /** The API of the server, such as `leases`. */
  readonly api: string;
  /** What follows /api/NAME/, with its query. */
  readonly path: string;
  /** Called before each connection, after the session was opened. */
  readonly prepare?: () => Promise<unknown>;
  /** Without a message for this long the connection counts as lost. */
  readonly silenceMs?: number;
  onState(state: StreamState): void;
  /** False ends the connection, and another one begins. */
  onMessage(message: unknown): boolean;
}

const SILENCE_MS = 6_000;
const AGAIN_MS = 1_000;

/** What the server says about itself. */
export interface LabSession {
  readonly token: string;
  readonly apis: readonly string[];
}

/** Null at a host that serves files alone. Rejects if the server does not answer. */
export async function readSession(): Promise<LabSession | null> {
  const answer = await fetch('api/session', { signal: AbortSignal.timeout(SILENCE_MS) });
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return answer.ok && isJson ? answer.json() : null;
}

/** Connects until `ending` aborts. */
export async function followStream(
  options: StreamOptions,
  ending: AbortSignal,
  onSession: (session: LabSession) => void = () => {},
): Promise<void> {
  options.onState('connecting');
  while (!ending.aborted) {
    await untilVisible(ending);
    if (ending.aborted) return;
    try {
      const session = await readSession();
      // Another stream may be followed by now: what comes late is not written over what it found.
      if (ending.aborted) return;
      if (session?.apis.includes(options.api) !== true) return options.onState('absent');
      onSession(session);
      await options.prepare?.();
      if (!document.hidden && !ending.aborted) await listen(options, ending);
    } catch {
      // The server does not answer.
    }
    if (ending.aborted) return;
    options.onState(document.hidden ? 'paused' : 'lost');
    if (document.hidden) continue;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

function untilVisible(ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !ending.aborted) return;
      document.removeEventListener('visibilitychange', look);
      ending.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    ending.addEventListener('abort', look);
    look();
  });
}

/** Resolves when the stream ends, fails or is silent, or the tab is hidden. */
function listen(
  { api, onMessage, path, silenceMs = SILENCE_MS }: StreamOptions,
  ending: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource(`api/${api}/${path}`);
    const end = (): void => {
      clearTimeout(timer);
      source.close();
      ending.removeEventListener('abort', end);
      document.removeEventListener('visibilitychange', end);
      resolve();
    };
    let timer = setTimeout(end, silenceMs);
    ending.addEventListener('abort', end);
    document.addEventListener('visibilitychange', end);
    source.onerror = end;
    source.onmessage = ({ data }) => {
      clearTimeout(timer);
      timer = setTimeout(end, silenceMs);
      if (onMessage(JSON.parse(data)) === false) end();
    };
  });
}
