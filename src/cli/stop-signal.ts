/** Signals that ask a long command to stop, and the exit code after each: 128 and its number, as shells have it. */
export const STOPPED = { SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof STOPPED;
