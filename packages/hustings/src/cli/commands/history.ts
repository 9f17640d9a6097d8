/** `hustings history`: lists past terms, finds the term at a time, and checks that no two terms overlap. */

import { counted, InputError, printable } from '@hustings/base';
import { ANSWER_IS_NO } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import { momentOf } from '../../lease/history-moment.ts';
import { type LeaseStore, overlaps } from '../../lease/index.ts';
import { DEFAULT_LIMIT, parseLimit } from '../flags/limit.ts';
import { leaseName, SLOT_HELP } from '../flags/slot-flag.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { formatTimestamp, isoOf, parseTimestamp } from '../flags/timestamp.ts';
import { withStore } from '../opened-store.ts';
import { hintAtElections } from '../report/election-state.ts';
import { clockNote, conflictLine, momentLines, termJson, termTable } from '../report/term-table.ts';

interface HistoryFlags {
  readonly store?: string;
  readonly slot?: string;
  readonly at?: string;
  readonly limit?: string;
  readonly check?: true;
  readonly json?: true;
}

export function addHistory(program: Command): void {
  program
    .command('history')
    .description(
      'Lists the terms of an election, newest first, with the reason why each ended.\n' +
        'Exit codes: 0 done; 1 there was no leader, or --check found a conflict; 2 bad input; 3 the store cannot be read.',
    )
    .argument('<NAME>', 'name of the election')
    .option('--store <URL>', STORE_HELP)
    .option('--slot <N>', SLOT_HELP)
    .option('--at <TIME>', "show the term at this local time: 2026-11-15T03:00, 03:00 or '3h ago'")
    .option('--limit <N>', `largest number of terms (default: ${DEFAULT_LIMIT})`)
    .option('--check', 'check that no two terms overlap and that tokens increase')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings history billing-cron\n  hustings history billing-cron --at 03:00\n' +
        "  hustings history billing-cron --at '2 days ago'\n  hustings history billing-cron --check",
    )
    .action(historyCommand);
}

async function historyCommand(election: string, flags: HistoryFlags): Promise<void> {
  const name = leaseName(election, flags.slot);
  const given = (['at', 'limit', 'check'] as const).filter((option) => flags[option] !== undefined);
  if (given.length > 1) {
    throw new InputError(`--${given.join(' and --')} exclude each other`);
  }
  const atMs = flags.at === undefined ? null : parseTimestamp('at', flags.at);
  const limit = parseLimit(flags.limit);
  const json = flags.json === true;
  const lines = await withStore(flags.store, (store) => {
    if (flags.check) return checkTerms(store, name, json);
    return atMs === null ? listTerms(store, name, limit, json) : showTermAt(store, name, atMs, json);
  });
  console.log(lines.join('\n'));
}

async function listTerms(store: LeaseStore, name: string, limit: number, json: boolean): Promise<string[]> {
  const found = await store.history(name, { limit: limit + 1 });
  const terms = found.slice(0, limit);
  if (terms.length === 0) process.exitCode = ANSWER_IS_NO;
  if (json) return [formatJson({ name, terms: terms.map(termJson), more: found.length > limit })];
  if (terms.length === 0) {
    return [`${printable(name)} has never had a leader`, ...(await hintAtElections(store, name))];
  }
  const screen = screenOf(process.stdout);
  const more =
    found.length > limit
      ? [screen.paint('faint', 'There are older terms; increase --limit to see them.')]
      : [];
  return [...termTable(terms, screen), '', clockNote(store, screen), ...more];
}

async function showTermAt(store: LeaseStore, name: string, atMs: number, json: boolean): Promise<string[]> {
  const [found] = await store.history(name, { atMs });
  // The neighbours explain the change of leader; where nobody led, they are all that can be shown.
  const moment = momentOf(found ?? null, await store.history(name), atMs);
  if (found === undefined) process.exitCode = ANSWER_IS_NO;
  if (json) {
    const { term, before, after } = moment;
    const shown = [term, before, after].map((each) => each && termJson(each));
    return [formatJson({ name, at: isoOf(atMs), term: shown[0], before: shown[1], after: shown[2] })];
  }
  const screen = screenOf(process.stdout);
  return [...momentLines(name, moment, formatTimestamp(atMs), screen), '', clockNote(store, screen)];
}

async function checkTerms(store: LeaseStore, name: string, json: boolean): Promise<string[]> {
  const terms = await store.history(name);
  const conflicts = overlaps(terms);
  if (conflicts.length > 0) process.exitCode = ANSWER_IS_NO;
  if (json) {
    const shown = conflicts.map(({ type, byMs, earlier, later }) => ({
      type,
      byMs,
      earlier: termJson(earlier),
      later: termJson(later),
    }));
    return [formatJson({ name, terms: terms.length, conflicts: shown })];
  }
  const { paint } = screenOf(process.stdout);
  const count = counted(terms.length, 'term');
  if (conflicts.length === 0) {
    return [paint('good', `✓ ${count} of ${printable(name)}: no two overlap, and tokens increase`)];
  }
  return [
    ...conflicts.map((conflict) => paint('bad', `✗ ${conflictLine(conflict)}`)),
    `${count} of ${printable(name)}: ${conflicts.length} in conflict with an earlier one`,
  ];
}
