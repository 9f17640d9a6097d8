/** `hustings candidates`: lists who waits for the lease of an election. */

import { formatTable, printable } from '@hustings/base';
import { formatDuration } from '@hustings/base/command/duration';
import { ANSWER_IS_NO } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { type Screen, screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import type { WaitingCandidate } from '../../lease/core/lease-record.ts';
import { leaseName, SLOT_HELP } from '../flags/slot-flag.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { withStore } from '../opened-store.ts';

interface CandidatesFlags {
  readonly store?: string;
  readonly slot?: string;
  readonly json?: true;
}

export function addCandidates(program: Command): void {
  program
    .command('candidates')
    .description(
      "Lists the candidates that wait for the lease of an election; 'hustings leader' shows the one that holds it. A candidate is " +
        'listed until it has not asked for the lease for one ttl.\n' +
        'Exit codes: 0 done; 1 nobody waits; 2 bad input; 3 the store cannot be read.',
    )
    .argument('<NAME>', 'name of the election')
    .option('--store <URL>', STORE_HELP)
    .option('--slot <N>', SLOT_HELP)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  hustings candidates billing-cron')
    .action(candidatesCommand);
}

async function candidatesCommand(election: string, flags: CandidatesFlags): Promise<void> {
  const name = leaseName(election, flags.slot);
  const waiting = await withStore(flags.store, (store) => store.candidates(name));
  if (waiting.length === 0) process.exitCode = ANSWER_IS_NO;
  if (flags.json) {
    const candidates = waiting.map(({ id, nonce, priority, seenMs }) => ({ id, nonce, priority, seenMs }));
    return console.log(formatJson({ name, candidates }));
  }
  const lines =
    waiting.length === 0
      ? [`nobody waits for ${printable(name)}`]
      : candidateTable(waiting, screenOf(process.stdout));
  console.log(lines.join('\n'));
}

function candidateTable(waiting: readonly WaitingCandidate[], { width, paint }: Screen): string[] {
  const rows = waiting.map(({ id, priority, seenMs }) => [
    printable(id),
    `${priority}`,
    `${formatDuration(seenMs)} ago`,
  ]);
  const columns = ['candidate', ['priority'], ['asked']] as const;
  return formatTable(columns, rows, width, (text, row) => (row < 0 ? paint('faint', text) : text));
}
