/** `hustings transfer`: asks the leader to hand over to another candidate that waits in the same election. */

import { InputError, printable } from '@hustings/base';
import { formatDuration, parseDuration } from '@hustings/base/command/duration';
import { ANSWER_IS_NO } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import type { Command } from 'commander';
import { checkName } from '../../lease/core/election-name.ts';
import type { LeaseStore } from '../../lease/index.ts';
import { requestTransfer } from '../../lease/named-successor.ts';
import { leaseName, SLOT_HELP } from '../flags/slot-flag.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { withStore } from '../opened-store.ts';
import { nextLeader, waitMsOf } from '../report/succession.ts';

interface TransferFlags {
  readonly to: string;
  readonly store?: string;
  readonly slot?: string;
  readonly wait?: string | true;
  readonly json?: true;
}

export function addTransfer(program: Command): void {
  program
    .command('transfer')
    .description(
      'Asks the leader of an election to hand over to another candidate. The leader learns at once if the store sends ' +
        'notifications, otherwise at its next renewal; it stops its work and releases the lease, which stays reserved for ' +
        'that candidate for at least a fifth of its ttl. After that every candidate can take it. A candidate that has just led ' +
        'pauses for a few seconds, and the command waits for it.\n' +
        'Exit codes: 0 done; 1 nobody leads, or with --wait the new leader is another candidate or missing; 2 bad input, ' +
        'or that candidate does not wait; 3 the store failed.',
    )
    .argument('<NAME>', 'name of the election')
    .requiredOption(
      '--to <CANDIDATE>',
      'id of a candidate that waits in this election (see: hustings candidates)',
    )
    .option('--store <URL>', STORE_HELP)
    .option('--slot <N>', SLOT_HELP)
    .option('--wait [DURATION]', 'wait for the next leader, at most this long (default: two ttls and 5s)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings transfer billing-cron --to replica-2\n' +
        '  hustings transfer billing-cron --to replica-2 --wait 30s',
    )
    .action(transferCommand);
}

async function transferCommand(election: string, flags: TransferFlags): Promise<void> {
  const name = leaseName(election, flags.slot);
  checkName(flags.to, 'a candidate');
  if (typeof flags.wait === 'string') parseDuration('wait', flags.wait);
  await withStore(flags.store, (store) => transfer(store, name, flags));
}

async function transfer(store: LeaseStore, name: string, { to, wait, json }: TransferFlags): Promise<void> {
  const [record] = await store.read([name]);
  const { holder, token } = record;
  const print = (result: object, lines: readonly string[]): void => {
    console.log(json ? formatJson({ name, to, ...result }) : lines.join('\n'));
  };
  if (holder !== null && holder.id === to) {
    print({ asked: false, holder: to, token }, [`${printable(to)} already leads ${printable(name)}.`]);
    return;
  }
  const answer = holder === null ? 'not-held' : await requestTransfer(store, name, to);
  if (typeof answer === 'object') throw new InputError(printable(answer.problem));
  if (holder === null || answer === 'not-held') {
    process.exitCode = ANSWER_IS_NO;
    print({ asked: false, holder: null }, [`${printable(name)} has no leader that could hand over`]);
    return;
  }
  const asked = { asked: true, holder: holder.id, token };
  const when = store.capabilities.push ? 'is notified at once' : 'learns of it at its next renewal';
  const lines = [
    `Asked ${printable(holder.id)} (token ${token}) to hand ${printable(name)} over to ${printable(to)}. It ${when}.`,
    `After its work has stopped, the lease is reserved for ${printable(to)}.`,
  ];
  const maxMs = waitMsOf(wait, record);
  if (maxMs === null) return print(asked, lines);
  if (!json) console.log(lines.join('\n'));
  const next = await nextLeader(store, name, token, maxMs);
  if (next?.holder !== to) process.exitCode = ANSWER_IS_NO;
  const result = { ...asked, next: next && { holder: next.holder, token: next.token } };
  if (next === null) return print(result, [`There is no new leader after ${formatDuration(maxMs)}.`]);
  const instead = next.holder === to ? '' : ` instead: ${printable(to)} did not take the lease in time`;
  print(result, [`★ ${printable(next.holder)} leads ${printable(name)} with token ${next.token}${instead}.`]);
}
