/** `hustings evict`: forbids a leader to renew. Its lease still runs to its end, so that two never lead. */
import type { Command } from 'commander';
import { checkName } from '../../lease/index.ts';
import { ANSWER_IS_NO } from '../exit.ts';
import { parseDuration } from '../flags/duration.ts';
import { formatDuration } from '../flags/span.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { formatJson } from '../json.ts';
import { withStore } from '../opened-store.ts';
import { nextLeader, patienceMs } from '../report/succession.ts';
import { printable } from '../table.ts';

interface EvictWords {
  readonly store?: string;
  readonly wait?: string | true;
  readonly json?: true;
}

export function addEvict(program: Command): void {
  program
    .command('evict')
    .summary('forbid the leader to renew its lease')
    .description(
      'Forbids the leader of an election to renew its lease. It hears of that at once where the store pushes, else when ' +
        'it next renews, stops its work and gives the lease back; one that does not answer keeps it until it ends. ' +
        'Then another leads, or the same again, if it campaigns again and is the first.\n' +
        'Exit codes: 0 done; 1 nobody leads, or with --wait nobody has followed; 2 bad input; 3 the store.',
    )
    .argument('<NAME>', 'the election')
    .option('--store <URL>', STORE_HELP)
    .option('--wait [DURATION]', 'wait for the next leader, for so long at most (default: two leases and 5s)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings evict billing-cron\n  hustings evict billing-cron --wait 30s',
    )
    .action(evictCommand);
}

async function evictCommand(name: string, flags: EvictWords): Promise<void> {
  checkName(name, 'an election');
  if (typeof flags.wait === 'string') parseDuration('wait', flags.wait);
  await withStore(flags.store, async (store) => {
    const [record] = await store.read([name]);
    const { holder, token, remainingMs } = record;
    const say = (line: string): void => {
      if (!flags.json) console.log(line);
    };
    if (holder === null || !(await store.evict(name))) {
      process.exitCode = ANSWER_IS_NO;
      if (flags.json) console.log(formatJson({ name, evicted: false }));
      say(`nobody leads ${printable(name)}: there is nobody to evict`);
      return;
    }
    const id = printable(holder.id);
    const ends =
      remainingMs === null ? 'when its lease ends' : `in ${formatDuration(remainingMs)}, when its lease ends`;
    say(`${id} may not renew its lease of ${printable(name)} any more (token ${token}).`);
    say(`Another may lead as soon as ${id} has stopped and given it back, or ${ends}.`);
    const result = { name, evicted: true, holder: holder.id, token, endsWithinMs: remainingMs };
    const mostMs = patienceMs(flags.wait, record);
    if (mostMs === null) {
      if (flags.json) console.log(formatJson(result));
      return;
    }
    const next = await nextLeader(store, name, token, mostMs);
    if (next === null) process.exitCode = ANSWER_IS_NO;
    if (flags.json) {
      console.log(formatJson({ ...result, next: next && { holder: next.holder, token: next.token } }));
    }
    say(
      next === null
        ? `Nobody has followed within ${formatDuration(mostMs)}.`
        : `★ ${printable(next.holder)} leads ${printable(name)} with token ${next.token}.`,
    );
  });
}
