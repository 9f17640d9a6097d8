/** What `lead` and `cron` share: the options of a supervised command, its events on stderr, and its exit code. */

import { type HustingsError, InputError } from '@hustings/base';
import { parseDuration } from '@hustings/base/command/duration';
import { fail } from '@hustings/base/command/exit';
import { isHangupIgnored } from '@hustings/base/node';
import type { Command } from 'commander';
import { checkName } from '../../lease/core/election-name.ts';
import type { Preset } from '../../lease/core/timing.ts';
import type * as Supervisors from '../../supervisor/index.ts';
import type { SupervisorEvent, SupervisorOptions } from '../../supervisor/index.ts';
import { eventJson, eventLine } from '../report/lead-event.ts';
import { collect, parseMetadata } from './metadata-flag.ts';
import { candidateStoreUrl, STORE_HELP } from './store-flag.ts';

export interface SupervisionFlags {
  readonly store?: string;
  readonly local?: boolean;
  readonly ttl?: string;
  readonly preset?: string;
  readonly grace: string;
  readonly id?: string;
  readonly metadata?: readonly string[];
  readonly forwardSignals: boolean;
  readonly ignoreHangup?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addStoreOptions(command: Command): Command {
  return command
    .option('--store <URL>', STORE_HELP)
    .option('--local', 'use a file of this user as the store, also in a container')
    .option('--ttl <DURATION>', 'time after the last renewal at which the lease expires (default: 15s)')
    .option('--preset <NAME>', 'ttl and all other times: fast (3s), normal (15s) or patient (60s)');
}

export function addCommandOptions(command: Command): Command {
  return command
    .option('--grace <DURATION>', 'time from SIGTERM to SIGKILL', '5s')
    .option('--id <NAME>', 'name of this candidate (default: host name and PID)')
    .option('--metadata <KEY=VALUE>', 'what others see of this leader; may be repeated', collect);
}

export function addSignalOptions(command: Command): Command {
  return command
    .option(
      '--no-forward-signals',
      'leave signals for the command to a service manager that signals all processes',
    )
    .option('--ignore-hangup', 'ignore SIGHUP (default under nohup, if that is detected)')
    .option('--json', 'print events as lines of JSON on stderr')
    .option('--quiet', 'print only errors');
}

/** The options that both supervisors take. */
export type Supervision = Omit<
  SupervisorOptions,
  'names' | 'waitMs' | 'isOnce' | 'holdAtLeastMs' | 'priority' | 'slots' | 'order'
>;

/** Sets the exit code of this process to that of the supervisor, which is loaded here: `--help` does not need it. */
export async function runSupervised(
  names: readonly string[],
  [command, ...args]: readonly string[],
  flags: SupervisionFlags,
  supervise: (common: Supervision, supervisors: typeof Supervisors) => Promise<number>,
): Promise<void> {
  for (const each of names) checkName(each, 'an election');
  const name = names.join(' + ');
  if (flags.id !== undefined) checkName(flags.id, 'a candidate');
  if (flags.json && flags.quiet) throw new InputError('--json and --quiet exclude each other');
  let shownError: string | null = null;
  const onEvent = (event: SupervisorEvent): void => {
    if (flags.json) console.error(eventJson(name, event, Date.now()));
    else if (!flags.quiet) {
      if (event.type === 'store-error') shownError = event.message;
      console.error(eventLine(name, event));
    }
  };
  const storeUrl = candidateStoreUrl(flags.store, flags.local === true, (message) =>
    onEvent({ type: 'warning', message }),
  );
  const supervisors = await import('../../supervisor/index.ts');
  try {
    const common = {
      ...{ storeUrl, name, command, args, env: process.env, id: flags.id, onEvent },
      metadata: parseMetadata(flags.metadata),
      stopGraceMs: parseDuration('grace', flags.grace),
      fenceKey: process.env.HUSTINGS_FENCE_KEY || undefined,
      timing: {
        ttlMs: flags.ttl === undefined ? undefined : parseDuration('ttl', flags.ttl),
        preset: flags.preset as Preset | undefined,
      },
      signals: {
        forwards: flags.forwardSignals,
        ignoresHangup: flags.ignoreHangup === true || isHangupIgnored(process.env),
      },
    };
    process.exitCode = await supervise(common, supervisors);
  } catch (error) {
    const exitCode = supervisors.exitCodeOfError(error);
    if (exitCode === null) throw error;
    const { message } = error as HustingsError;
    // The line before has said why.
    const line = message === shownError ? 'gave up: the store did not answer within --wait' : message;
    process.exitCode = fail(exitCode, line, error as HustingsError);
  }
}
