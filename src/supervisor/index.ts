/** A command that runs only while its process leads. */
export { exitCodeOfError } from './exit-code.ts';
export { type LeadCommandOptions, leadCommand } from './lead-command.ts';
export type { WrapperEvent } from './supervisor-event.ts';
