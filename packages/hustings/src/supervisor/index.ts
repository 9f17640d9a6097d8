/** Runs a command only while its process leads. */

export { type CronSupervisorOptions, superviseCron } from './cron-supervisor.ts';
export { exitCodeOfError } from './exit-code.ts';
export { type SupervisorOptions, supervise } from './supervisor.ts';
export type { SupervisorEvent } from './supervisor-event.ts';
