/** `hustings doctor`: examines a store: its guarantees, its configuration, and whether a real lease works. */

import { ANSWER_IS_NO, ENVIRONMENT_FAILED } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import { doctor, SCRATCH_ELECTION, StoreError } from '../../lease/index.ts';
import { parseStoreUrl } from '../../lease/stores/registry.ts';
import { STORE_HELP, storeUrlOf } from '../flags/store-flag.ts';
import { doctorPage, markedLine } from '../report/doctor-page.ts';

interface DoctorFlags {
  readonly store?: string;
  readonly json?: true;
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'Prints what a store guarantees, checks its tables, permissions and clock, and measures its latency with a real lease ' +
        `in the scratch election '${SCRATCH_ELECTION}'.\n` +
        'Exit codes: 0 leases work; 1 problems were found; 2 bad input; 3 the store cannot be reached or used.',
    )
    .option('--store <URL>', STORE_HELP)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings doctor\n  hustings doctor --store redis://cache.internal\n' +
        '  HUSTINGS_STORE=postgres://app:secret@db.internal/app hustings doctor',
    )
    .action(doctorCommand);
}

async function doctorCommand(flags: DoctorFlags): Promise<void> {
  const url = storeUrlOf(flags.store);
  const screen = screenOf(process.stdout);
  try {
    const report = await doctor(url);
    if (report.problems.length > 0) process.exitCode = ANSWER_IS_NO;
    console.log(flags.json ? formatJson({ usable: true, ...report }) : doctorPage(report, screen).join('\n'));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    process.exitCode = ENVIRONMENT_FAILED;
    const { label } = parseStoreUrl(url);
    const { kind, message } = error;
    console.log(
      flags.json
        ? formatJson({ usable: false, store: label, kind, problems: [message] })
        : [screen.paint('strong', label), '', ...markedLine('✗', message, screen)].join('\n'),
    );
  }
}
