/** `hustings store`: creates the tables of a store, raises its tokens, and deletes elections that nobody uses. */

import { InputError, printable, suggestion } from '@hustings/base';
import { formatDuration, parseDuration } from '@hustings/base/command/duration';
import { formatJson } from '@hustings/base/command/json';
import type { Command } from 'commander';
import { type LeaseStore, openStore } from '../../lease/index.ts';
import { missingFile, parseStoreUrl } from '../../lease/stores/registry.ts';
import { STORE_HELP, storeUrlOf } from '../flags/store-flag.ts';
import { withStore, withStoreAt } from '../opened-store.ts';

const ACTIONS = ['init', 'prune'];
/** Far beyond any schedule; a limit for mistakes in the unit. */
const MAX_IDLE_MS = 100 * 366 * 86_400_000;

interface InitFlags {
  readonly store?: string;
  readonly tokenFrom?: string;
  readonly print?: true;
  readonly json?: true;
}

interface PruneFlags {
  readonly store?: string;
  readonly idle?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export function addStore(program: Command): void {
  const store = program
    .command('store')
    .description('Prepares a store for leases, or deletes elections that nobody uses.')
    .argument('[VERB]')
    .usage('init|prune [options]')
    .addHelpText('after', '\nExample:\n  hustings store init --print')
    .action((verb: string | undefined) => {
      throw new InputError(
        verb === undefined
          ? "store needs an action; write 'hustings store init' or 'hustings store prune'"
          : `'${verb}' is not an action of store: it has ${ACTIONS.join(' and ')}${suggestion(verb, ACTIONS)}`,
      );
    });
  store
    .command('init')
    .summary('create the tables, or print their statements')
    .description(
      'Creates the tables of a store if they are missing. Existing tables are never changed. With --token-from, every ' +
        'later term of every election has a larger token than that one: for services that move here from another store ' +
        'whose tokens are larger than the clock in microseconds.\n' +
        'Exit codes: 0 done; 2 bad input; 3 the store failed, or permissions are missing.',
    )
    .option('--store <URL>', STORE_HELP)
    .option('--token-from <N>', 'largest token of the store that was used before')
    .option('--print', 'print the statements without running them')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings store init\n  hustings store init --token-from 1790000000000000\n' +
        '  hustings store init --print --store postgres://app@db.internal/app | psql …',
    )
    .action(initCommand);
  store
    .command('prune')
    .summary('delete elections that nobody uses')
    .description(
      'Deletes the elections that nobody holds and nobody used for a time, with their history and their ticks, and prints ' +
        'their names. An election that is used again later continues with larger tokens.\n' +
        'Exit codes: 0 done, also if there was nothing to delete; 2 bad input; 3 the store failed.',
    )
    .option('--idle <DURATION>', 'time since the last use, as in 30d (required)')
    .option('--dry-run', 'print the names without deleting anything')
    .option('--store <URL>', STORE_HELP)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings store prune --idle 30d --dry-run\n  hustings store prune --idle 30d',
    )
    .action(pruneCommand);
}

async function initCommand(flags: InitFlags): Promise<void> {
  const url = storeUrlOf(flags.store);
  const json = flags.json === true;
  const tokenFrom = parseTokenFrom(flags.tokenFrom);
  if (flags.print && tokenFrom !== undefined) {
    throw new InputError('--print and --token-from exclude each other');
  }
  if (flags.print) return printStatements(url, json);
  const isNew = missingFile(url) !== null;
  await withStoreAt(url, async (store) => {
    await store.init(tokenFrom === undefined ? {} : { tokenFrom });
    const statements = store.initStatements().length;
    if (json) {
      console.log(formatJson({ store: store.label, ready: true, needsTables: statements > 0, tokenFrom }));
      return;
    }
    console.log(`✓ ${readyLine(store, statements > 0, isNew)}`);
    if (tokenFrom !== undefined) console.log(`✓ every new term has a token above ${tokenFrom}`);
  });
}

async function pruneCommand(flags: PruneFlags): Promise<void> {
  // Checked here: commander would report a misspelt --idle as a missing one.
  if (flags.idle === undefined) throw new InputError('--idle is required, as in --idle 30d');
  const idleMs = parseDuration('idle', flags.idle, MAX_IDLE_MS);
  if (idleMs === 0) throw new InputError(`--idle must be longer than 0, not '${flags.idle}'`);
  await withStore(flags.store, async (store) => {
    const dryRun = flags.dryRun === true;
    const names = [...(await store.prune(idleMs, { dryRun }))].sort();
    if (flags.json)
      return console.log(formatJson({ store: store.label, idleMs, dryRun, count: names.length, names }));
    for (const name of names) console.log(printable(name));
    const count = names.length === 1 ? '1 election was' : `${names.length} elections were`;
    console.log(
      `✓ ${count} idle for ${formatDuration(idleMs)}${dryRun ? ', and would be deleted' : ' and deleted'}`,
    );
  });
}

function readyLine({ label }: LeaseStore, hasTables: boolean, isNew: boolean): string {
  if (!hasTables) return `${label} answers and needs no tables`;
  return isNew ? `${label} was created with its tables` : `${label} has its tables`;
}

async function printStatements(url: string, json: boolean): Promise<void> {
  const { store: entry, label } = parseStoreUrl(url);
  if (entry.address === 'file') {
    // Opening would create the file, and a file that already has these tables would be refused.
    const note = 'the first process that uses the file creates it with its tables';
    console.log(json ? formatJson({ store: label, statements: [], note }) : `-- ${label}: ${note}`);
    return;
  }
  const store = await openStore(url);
  try {
    const statements = store.initStatements();
    if (json) console.log(formatJson({ store: label, statements }));
    else if (statements.length === 0) console.log(`-- ${label} needs no tables`);
    else console.log(statements.map((each) => `${each};`).join('\n'));
  } finally {
    await store.close();
  }
}

/** Stores keep tokens as signed 64-bit numbers: half of them stay free for later terms. */
const MAX_TOKEN_FROM = 2n ** 62n;

/** Reads the largest token that a store gave out before. */
function parseTokenFrom(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const token = /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
  if (token >= 1n && token <= MAX_TOKEN_FROM) return token;
  throw new InputError(
    `--token-from must be a token, a whole number from 1 to ${MAX_TOKEN_FROM}, not '${text}'`,
  );
}
