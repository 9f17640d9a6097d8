/** `hustings lead`: runs a command only while this process leads. */
import type { Command } from 'commander';
import { InputError } from '../../kernel/index.ts';
import type { Preset } from '../../lease/core/timing.ts';
import { checkName } from '../../lease/index.ts';
import { exitCodeOfError, leadCommand } from '../../supervisor/index.ts';
import { parseDuration } from '../flags/duration.ts';
import { parseNumber } from '../flags/option-syntax.ts';
import { STORE_HELP, storeUrlOf } from '../flags/store-flag.ts';
import { wrapperJson, wrapperLine } from '../report/lead-event.ts';

const DEFAULT_GRACE = '5s';

interface LeadWords {
  readonly name?: string;
  readonly store?: string;
  readonly ttl?: string;
  readonly preset?: string;
  readonly grace: string;
  readonly wait?: string;
  readonly id?: string;
  readonly priority?: string;
  readonly once?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const HELP = `
The command is started without a shell. On SIGTERM it is stopped (SIGTERM, after
--grace SIGKILL), then the lease is released. When the lease is lost, the
command and all that it forked are killed before another may lead; then this
process waits to lead again, and starts the command anew. Other signals, and
standard input and output, are the command's. It finds in its environment:
  HUSTINGS_NAME         the election
  HUSTINGS_TOKEN        the fencing token: rises with every term; send it with
                        each write
  HUSTINGS_TERM         a text that no other term has, as in 'history --json'
  HUSTINGS_DEADLINE_MS  until when, in ms since 1970, the lease was sure at the
                        start; renewals move it on, SIGTERM ends it
  HUSTINGS_FENCE        name and token as one text for sinks, signed if this
                        process has HUSTINGS_FENCE_KEY

Exit codes: that of the command, 128+n if signal n ended it; 126 it cannot be
  run; 127 it is not there; 2 bad input; 69 the store cannot be used; 71 the
  guard was killed (with --once), or cannot be started; 75 not leader within
  --wait; 76 lease lost (with --once).

Not promised: that the command dies if this process and its guard are killed, or
stopped, at the same time; if the command leaves its session (setsid, daemons),
changes its user, or hangs in the kernel; or if the whole machine stands still
past the lease. A sink that checks HUSTINGS_TOKEN is safe then too. The command
has no controlling terminal: it can read from and write to the terminal, but not
open /dev/tty, and Ctrl-Z stops this process only.

Examples:
  hustings lead --name billing-cron -- node billing.js
  HUSTINGS_STORE=postgres://app:secret@db/app \\
    hustings lead --name billing-cron --ttl 30s -- node billing.js
  hustings lead --name nightly --once --wait 10s -- ./backup.sh /data`;

export function addLead(program: Command): void {
  program
    .command('lead')
    .summary('run a command only while this process leads')
    .description('Runs a command only while this process is the leader of an election.')
    .argument('<COMMAND...>', 'the command and its arguments, after --')
    .option('--name <NAME>', 'the election (required)')
    .option('--store <URL>', STORE_HELP)
    .option('--ttl <DURATION>', 'the lease: so long after the last renewal another may lead (default: 15s)')
    .option('--preset <NAME>', 'fast, a ttl of 3s, normal, 15s, or patient, 60s')
    .option('--grace <DURATION>', 'from SIGTERM to SIGKILL', DEFAULT_GRACE)
    .option('--wait <DURATION>', 'give up when not leader after so long (default: never)')
    .option('--id <NAME>', 'the name of this candidate (default: host and process)')
    .option('--priority <N>', 'a higher one takes over from a lower one (default: 0)')
    .option('--once', 'end, instead of waiting to lead again, when the lease is lost')
    .option('--json', 'what happens as lines of JSON on stderr')
    .option('--quiet', 'nothing on stderr but errors')
    .addHelpText('after', HELP)
    .action(leadAction);
}

async function leadAction(command: readonly string[], flags: LeadWords): Promise<void> {
  // Here, and not by commander, which would blame a misspelt --name for being absent.
  if (flags.name === undefined)
    throw new InputError('expected --name, the election to stand in, got none: give it');
  checkName(flags.name, 'an election');
  if (flags.id !== undefined) checkName(flags.id, 'a candidate');
  if (flags.json && flags.quiet) throw new InputError('expected --json or --quiet, got both: leave out one');
  const { name } = flags;
  const storeUrl = storeUrlOf(flags.store);
  try {
    process.exitCode = await leadCommand({
      ...{ storeUrl, name, command: command[0], args: command.slice(1), env: process.env, id: flags.id },
      graceMs: parseDuration('grace', flags.grace),
      waitMs: flags.wait === undefined ? null : parseDuration('wait', flags.wait),
      isOnce: flags.once === true,
      priority: flags.priority === undefined ? undefined : parseNumber('priority', flags.priority),
      fenceKey: process.env.HUSTINGS_FENCE_KEY || undefined,
      timing: {
        ttlMs: flags.ttl === undefined ? undefined : parseDuration('ttl', flags.ttl),
        preset: flags.preset as Preset | undefined,
      },
      tell: (event) => {
        if (flags.json) console.error(wrapperJson(name, event, Date.now()));
        else if (!flags.quiet) console.error(wrapperLine(name, event));
      },
    });
  } catch (error) {
    const exitCode = exitCodeOfError(error);
    if (exitCode === null) throw error;
    console.error(`hustings: ${(error as Error).message}`);
    process.exitCode = exitCode;
  }
}
