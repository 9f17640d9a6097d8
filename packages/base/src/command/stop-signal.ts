/** Signals that stop a long command, with their exit codes: 128 plus the number of the signal, as in shells. */
import { isHangupIgnored } from '../node/hangup.ts';

const STOPPED = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The exit code after Ctrl-C. */
export const CANCELED = STOPPED.SIGINT;

type StopSignal = keyof typeof STOPPED;

/**
 * Starts `work`, and calls `stop` at the first signal during it, with its exit code. Returns the exit code of that signal, or
 * null without a signal. The handlers are there before the work begins: its first part may be long.
 *
 * A second SIGINT or SIGTERM kills. A further SIGHUP does nothing: a terminal that closes sends two. Under nohup none does.
 */
export async function stoppable(
  work: () => Promise<void>,
  stop: (exitCode: number) => void,
  { env = process.env, parentStatus }: { env?: NodeJS.ProcessEnv; parentStatus?: string } = {},
): Promise<number | null> {
  // Now: at the signal the parent may be gone.
  const ignoresHangup = isHangupIgnored(env, parentStatus);
  let exitCode: number | null = null;
  const onSignal = (signal: StopSignal): void => {
    if (signal !== 'SIGHUP') process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    if (exitCode !== null || (signal === 'SIGHUP' && ignoresHangup)) return;
    exitCode = STOPPED[signal];
    stop(exitCode);
  };
  for (const signal of Object.keys(STOPPED)) process.on(signal, onSignal);
  try {
    await work();
  } finally {
    for (const signal of Object.keys(STOPPED)) process.off(signal, onSignal);
  }
  return exitCode;
}

/**
 * Runs a server until a signal, or until `stop`: `serve` starts it, prints where it is, waits for `stopped`, and closes it. A
 * script may send the signal as soon as it has read the address, so the handlers are there before.
 */
export async function untilStopped(
  serve: (stopped: Promise<void>, stop: () => void) => Promise<void>,
): Promise<void> {
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  await stoppable(() => serve(stopped, stop), stop);
}
