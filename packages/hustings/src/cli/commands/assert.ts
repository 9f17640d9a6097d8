/** `hustings assert`: whether the lease of the surrounding `hustings lead` is certain for some time. For shell scripts. */

import { EnvironmentError, InputError } from '@hustings/base';
import { formatDuration, parseDuration } from '@hustings/base/command/duration';
import type { Command } from 'commander';
import { remainingMs } from '../../supervisor/deadline.ts';
import { DeadlineFileError, readDeadline } from '../../supervisor/deadline-file.ts';
import { LEAD_EXIT } from '../../supervisor/exit-code.ts';

const HELP = `
It reads the file that HUSTINGS_DEADLINE_FILE names and asks no store. A lease
can still expire between this check and the write that follows: only a resource
that checks HUSTINGS_TOKEN refuses that write.

Exit codes: 0 the lease is certain for that time; 76 it is not, or the term is
  over; 2 bad input, or not the command of 'hustings lead'; 3 the file cannot be
  read.

Example:
  hustings assert --need 2s && ./write-report.sh`;

export function addAssert(program: Command): void {
  program
    .command('assert')
    .description(
      "Checks that the lease of 'hustings lead' is certain for some time. For use inside its command.",
    )
    .option('--need <DURATION>', 'time for which the lease must be certain', '0s')
    .addHelpText('after', HELP)
    .action(assertLease);
}

function assertLease({ need }: { readonly need: string }): void {
  const needMs = parseDuration('need', need);
  const { HUSTINGS_DEADLINE_FILE: path, HUSTINGS_NONCE: nonce, HUSTINGS_NAME: name } = process.env;
  if (!path) {
    throw new InputError("HUSTINGS_DEADLINE_FILE is not set; run this in a command of 'hustings lead'");
  }
  const leftMs = leftUntil(path, nonce);
  if (leftMs > 0 && leftMs >= needMs) return;
  const why =
    leftMs <= 0
      ? 'over'
      : `certain for ${formatDuration(leftMs)}, less than the ${formatDuration(needMs)} of --need`;
  console.error(`hustings: the lease${name ? ` of '${name}'` : ''} is ${why}`);
  process.exitCode = LEAD_EXIT.lost;
}

function leftUntil(path: string, nonce: string | undefined): number {
  try {
    const deadline = readDeadline(path, nonce);
    return deadline === null ? 0 : remainingMs(deadline);
  } catch (error) {
    throw error instanceof DeadlineFileError ? new EnvironmentError(error.message, error) : error;
  }
}
