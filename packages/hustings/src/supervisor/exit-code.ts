/**
 * The exit codes of `hustings lead`. The command's own code is passed on. The supervisor's codes are from sysexits.h,
 * which few commands use.
 */
import { constants } from 'node:os';
import { HustingsError } from '@hustings/base';
import { AcquireTimeoutError } from '../elector/elector-errors.ts';
import { StoreError } from '../lease/core/store-error.ts';
import { type CommandEnd, GuardError } from './guard.ts';

export const LEAD_EXIT = {
  /** The store cannot be used, or was unreachable during the whole wait. EX_UNAVAILABLE. */
  store: 69,
  /** The guard was killed or could not be started. EX_OSERR. */
  guard: 71,
  /** Did not become leader within --wait. EX_TEMPFAIL. */
  timeout: 75,
  /** The term ended before the command, with --once. EX_PROTOCOL. */
  lost: 76,
} as const;

/** The convention of shells. */
const CANNOT_RUN = 126;
const NOT_FOUND = 127;

/** The command could not be started. */
export class CommandError extends HustingsError {
  readonly exitCode: number;

  /** `systemCode` is for example ENOENT. */
  constructor(command: string, systemCode: string) {
    const isMissing = systemCode === 'ENOENT';
    const why = isMissing
      ? 'no such file; check the spelling and PATH'
      : `${systemCode}; check that it is a program and that this user may run it`;
    super(`cannot start '${command}': ${why}`, { code: 'HUSTINGS_COMMAND' });
    this.exitCode = isMissing ? NOT_FOUND : CANNOT_RUN;
  }
}

export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

export function exitCodeOfEnd(end: Exclude<CommandEnd, { readonly type: 'failed' }>): number {
  switch (end.type) {
    case 'exited':
      // A process that was not ended by a signal has a code.
      return end.signal === null ? (end.code ?? 0) : exitCodeOfSignal(end.signal);
    case 'killed':
      return exitCodeOfSignal('SIGKILL');
    case 'guard-lost':
      return LEAD_EXIT.guard;
  }
}

/** Null for an error that has no exit code of its own. */
export function exitCodeOfError(error: unknown): number | null {
  if (error instanceof StoreError) return LEAD_EXIT.store;
  if (error instanceof GuardError) return LEAD_EXIT.guard;
  if (error instanceof AcquireTimeoutError) return LEAD_EXIT.timeout;
  return error instanceof CommandError ? error.exitCode : null;
}
