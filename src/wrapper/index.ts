/** A command that runs only while its process leads. */
export { exitCodeOfSignal, LEAD_EXIT } from './exit-code.ts';
export { GuardError } from './guard-process.ts';
export type { WrapperEvent } from './wrapper-event.ts';
