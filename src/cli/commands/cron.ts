/** `hustings cron`: runs a command at each tick of a schedule, once among all processes. */
import type { Command } from 'commander';
import { InputError } from '../../errors/hustings-error.ts';
import { checkName } from '../../lease/core/election-name.ts';
import {
  exitCodeOfError,
  isHangupIgnored,
  type SupervisorEvent,
  superviseCron,
} from '../../supervisor/index.ts';
import { parseDuration } from '../flags/duration.ts';
import { candidateStoreUrl, STORE_HELP } from '../flags/store-flag.ts';
import { eventJson, eventLine } from '../report/lead-event.ts';

interface CronFlags {
  readonly cron?: string;
  readonly timeZone: string;
  readonly overlap: string;
  readonly catchUp: boolean;
  readonly retryInterrupted?: boolean;
  readonly store?: string;
  readonly local?: boolean;
  readonly ttl?: string;
  readonly grace: string;
  readonly id?: string;
  readonly forwardSignals: boolean;
  readonly ignoreHangup?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const HELP = `
Start this command on every host. One process at a time leads, and runs the
command at each tick; the others wait to take over. A tick is due by the clock of
the store. It is recorded in the store before its command starts, so it starts at
most once, whatever crashes. 'hustings ticks NAME' lists the ticks:
  completed    the command exited with 0
  failed       it exited with another code
  interrupted  its leader was lost, or told to stop, before it ended
  missed       nobody started it: no process led, or an earlier tick still ran
  running      it runs now

The cron expression has five fields, minute hour day month weekday, or six with
seconds first. One fixed time of day has one tick a day, also when clocks change:
at the end of a skipped hour, at the first of two equal hours. Other expressions
have no tick at a time that is skipped, and two at a time that occurs twice.

The command has the environment that 'hustings lead' describes, and HUSTINGS_TICK,
the time of its tick. It is killed when the lease is lost.

Exit codes: 128+n after signal n, which ends the schedule; 2 bad input; 69 the store
  cannot be used.

Examples:
  hustings cron nightly --cron '0 3 * * *' --time-zone Europe/Berlin -- ./backup.sh
  hustings cron feed --cron '*/5 * * * *' --overlap queue -- node feed.js`;

export function addCron(program: Command): void {
  program
    .command('cron')
    .summary('run a command at each tick of a schedule, once among all processes')
    .description('Runs a command at each tick of a schedule, once among all processes.')
    .argument('<NAME>', 'name of the election')
    .argument('<COMMAND...>', 'the command and its arguments, after --')
    .option('--cron <EXPRESSION>', "the schedule, as in '*/5 * * * *' (required)")
    .option('--time-zone <ZONE>', 'time zone of the schedule, as in Europe/Berlin', 'UTC')
    .option('--overlap <skip|queue>', 'what to do with a tick that is due while an earlier one runs', 'skip')
    .option('--no-catch-up', 'do not start the latest tick that came due while no process led')
    .option('--retry-interrupted', 'start an interrupted tick again')
    .option('--store <URL>', STORE_HELP)
    .option('--local', 'use a file of this user as the store, also in a container')
    .option('--ttl <DURATION>', 'time after the last renewal at which the lease expires (default: 15s)')
    .option('--grace <DURATION>', 'time from SIGTERM to SIGKILL', '5s')
    .option('--id <NAME>', 'name of this candidate (default: host name and PID)')
    .option(
      '--no-forward-signals',
      'leave signals for the command to a service manager that signals all processes',
    )
    .option('--ignore-hangup', 'ignore SIGHUP (default under nohup, if that is detected)')
    .option('--json', 'print events as lines of JSON on stderr')
    .option('--quiet', 'print only errors')
    .addHelpText('after', HELP)
    .action(cronAction);
}

async function cronAction(name: string, command: readonly string[], flags: CronFlags): Promise<void> {
  checkName(name, 'an election');
  if (flags.cron === undefined) throw new InputError('--cron is required');
  if (flags.id !== undefined) checkName(flags.id, 'a candidate');
  if (flags.json && flags.quiet) throw new InputError('--json and --quiet exclude each other');
  const onEvent = (event: SupervisorEvent): void => {
    if (flags.json) console.error(eventJson(name, event, Date.now()));
    else if (!flags.quiet) console.error(eventLine(name, event));
  };
  const storeUrl = candidateStoreUrl(flags.store, flags.local === true, (message) =>
    onEvent({ type: 'warning', message }),
  );
  try {
    process.exitCode = await superviseCron({
      ...{ storeUrl, name, command: command[0], args: command.slice(1), env: process.env, id: flags.id },
      ...{ expression: flags.cron, timeZone: flags.timeZone, overlap: flags.overlap as 'skip' | 'queue' },
      catchUp: flags.catchUp,
      retryInterrupted: flags.retryInterrupted === true,
      stopGraceMs: parseDuration('grace', flags.grace),
      fenceKey: process.env.HUSTINGS_FENCE_KEY || undefined,
      timing: { ttlMs: flags.ttl === undefined ? undefined : parseDuration('ttl', flags.ttl) },
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
