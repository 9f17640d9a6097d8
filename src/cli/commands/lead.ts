/** `hustings lead`: runs a command only while this process leads. */
import type { Command } from 'commander';
import { InputError } from '../../errors/hustings-error.ts';
import { checkName } from '../../lease/core/election-name.ts';
import type { Preset } from '../../lease/core/timing.ts';
import { exitCodeOfError, isHangupIgnored, type SupervisorEvent, supervise } from '../../supervisor/index.ts';
import { parseDuration } from '../flags/duration.ts';
import { parseNumber } from '../flags/option-syntax.ts';
import { candidateStoreUrl, STORE_HELP } from '../flags/store-flag.ts';
import { eventJson, eventLine } from '../report/lead-event.ts';

const DEFAULT_GRACE = '5s';

interface LeadFlags {
  readonly name?: string;
  readonly store?: string;
  readonly local?: boolean;
  readonly ttl?: string;
  readonly preset?: string;
  readonly grace: string;
  readonly wait?: string;
  readonly holdAtLeast?: string;
  readonly id?: string;
  readonly priority?: string;
  readonly once?: boolean;
  readonly forwardSignals: boolean;
  readonly ignoreHangup?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
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
  HUSTINGS_NAME         the election
  HUSTINGS_TOKEN        the fencing token of the term, larger than all earlier
                        ones; send it with each write
  HUSTINGS_NONCE        the unique id of the term, as in 'history --json'
  HUSTINGS_DEADLINE_MS  the time, in ms since 1970, until which the lease was
                        certain at the start; renewals extend it, and SIGTERM
                        announces its end
  HUSTINGS_DEADLINE_FILE
                        a file with the current deadline, which 'hustings assert'
                        reads
  HUSTINGS_FENCE        name and token as one text for resources, signed if this
                        process has HUSTINGS_FENCE_KEY

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
  hustings lead --name billing-cron --store sqlite:./leases.db -- node billing.js
  HUSTINGS_STORE=postgres://app:secret@db/app \\
    hustings lead --name billing-cron --ttl 30s -- node billing.js
  0 3 * * *  hustings lead --name nightly --wait 0s --hold-at-least 1h -- ./backup.sh

The last line is for the crontab of several hosts: the first one runs the command.
The others exit with 75, also if the command has ended before they ask.
'hustings cron' needs no crontab.`;

export function addLead(program: Command): void {
  program
    .command('lead')
    .summary('run a command only while this process leads')
    .description('Runs a command only while this process is the leader of an election.')
    .argument('<COMMAND...>', 'the command and its arguments, after --')
    .option('--name <NAME>', 'name of the election (required)')
    .option('--store <URL>', STORE_HELP)
    .option('--local', 'use a file of this user as the store, also in a container')
    .option('--ttl <DURATION>', 'time after the last renewal at which the lease expires (default: 15s)')
    .option('--preset <NAME>', 'ttl and all other times: fast (3s), normal (15s) or patient (60s)')
    .option('--grace <DURATION>', 'time from SIGTERM to SIGKILL', DEFAULT_GRACE)
    .option('--wait <DURATION>', 'longest wait for leadership (default: no limit)')
    .option('--hold-at-least <DURATION>', 'time after the start in which no candidate may lead next')
    .option('--id <NAME>', 'name of this candidate (default: host name and PID)')
    .option('--priority <N>', 'a leader yields to a candidate of higher priority (default: 0)')
    .option('--once', 'exit when the lease is lost, instead of waiting to lead again')
    .option(
      '--no-forward-signals',
      'leave signals for the command to a service manager that signals all processes',
    )
    .option('--ignore-hangup', 'ignore SIGHUP (default under nohup, if that is detected)')
    .option('--json', 'print events as lines of JSON on stderr')
    .option('--quiet', 'print only errors')
    .addHelpText('after', HELP)
    .action(leadAction);
}

async function leadAction(command: readonly string[], flags: LeadFlags): Promise<void> {
  // Checked here: commander would report a misspelt --name as a missing one.
  if (flags.name === undefined) throw new InputError('--name is required');
  checkName(flags.name, 'an election');
  if (flags.id !== undefined) checkName(flags.id, 'a candidate');
  if (flags.json && flags.quiet) throw new InputError('--json and --quiet exclude each other');
  const { name } = flags;
  const onEvent = (event: SupervisorEvent): void => {
    if (flags.json) console.error(eventJson(name, event, Date.now()));
    else if (!flags.quiet) console.error(eventLine(name, event));
  };
  const storeUrl = candidateStoreUrl(flags.store, flags.local === true, (message) =>
    onEvent({ type: 'warning', message }),
  );
  try {
    process.exitCode = await supervise({
      ...{ storeUrl, name, command: command[0], args: command.slice(1), env: process.env, id: flags.id },
      stopGraceMs: parseDuration('grace', flags.grace),
      waitMs: flags.wait === undefined ? null : parseDuration('wait', flags.wait),
      holdAtLeastMs:
        flags.holdAtLeast === undefined ? undefined : parseDuration('hold-at-least', flags.holdAtLeast),
      isOnce: flags.once === true,
      priority: flags.priority === undefined ? undefined : parseNumber('priority', flags.priority),
      fenceKey: process.env.HUSTINGS_FENCE_KEY || undefined,
      timing: {
        ttlMs: flags.ttl === undefined ? undefined : parseDuration('ttl', flags.ttl),
        preset: flags.preset as Preset | undefined,
      },
      signals: {
        forwards: flags.forwardSignals,
        ignoresHangup: flags.ignoreHangup === true || isHangupIgnored(process.env),
      },
      onEvent,
    });
  } catch (error) {
    const exitCode = exitCodeOfError(error);
    if (exitCode === null) throw error;
    console.error(`hustings: ${(error as Error).message}`);
    process.exitCode = exitCode;
  }
}
