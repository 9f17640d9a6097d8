/** `hustings store init`: makes what a store needs, or prints the statements for somebody with more rights. */
import type { Command } from 'commander';
import { InputError } from '../../kernel/index.ts';
import { type LeaseStore, openStore, parseStoreUrl } from '../../lease/index.ts';
import { hintAt } from '../flags/nearest-name.ts';
import { STORE_HELP, storeUrlOf } from '../flags/store-flag.ts';
import { formatJson } from '../json.ts';
import { missingFile, withStoreAt } from '../opened-store.ts';

interface InitWords {
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
      const got =
        verb === undefined
          ? "got none: write 'hustings store init'"
          : `got '${verb}': ${hintAt(verb, ['init'])}`;
      throw new InputError(`expected what to do with the store, ${got}`);
    });
  store
    .command('init')
    .summary('make the tables, or print their statements')
    .description(
      'Makes the tables that a store needs, if they are missing. What is there is never changed.\n' +
        'Exit codes: 0 done; 2 bad input; 3 the store, or its rights.',
    )
    .option('--store <URL>', STORE_HELP)
    .option('--print', 'print the statements, and touch nothing')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings store init\n  hustings store init --print --store postgres://app@db.internal/app | psql …',
    )
    .action(initCommand);
}

async function initCommand(flags: InitWords): Promise<void> {
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
  if (!hasTables) return `${label} answers, and needs no tables`;
  return isNew ? `${label} was made, with its tables` : `${label} has its tables`;
}

async function printStatements(url: string, json: boolean): Promise<void> {
  const { kind, label } = parseStoreUrl(url);
  if (kind === 'sqlite') {
    // To open it would make it, and in a file that others have made these tables would be refused.
    const note = 'the file and its tables are made by the first who uses it';
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
