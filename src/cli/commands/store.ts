/** `hustings store init`: creates the tables of a store, or prints the statements for an administrator. */
import type { Command } from 'commander';
import { InputError } from '../../errors/hustings-error.ts';
import { type LeaseStore, openStore } from '../../lease/index.ts';
import { parseStoreUrl } from '../../lease/stores/registry.ts';
import { suggestion } from '../flags/nearest-name.ts';
import { STORE_HELP, storeUrlOf } from '../flags/store-flag.ts';
import { formatJson } from '../json.ts';
import { missingFile, withStoreAt } from '../opened-store.ts';

interface InitFlags {
  readonly store?: string;
  readonly print?: true;
  readonly json?: true;
}

export function addStore(program: Command): void {
  const store = program
    .command('store')
    .summary('prepare a store for leases')
    .description('Prepares a store for leases.')
    .argument('[VERB]')
    .usage('init [options]')
    .addHelpText('after', '\nExample:\n  hustings store init --print')
    .action((verb: string | undefined) => {
      throw new InputError(
        verb === undefined
          ? "store needs an action; write 'hustings store init'"
          : `'${verb}' is not an action of store; ${suggestion(verb, ['init'])}`,
      );
    });
  store
    .command('init')
    .summary('create the tables, or print their statements')
    .description(
      'Creates the tables of a store if they are missing. Existing tables are never changed.\n' +
        'Exit codes: 0 done; 2 bad input; 3 the store failed, or permissions are missing.',
    )
    .option('--store <URL>', STORE_HELP)
    .option('--print', 'print the statements without running them')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings store init\n  hustings store init --print --store postgres://app@db.internal/app | psql …',
    )
    .action(initCommand);
}

async function initCommand(flags: InitFlags): Promise<void> {
  const url = storeUrlOf(flags.store);
  const json = flags.json === true;
  if (flags.print) return printStatements(url, json);
  const isNew = missingFile(url) !== null;
  await withStoreAt(url, async (store) => {
    await store.init();
    const statements = store.initStatements().length;
    if (json) console.log(formatJson({ store: store.label, ready: true, needsTables: statements > 0 }));
    else console.log(`✓ ${readyLine(store, statements > 0, isNew)}`);
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
