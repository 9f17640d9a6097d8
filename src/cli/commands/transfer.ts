/** `hustings transfer`: asks the leader to hand over to another candidate, which must stand in the election. */
import type { Command } from 'commander';
import { checkName, type LeaseStore } from '../../lease/index.ts';
import { ANSWER_IS_NO } from '../exit.ts';
import { parseDuration } from '../flags/duration.ts';
import { formatDuration } from '../flags/span.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { formatJson } from '../json.ts';
import { withStore } from '../opened-store.ts';
import { nextLeader, patienceMs } from '../report/succession.ts';
import { printable } from '../table.ts';

interface TransferWords {
  readonly to: string;
  readonly store?: string;
  readonly wait?: string | true;
  readonly json?: true;
}

export function addTransfer(program: Command): void {
  program
    .command('transfer')
    .summary('ask the leader to hand over to another candidate')
    .description(
      'Asks the leader of an election to hand over to another candidate. It hears of that at once where the store ' +
        'pushes, else when it next renews, stops its work and gives the lease back, kept for that candidate for ' +
        'at least a fifth of its ttl: if that one does not take it meanwhile, anybody may.\n' +
        'Exit codes: 0 done; 1 nobody leads, or with --wait another one or nobody has followed; 2 bad input; 3 the store.',
    )
    .argument('<NAME>', 'the election')
    .requiredOption('--to <CANDIDATE>', 'the name of a candidate, which waits in this election')
    .option('--store <URL>', STORE_HELP)
    .option('--wait [DURATION]', 'wait for the next leader, for so long at most (default: two leases and 5s)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings transfer billing-cron --to replica-2\n' +
        '  hustings transfer billing-cron --to replica-2 --wait 30s',
    )
    .action(transferCommand);
}

async function transferCommand(name: string, flags: TransferWords): Promise<void> {
  checkName(name, 'an election');
  checkName(flags.to, 'a candidate');
  if (typeof flags.wait === 'string') parseDuration('wait', flags.wait);
  await withStore(flags.store, (store) => transfer(store, name, flags));
}

async function transfer(store: LeaseStore, name: string, { to, wait, json }: TransferWords): Promise<void> {
  const [record] = await store.read([name]);
  const { holder, token } = record;
  const print = (result: object, lines: readonly string[]): void => {
    console.log(json ? formatJson({ name, to, ...result }) : lines.join('\n'));
  };
  if (holder !== null && holder.id === to) {
    print({ asked: false, holder: to, token }, [`${printable(to)} leads ${printable(name)} already.`]);
    return;
  }
  if (holder === null || !(await store.requestTransfer(name, to))) {
    process.exitCode = ANSWER_IS_NO;
    print({ asked: false, holder: null }, [`nobody leads ${printable(name)}: there is nothing to hand over`]);
    return;
  }
  const asked = { asked: true, holder: holder.id, token };
  const when = store.capabilities.push
    ? 'it is told at once, and at the latest with its next renewal'
    : 'it is told with its next renewal';
  const story = [
    `Asked ${printable(holder.id)} (token ${token}) to hand ${printable(name)} over to ${printable(to)}: ${when}.`,
    `When its work has stopped, the lease is kept for ${printable(to)}, if that one waits in this election.`,
  ];
  const mostMs = patienceMs(wait, record);
  if (mostMs === null) return print(asked, story);
  if (!json) console.log(story.join('\n'));
  const next = await nextLeader(store, name, token, mostMs);
  if (next?.holder !== to) process.exitCode = ANSWER_IS_NO;
  const result = { ...asked, next: next && { holder: next.holder, token: next.token } };
  if (next === null) return print(result, [`Nobody has followed within ${formatDuration(mostMs)}.`]);
  const instead = next.holder === to ? '' : ` instead: ${printable(to)} did not take it in time`;
  print(result, [`★ ${printable(next.holder)} leads ${printable(name)} with token ${next.token}${instead}.`]);
}
