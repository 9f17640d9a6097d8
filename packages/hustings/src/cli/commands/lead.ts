/** `hustings lead`: runs a command only while this process leads. */

import { InputError, parseNumber } from '@hustings/base';
import { parseDuration } from '@hustings/base/command/duration';
import type { Command } from 'commander';
import {
  addCommandOptions,
  addSignalOptions,
  addStoreOptions,
  runSupervised,
  type SupervisionFlags,
} from '../flags/supervision-flags.ts';

interface LeadFlags extends SupervisionFlags {
  readonly wait?: string;
  readonly holdAtLeast?: string;
  readonly priority?: string;
  readonly slots?: string;
  readonly order?: string;
  readonly once?: boolean;
}

const HELP = `
The command is started without a shell. When this process receives SIGTERM, it
stops the command (SIGTERM, then SIGKILL after --grace) and releases the lease.
When the lease is lost, the command and everything that it forked are killed
before another candidate can lead; then this process waits to lead again and
restarts the command. Other signals, standard input and standard output are
passed on to the command. In a container a store must be given, because no other
container shares the file of this user. A job that several hosts start at about
the same time needs --hold-at-least and --wait 0s: the first one runs it, and the
others exit with 75. Environment of the command:
  HUSTINGS_NAME         the election; with --slots, the name of the slot's lease;
                        of several elections, the first in the alphabet
  HUSTINGS_SLOT         the slot, from 1
  HUSTINGS_TOKEN        the fencing token of the term, larger than all earlier
                        ones; send it with each write
  HUSTINGS_TOKENS       the token of each election, as JSON: {"a":"7","b":"9"}
  HUSTINGS_NONCE        the unique id of the term, as in 'history --json'
  HUSTINGS_DEADLINE_MS  the time, in ms since 1970, until which the lease was
                        certain at the start; renewals extend it, and SIGTERM
                        announces its end
  HUSTINGS_DEADLINE_FILE
                        a file with the current deadline, which 'hustings assert'
                        reads
  HUSTINGS_FENCE        name and token as one text for resources, signed if this
                        process has HUSTINGS_FENCE_KEY
  HUSTINGS_FENCES       the fence of each election, as JSON

Exit codes: the exit code of the command, or 128+n if signal n ended it; 126 the
  command cannot be run; 127 the command was not found; 2 bad input; 69 the
  store cannot be used; 71 the guard process was killed (with --once) or cannot
  be started; 75 not leader within --wait; 76 lease lost (with --once).

Not guaranteed: that the command dies if this process and its guard process are
killed or suspended at the same time; if the command leaves its session (setsid,
daemons), changes its user or hangs in the kernel; or if the whole machine stands
still until the lease has expired. A resource that checks HUSTINGS_TOKEN is safe
in these cases too. The command has no controlling terminal: it can read from and
write to the terminal, but it cannot open /dev/tty, and Ctrl-Z suspends only this
process.

Examples:
  hustings lead billing-cron --store sqlite:./leases.db -- node billing.js
  HUSTINGS_STORE=postgres://app:secret@db/app \\
    hustings lead billing-cron --ttl 30s -- node billing.js
  hustings lead workers --slots 3 -- node worker.js
  hustings lead orders stock -- node move.js
  0 3 * * *  hustings lead nightly --wait 0s --hold-at-least 1h -- ./backup.sh

The last line is for the crontab of several hosts: the first one runs the command.
The others exit with 75, also if the command has ended before they ask.
'hustings cron' needs no crontab.`;

export function addLead(program: Command): void {
  const command = program
    .command('lead')
    .description('Runs a command only while this process is the leader of an election.')
    .usage('[options] <NAME...> -- <COMMAND...>')
    .argument('<NAME...>', 'name of the election; several: lead all of them, or none');
  addStoreOptions(command)
    .option('--wait <DURATION>', 'longest wait for leadership (default: no limit)')
    .option('--hold-at-least <DURATION>', 'time after the start in which no candidate may lead next');
  addCommandOptions(command)
    .option('--priority <N>', 'a leader yields to a candidate of higher priority (default: 0)')
    .option('--slots <N>', 'number of candidates that may lead at once, the same for all (default: 1)')
    .option('--order <ORDER>', 'fair: the candidate that waited longest leads next; or any (default: any)')
    .option('--once', 'exit when the lease is lost, instead of waiting to lead again');
  addSignalOptions(command).addHelpText('after', HELP).action(leadAction);
}

/** What commander keeps of the command line, and its types leave out. */
interface RawArguments {
  readonly rawArgs: readonly string[];
}

/** Divides the words that are no options at `--`, of which commander keeps no trace. */
function splitCommand(
  words: readonly string[],
  { rawArgs }: RawArguments,
): { given: readonly string[]; command: readonly string[] } {
  const end = rawArgs.indexOf('--');
  const count = end < 0 ? 0 : rawArgs.length - end - 1;
  const given = words.slice(0, words.length - count);
  if (count === 0) {
    throw new InputError(`the command must follow --, as in 'hustings lead ${given[0]} -- node job.js'`);
  }
  if (given.length === 0) {
    throw new InputError(
      `the name of the election must precede --, as in 'hustings lead billing -- ${words[0]}'`,
    );
  }
  return { given, command: words.slice(given.length) };
}

async function leadAction(words: readonly string[], flags: LeadFlags, { parent }: Command): Promise<void> {
  const { wait, holdAtLeast, priority, slots, order } = flags;
  const { given, command } = splitCommand(words, parent as unknown as RawArguments);
  const names = given.toSorted();
  if (order !== undefined && order !== 'fair' && order !== 'any') {
    throw new InputError(`--order must be fair or any, not ${order}`);
  }
  await runSupervised(names, command, flags, (common, { supervise }) =>
    supervise({
      ...common,
      names: names.length > 1 ? names : undefined,
      waitMs: wait === undefined ? null : parseDuration('wait', wait),
      holdAtLeastMs: holdAtLeast === undefined ? undefined : parseDuration('hold-at-least', holdAtLeast),
      isOnce: flags.once === true,
      priority: priority === undefined ? undefined : parseNumber('priority', priority),
      slots: slots === undefined ? undefined : parseNumber('slots', slots),
      order,
    }),
  );
}
