/**
 * With what `hustings lead` ends. The command's own code is passed on; those of the wrapper are from sysexits.h and are
 * rare among commands.
 */
import { constants } from 'node:os';

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

export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** `code` is that of the system, such as ENOENT. */
export function exitCodeOfFailure(code: string): number {
  return code === 'ENOENT' ? NOT_FOUND : CANNOT_RUN;
}
