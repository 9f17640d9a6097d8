/** Signals that stop a long command, with their exit codes: 128 plus the number of the signal, as in shells. */
const STOPPED = { SIGINT: 130, SIGTERM: 143 } as const;

/** The exit code after Ctrl-C. */
export const CANCELED = STOPPED.SIGINT;

type StopSignal = keyof typeof STOPPED;

/**
 * Starts `work`, and calls `stop` at the first signal during it, with its exit code. Returns the exit code of that signal, or
 * null without a signal. The handlers are there before the work begins: its first part may be long.
 */
export async function stoppable(
  work: () => Promise<void>,
  stop: (exitCode: number) => void,
): Promise<number | null> {
  let exitCode: number | null = null;
  const onSignal = (signal: StopSignal): void => {
    exitCode = STOPPED[signal];
    stop(exitCode);
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    await work();
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
  return exitCode;
}
