/** `hustings shards`: prints who owns the shards of a group, once or after each change. */

import { formatTable, printable } from '@hustings/base';
import { ANSWER_IS_NO } from '@hustings/base/command/exit';
import { formatJson, formatJsonLine } from '@hustings/base/command/json';
import { type Screen, screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import type { LeaseStore } from '../../lease/index.ts';
import { checkGroupName } from '../../shards/core/shard-name.ts';
import { stateOf, watchGroup } from '../../shards/group-watch.ts';
import type { ShardGroupState } from '../../shards/index.ts';
import { STORE_HELP } from '../flags/store-flag.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { withStore } from '../opened-store.ts';
import { watchEnd } from '../watch-end.ts';

interface ShardsFlags {
  readonly store?: string;
  readonly watch?: true;
  readonly json?: true;
}

export function addShards(program: Command): void {
  program
    .command('shards')
    .description(
      'Prints the members of a shard group with their shards, and the shards that nobody owns.\n' +
        'Exit codes: 0 every shard has an owner; 1 one has none, or there is no such group; 2 bad input; 3 the store cannot be read.\n' +
        'With --watch, a store that does not answer for a while is reported, and asked again.',
    )
    .argument('<NAME>', 'name of the shard group')
    .option('--store <URL>', STORE_HELP)
    .option('--watch', 'print again after each change, until Ctrl-C')
    .option('--json', 'print one JSON document; with --watch, one per line')
    .addHelpText('after', '\nExamples:\n  hustings shards orders\n  hustings shards orders --watch')
    .action(shardsCommand);
}

async function shardsCommand(name: string, flags: ShardsFlags): Promise<void> {
  checkGroupName(name);
  await withStore(flags.store, async (store) => {
    if (flags.watch) return printChanges(store, name, flags.json === true);
    const state = await stateOf(store, name);
    if (state.shards.length === 0 || unownedOf(state).length > 0) process.exitCode = ANSWER_IS_NO;
    console.log(flags.json ? formatJson(jsonOf(state)) : linesOf(state, screenOf(process.stdout)).join('\n'));
  });
}

async function printChanges(store: LeaseStore, name: string, json: boolean): Promise<void> {
  for await (const view of watchGroup(store, name, watchEnd())) {
    const nowMs = Date.now();
    if (json) {
      const found = view.type === 'known' ? jsonOf(view.state) : { name, error: view.error.message };
      console.log(formatJsonLine({ at: new Date(nowMs).toISOString(), ...found }));
    } else {
      const screen = screenOf(process.stdout);
      const lines =
        view.type === 'known'
          ? linesOf(view.state, screen)
          : [screen.paint('bad', `unknown: ${view.error.message}`)];
      console.log(`${formatTimestamp(nowMs)}\n${lines.join('\n')}\n`);
    }
  }
}

const unownedOf = ({ shards }: ShardGroupState): string[] =>
  shards.flatMap(({ shard, owner }) => (owner === null ? [shard] : []));

function jsonOf(state: ShardGroupState): object {
  const { name, members, shards } = state;
  return { name, members, unowned: unownedOf(state), shards };
}

function linesOf(state: ShardGroupState, { width, paint }: Screen): string[] {
  const { name, members, shards } = state;
  if (shards.length === 0) return [`there is no shard group ${printable(name)}`];
  const rows = members.map(({ id, weight, shards: own }) => [
    printable(id),
    // An owner that is no member has failed, or is about to leave.
    weight === 0 ? 'gone' : `${weight}`,
    `${own.length}`,
    rangesOf(own),
  ]);
  const columns = ['member', ['weight'], ['owns'], 'shards'] as const;
  const unowned = unownedOf(state);
  return [
    ...(rows.length === 0
      ? ['nobody takes part']
      : formatTable(columns, rows, width, (text, row) => (row < 0 ? paint('faint', text) : text))),
    unowned.length === 0
      ? `all ${shards.length} shards have an owner`
      : paint('bad', `${unowned.length} of ${shards.length} shards have no owner: ${rangesOf(unowned)}`),
  ];
}

/** '0–3, 7, 9/0': consecutive numbers as one range. */
function rangesOf(shards: readonly string[]): string {
  const isNumber = (shard: string): boolean => /^\d+$/.test(shard);
  const numbers = shards
    .filter(isNumber)
    .map(Number)
    .sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const names = shards.filter((shard) => !isNumber(shard)).map(printable);
  return [...ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)), ...names].join(', ');
}
