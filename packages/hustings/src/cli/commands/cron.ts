/** `hustings cron`: runs a command at each tick of a schedule, once among all processes. */

import { InputError } from '@hustings/base';
import type { Command } from 'commander';
import {
  addCommandOptions,
  addSignalOptions,
  addStoreOptions,
  runSupervised,
  type SupervisionFlags,
} from '../flags/supervision-flags.ts';

interface CronFlags extends SupervisionFlags {
  readonly cron?: string;
  readonly timeZone: string;
  readonly overlap: string;
  readonly catchUp: boolean;
  readonly retryInterrupted?: boolean;
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
  const command = program
    .command('cron')
    .description('Runs a command at each tick of a schedule, once among all processes.')
    .argument('<NAME>', 'name of the election')
    .argument('<COMMAND...>', 'the command and its arguments, after --')
    .option('--cron <EXPRESSION>', "the schedule, as in '*/5 * * * *' (required)")
    .option('--time-zone <ZONE>', 'time zone of the schedule, as in Europe/Berlin', 'UTC')
    .option('--overlap <skip|queue>', 'what to do with a tick that is due while an earlier one runs', 'skip')
    .option('--no-catch-up', 'do not start the latest tick that came due while no process led')
    .option('--retry-interrupted', 'start an interrupted tick again');
  addSignalOptions(addCommandOptions(addStoreOptions(command)))
    .addHelpText('after', HELP)
    .action(cronAction);
}

async function cronAction(name: string, command: readonly string[], flags: CronFlags): Promise<void> {
  const { cron: expression, timeZone, catchUp } = flags;
  if (expression === undefined) throw new InputError('--cron is required');
  await runSupervised([name], command, flags, (common, { superviseCron }) =>
    superviseCron({
      ...{ ...common, expression, timeZone, catchUp },
      overlap: flags.overlap as 'skip' | 'queue',
      retryInterrupted: flags.retryInterrupted === true,
    }),
  );
}
