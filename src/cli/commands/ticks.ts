/** `hustings ticks`: lists the ticks of a schedule and how each ended. */
import type { Command } from 'commander';
import { checkName } from '../../lease/core/election-name.ts';
import type { Tick } from '../../lease/core/tick.ts';
import { ANSWER_IS_NO } from '../exit.ts';
import { formatDuration } from '../flags/duration.ts';
import { DEFAULT_LIMIT, parseLimit } from '../flags/limit.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { formatTimestamp, isoOf } from '../flags/timestamp.ts';
import { formatJson } from '../json.ts';
import { withStore } from '../opened-store.ts';
import { hintAtElections } from '../report/election-state.ts';
import { clockNote } from '../report/term-table.ts';
import { formatTable, printable } from '../table.ts';
import { type Screen, screenOf } from '../terminal.ts';

interface TicksFlags {
  readonly store?: string;
  readonly limit?: string;
  readonly json?: true;
}

export function addTicks(program: Command): void {
  program
    .command('ticks')
    .summary('list the ticks of a schedule, and how each ended')
    .description(
      "Lists the ticks that 'hustings cron' or elector.cron has recorded, newest first.\n" +
        'Exit codes: 0 done; 1 there are no ticks; 2 bad input; 3 the store cannot be read.',
    )
    .argument('<NAME>', 'name of the election')
    .option('--store <URL>', STORE_HELP)
    .option('--limit <N>', `largest number of ticks (default: ${DEFAULT_LIMIT})`)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings ticks nightly\n  hustings ticks nightly --limit 100 --json',
    )
    .action(ticksCommand);
}

async function ticksCommand(name: string, flags: TicksFlags): Promise<void> {
  checkName(name, 'an election');
  const limit = parseLimit(flags.limit);
  const lines = await withStore(flags.store, async (store) => {
    const found = await store.ticks(name, { limit: limit + 1 });
    const ticks = found.slice(0, limit);
    if (ticks.length === 0) process.exitCode = ANSWER_IS_NO;
    if (flags.json) return [formatJson({ name, ticks: ticks.map(tickJson), more: found.length > limit })];
    if (ticks.length === 0) {
      return [`${printable(name)} has no recorded ticks`, ...(await hintAtElections(store, name))];
    }
    const screen = screenOf(process.stdout);
    return [...tickTable(ticks, screen), clockNote(store, screen)];
  });
  console.log(lines.join('\n'));
}

function tickJson({ tickMs, state, token, holder, startMs, endMs }: Tick): object {
  return { tick: isoOf(tickMs), state, token, holder, start: isoOf(startMs), end: isoOf(endMs) };
}

function tickTable(ticks: readonly Tick[], { width, paint }: Screen): string[] {
  const rows = ticks.map(({ tickMs, state, token, holder, startMs, endMs }) => [
    formatTimestamp(tickMs),
    state,
    state === 'missed' ? '' : formatDuration(startMs - tickMs),
    endMs === null || state === 'missed' ? '' : formatDuration(endMs - startMs),
    `${token}`,
    printable(holder),
  ]);
  const columns = ['tick', 'state', ['started after'], ['duration'], ['token'], 'holder'] as const;
  return formatTable(columns, rows, width, (text, row) => (row < 0 ? paint('faint', text) : text));
}
