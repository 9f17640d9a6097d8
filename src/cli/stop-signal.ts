/** The signals that stop a long command, with their exit codes: 128 plus the number of the signal, as in shells. */
export const STOPPED = { SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof STOPPED;
