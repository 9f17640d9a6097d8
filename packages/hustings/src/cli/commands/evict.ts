/** `hustings evict`: forbids the leader to renew. Its lease stays valid until it is released or expires: never two leaders. */

import { printable } from '@hustings/base';
import { formatDuration, parseDuration } from '@hustings/base/command/duration';
import { ANSWER_IS_NO } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import type { Command } from 'commander';
import { leaseName, SLOT_HELP } from '../flags/slot-flag.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { withStore } from '../opened-store.ts';
import { nextLeader, waitMsOf } from '../report/succession.ts';

interface EvictFlags {
  readonly store?: string;
  readonly slot?: string;
  readonly for?: string;
  readonly wait?: string | true;
  readonly json?: true;
}

export function addEvict(program: Command): void {
  program
    .command('evict')
    .description(
      'Forbids the leader of an election to renew its lease. The leader learns at once if the store sends notifications, ' +
        'otherwise at its next renewal; it stops its work and releases the lease. A leader that does not respond keeps the ' +
        'lease until it expires. Then another candidate leads: the evicted one stays out of the election for one ttl, or ' +
        'for the time of --for, as long as its process runs.\n' +
        'Exit codes: 0 done; 1 nobody leads, or with --wait there is no new leader; 2 bad input; 3 the store failed.',
    )
    .argument('<NAME>', 'name of the election')
    .option('--store <URL>', STORE_HELP)
    .option('--slot <N>', SLOT_HELP)
    .option('--for <DURATION>', 'how long the evicted candidate stays out of the election (default: its ttl)')
    .option('--wait [DURATION]', 'wait for the next leader, at most this long (default: two ttls and 5s)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings evict billing-cron\n  hustings evict billing-cron --for 10m --wait 30s',
    )
    .action(evictCommand);
}

async function evictCommand(election: string, flags: EvictFlags): Promise<void> {
  const name = leaseName(election, flags.slot);
  if (typeof flags.wait === 'string') parseDuration('wait', flags.wait);
  const forMs = flags.for === undefined ? undefined : parseDuration('for', flags.for);
  await withStore(flags.store, async (store) => {
    const [record] = await store.read([name]);
    const { holder, token, remainingMs } = record;
    const say = (line: string): void => {
      if (!flags.json) console.log(line);
    };
    if (holder === null || !(await store.evict(name, forMs))) {
      process.exitCode = ANSWER_IS_NO;
      if (flags.json) console.log(formatJson({ name, evicted: false }));
      say(`${printable(name)} has no leader to evict`);
      return;
    }
    const id = printable(holder.id);
    const ends =
      remainingMs === null
        ? 'when its lease expires'
        : `in ${formatDuration(remainingMs)}, when its lease expires`;
    say(`${id} may no longer renew its lease of ${printable(name)} (token ${token}).`);
    say(`Another candidate can lead when ${id} has released the lease, or ${ends}.`);
    // An eviction without --for leaves the time of an earlier one as it is.
    const cooldownMs = forMs ?? (holder.evicted ? null : holder.ttlMs);
    if (cooldownMs !== null) {
      say(`${id} stays out of the election for ${formatDuration(cooldownMs)} after that.`);
    }
    const result = {
      ...{ name, evicted: true, holder: holder.id, token },
      ...{ endsWithinMs: remainingMs, standBackMs: cooldownMs },
    };
    const maxMs = waitMsOf(flags.wait, record);
    if (maxMs === null) {
      if (flags.json) console.log(formatJson(result));
      return;
    }
    const next = await nextLeader(store, name, token, maxMs);
    if (next === null) process.exitCode = ANSWER_IS_NO;
    if (flags.json) {
      console.log(formatJson({ ...result, next: next && { holder: next.holder, token: next.token } }));
    }
    say(
      next === null
        ? `There is no new leader after ${formatDuration(maxMs)}.`
        : `★ ${printable(next.holder)} leads ${printable(name)} with token ${next.token}.`,
    );
  });
}
