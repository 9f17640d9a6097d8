/** `hustings leader`: prints the current leader of one election or of all, once or after each change. */

import { formatTable, InputError, printable } from '@hustings/base';
import { formatDuration } from '@hustings/base/command/duration';
import { ANSWER_IS_NO } from '@hustings/base/command/exit';
import { formatJson, formatJsonLine } from '@hustings/base/command/json';
import { type Screen, screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import { createElector } from '../../elector/create-elector.ts';
import { checkName } from '../../lease/core/election-name.ts';
import { slotNames } from '../../lease/core/slot.ts';
import type { LeaseRecord, LeaseStore } from '../../lease/index.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { withStore } from '../opened-store.ts';
import {
  hintAtElections,
  metadataLine,
  readState,
  slotsOfState,
  stateJson,
  stateLines,
  viewJson,
  viewLine,
} from '../report/election-state.ts';
import { watchEnd } from '../watch-end.ts';

interface LeaderFlags {
  readonly store?: string;
  readonly watch?: true;
  readonly json?: true;
}

export function addLeader(program: Command): void {
  program
    .command('leader')
    .description(
      'Prints the current leader of an election, or lists all elections of a store.\n' +
        'Exit codes: 0 there is a leader; 1 there is none; 2 bad input; 3 the store cannot be read.',
    )
    .argument('[NAME]', 'name of the election (default: all elections)')
    .option('--store <URL>', STORE_HELP)
    .option('--watch', 'print a line after each change, until Ctrl-C')
    .option('--json', 'print one JSON document; with --watch, one per line')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings leader billing-cron\n  hustings leader billing-cron --watch\n' +
        '  hustings leader --store redis://cache.internal',
    )
    .action(leaderCommand);
}

async function leaderCommand(name: string | undefined, flags: LeaderFlags): Promise<void> {
  if (name !== undefined) checkName(name, 'an election');
  if (flags.watch && name === undefined) {
    throw new InputError("--watch needs the name of an election; 'hustings leader' lists them");
  }
  await withStore(flags.store, async (store) => {
    if (name === undefined) await listElections(store, flags.json === true);
    else if (flags.watch) await watchElection(store, name, flags.json === true);
    else await showElection(store, name, flags.json === true);
  });
}

async function showElection(store: LeaseStore, name: string, json: boolean): Promise<void> {
  const state = await readState(store, name);
  const slots = slotsOfState(state);
  if (slots > 1) return showSlots(store, name, slots, json);
  if (state.record.holder === null) process.exitCode = ANSWER_IS_NO;
  const lines = json ? [formatJson(stateJson(state))] : stateLines(state, screenOf(process.stdout));
  if (!json && state.record.token === 0n) lines.push(...(await hintAtElections(store, name)));
  console.log(lines.join('\n'));
}

/** All slots of an election that has several. */
async function showSlots(store: LeaseStore, name: string, slots: number, json: boolean): Promise<void> {
  const records = await store.read(slotNames(name, slots));
  if (records.every(({ holder }) => holder === null)) process.exitCode = ANSWER_IS_NO;
  const states = records.map((record, index) => ({ slot: index + 1, ...stateJson({ record, term: null }) }));
  if (json) console.log(formatJson({ name, slots: states }));
  else console.log(tableOf(records, screenOf(process.stdout), 'slot').join('\n'));
}

async function watchElection(store: LeaseStore, name: string, json: boolean): Promise<void> {
  const signal = watchEnd();
  const slots = slotsOfState(await readState(store, name).catch(() => null));
  for await (const view of createElector({ store, name, slots }).watch({ signal })) {
    const nowMs = Date.now();
    console.log(
      json
        ? formatJsonLine({ at: new Date(nowMs).toISOString(), ...viewJson(name, view) })
        : `${formatTimestamp(nowMs)}  ${view.slot === undefined ? '' : `slot ${view.slot}: `}${viewLine(view)}`,
    );
  }
}

async function listElections(store: LeaseStore, json: boolean): Promise<void> {
  const names = [...(await store.names())].sort();
  const records = await store.read(names);
  if (records.every(({ holder }) => holder === null)) process.exitCode = ANSWER_IS_NO;
  if (json) {
    const elections = records.map((record) => stateJson({ record, term: null }));
    console.log(formatJson({ store: store.label, elections }));
    return;
  }
  const none = `there are no elections in ${store.label}`;
  console.log(records.length === 0 ? none : tableOf(records, screenOf(process.stdout)).join('\n'));
}

function tableOf(records: readonly LeaseRecord[], { width, paint }: Screen, first = 'election'): string[] {
  const hasMetadata = records.some(({ metadata }) => metadata !== null);
  const columns = [first, 'leader', ['token'], ['remaining'], ...(hasMetadata ? ['metadata'] : [])] as const;
  const rows = records.map(({ name, holder, token, remainingMs, successor, metadata }) => [
    printable(name),
    holder !== null
      ? printable(holder.id)
      : successor === null
        ? 'nobody'
        : `nobody, reserved for ${printable(successor)}`,
    `${token}`,
    holder === null
      ? ''
      : `${remainingMs === null ? 'unknown' : formatDuration(remainingMs)}${holder.evicted ? ', evicted' : ''}`,
    ...(hasMetadata ? [metadata === null ? '' : metadataLine(metadata)] : []),
  ]);
  return formatTable(columns, rows, width, (text, row, column) => {
    if (row < 0) return paint('faint', text);
    return column === 1 && records[row].holder !== null ? paint('leader', text) : text;
  });
}
