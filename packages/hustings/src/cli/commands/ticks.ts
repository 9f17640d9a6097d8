/** `hustings ticks`: lists the ticks of a schedule and how each ended, or removes those that lie in the future. */

import { EnvironmentError, formatTable, InputError, printable } from '@hustings/base';
import { formatDuration } from '@hustings/base/command/duration';
import { ANSWER_IS_NO } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { type Screen, screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import { checkName } from '../../lease/core/election-name.ts';
import type { Tick } from '../../lease/core/tick.ts';
import { isAhead } from '../../lease/core/tick.ts';
import type { LeaseStore } from '../../lease/index.ts';
import { DEFAULT_LIMIT, parseLimit } from '../flags/limit.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { formatTimestamp, isoOf } from '../flags/timestamp.ts';
import { withStore } from '../opened-store.ts';
import { hintAtElections } from '../report/election-state.ts';
import { timesNote } from '../report/term-table.ts';

interface TicksFlags {
  readonly store?: string;
  readonly limit?: string;
  readonly reset?: true;
  readonly json?: true;
}

export function addTicks(program: Command): void {
  program
    .command('ticks')
    .description(
      "Lists the ticks that 'hustings cron' or elector.cron has recorded, newest first.\n" +
        'No tick starts before the newest one that is recorded. A clock that was ahead may have recorded ticks of the ' +
        'future, and the schedule stands still until then. --reset removes those ticks and prints them; each starts again ' +
        'when its time comes.\n' +
        'Exit codes: 0 done; 1 there are no ticks, or with --reset none that lies in the future; 2 bad input; 3 the store ' +
        'failed, or its clock differs from the clock of this machine.',
    )
    .argument('<NAME>', 'name of the election')
    .option('--store <URL>', STORE_HELP)
    .option('--limit <N>', `largest number of ticks (default: ${DEFAULT_LIMIT})`)
    .option('--reset', 'remove the ticks that lie in the future')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings ticks nightly\n  hustings ticks nightly --limit 100 --json\n  hustings ticks nightly --reset',
    )
    .action(ticksCommand);
}

async function ticksCommand(name: string, flags: TicksFlags): Promise<void> {
  checkName(name, 'an election');
  if (flags.reset) return resetCommand(name, flags);
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
    return [...tickTable(ticks, screen), timesNote(CLOCK, screen)];
  });
  console.log(lines.join('\n'));
}

/** All that the clocks of healthy machines differ by. */
const MAX_OFFSET_MS = 60_000;
const CLOCK = "the store's clock";

async function resetCommand(name: string, flags: TicksFlags): Promise<void> {
  if (flags.limit !== undefined) throw new InputError('--limit has no effect with --reset; leave it out');
  const lines = await withStore(flags.store, async (store) => {
    const nowMs = await store.time();
    const [latest] = await store.ticks(name, { limit: 1 });
    const isNeeded = latest !== undefined && isAhead(latest, nowMs);
    if (isNeeded) checkClock(store, nowMs);
    const removed = isNeeded ? await store.resetTicks(name) : [];
    if (removed.length === 0) process.exitCode = ANSWER_IS_NO;
    if (flags.json) return [formatJson({ name, removed: removed.map(tickJson) })];
    if (removed.length > 0) {
      const screen = screenOf(process.stdout);
      const count = removed.length === 1 ? '1 tick' : `${removed.length} ticks`;
      const text = `removed ${count} of ${printable(name)} from the future; the schedule goes on`;
      return [text, '', ...tickTable(removed, screen), timesNote(CLOCK, screen)];
    }
    const why = latest === undefined ? 'it has no recorded ticks' : 'no recorded tick lies in the future';
    const hint = latest === undefined ? await hintAtElections(store, name) : [];
    return [`nothing to reset in ${printable(name)}: ${why}`, ...hint];
  });
  console.log(lines.join('\n'));
}

/** By a clock that is behind, the ticks of today lie in the future: without their record they would start twice. */
function checkClock({ label }: LeaseStore, nowMs: number): void {
  const offsetMs = nowMs - Date.now();
  if (Math.abs(offsetMs) <= MAX_OFFSET_MS) return;
  const side = offsetMs > 0 ? 'ahead of' : 'behind';
  throw new EnvironmentError(
    `the clock of ${label} is ${formatDuration(Math.abs(offsetMs))} ${side} the clock of this machine, so it is not certain ` +
      'which ticks lie in the future; set the wrong clock right first',
  );
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
