/**
 * With what `hustings lead` ends. The command's own code is passed on; those of the wrapper are from sysexits.h and are
 * rare among commands.
 */
import { constants } from 'node:os';
import { AcquireTimeoutError } from '../elector/lease-lost.ts';
import { HustingsError } from '../errors/hustings-error.ts';
import { StoreError } from '../lease/store-error.ts';
import { type CommandEnd, GuardError } from './guard.ts';

export const LEAD_EXIT = {
  /** The store cannot be used, or could not be reached for as long as was to be waited. EX_UNAVAILABLE. */
  store: 69,
  /** The guard was killed or could not be started. EX_OSERR. */
  guard: 71,
  /** Did not become leader in the time to wait. EX_TEMPFAIL. */
  timeout: 75,
  /** The lease was lost, and only one term was wanted. EX_PROTOCOL. */
  lost: 76,
} as const;

/** As shells have it. */
const CANNOT_RUN = 126;
const NOT_FOUND = 127;

/** The command could not be started. */
export class CommandError extends HustingsError {
  readonly exitCode: number;

  /** `systemCode` as in ENOENT. */
  constructor(command: string, systemCode: string) {
    const isMissing = systemCode === 'ENOENT';
    const why = isMissing
      ? 'but there is no such file: look at its spelling and at PATH'
      : `but the system says ${systemCode}: is it a program, and may this user run it?`;
    super(`expected to start '${command}', ${why}`, { code: 'HUSTINGS_COMMAND' });
    this.exitCode = isMissing ? NOT_FOUND : CANNOT_RUN;
  }
}

export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

export function exitCodeOfEnd(end: Exclude<CommandEnd, { readonly kind: 'failed' }>): number {
  switch (end.kind) {
    case 'ended':
      return end.signal === null ? end.code! : exitCodeOfSignal(end.signal);
    case 'killed':
      return exitCodeOfSignal('SIGKILL');
    case 'guard-lost':
      return LEAD_EXIT.guard;
  }
}

/** Null for an error that is not of a wrapper's own kind. */
export function exitCodeOfError(error: unknown): number | null {
  if (error instanceof StoreError) return LEAD_EXIT.store;
  if (error instanceof GuardError) return LEAD_EXIT.guard;
  if (error instanceof AcquireTimeoutError) return LEAD_EXIT.timeout;
  return error instanceof CommandError ? error.exitCode : null;
}
