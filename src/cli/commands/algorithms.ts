/** `hustings algorithms`: lists all algorithms with their model and cost, or describes one. */
import type { Command } from 'commander';
import { attempts, registry, twins } from '../../algorithms/index.ts';
import { type AlgorithmDescription, describeAlgorithm } from '../../kernel/algorithm-description.ts';
import { resolveAlgorithm } from '../flags/algorithm-name.ts';
import { formatJson } from '../json.ts';
import { attemptList, attemptNote, twinCommand, twinList, twinNote } from '../report/algorithm-lists.ts';
import { algorithmPage } from '../report/algorithm-page.ts';
import { formatTable, wrap } from '../table.ts';
import { pageWidth, type Screen, screenOf } from '../terminal.ts';

/** Narrower screens show fewer columns. */
const WIDE = 80;
const MIDDLE = 64;
export function addAlgorithms(program: Command): void {
  program
    .command('algorithms')
    .summary('list the algorithms, or describe one')
    .description('Lists all algorithms with their model and cost, or describes one.')
    .argument('[NAME]', 'algorithm to describe: a name, or a file that exports one')
    .option(
      '--broken',
      'list the wrong twins instead: mutants with one wrong line, which the checker must catch',
    )
    .option(
      '--impossible',
      'list the impossible elections instead: deterministic elections in anonymous rings',
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings algorithms\n  hustings algorithms chang-roberts\n  hustings algorithms --broken',
    )
    .action(algorithmsCommand);
}

interface AlgorithmsFlags {
  readonly broken?: true;
  readonly impossible?: true;
  readonly json?: true;
}

async function algorithmsCommand(
  name: string | undefined,
  { broken, impossible, json }: AlgorithmsFlags,
): Promise<void> {
  const screen = screenOf(process.stdout);
  if (name !== undefined) {
    console.log(await describeOne(name, json === true, screen));
  } else if (broken) {
    const described = twins.map(({ algorithm, ...twin }) => ({ ...twin, title: algorithm.title }));
    console.log(json ? formatJson(described) : twinList(twins, screen).join('\n'));
  } else if (impossible) {
    const described = attempts.map(({ algorithm: { title }, ...attempt }) => ({ ...attempt, title }));
    console.log(json ? formatJson(described) : attemptList(attempts, screen).join('\n'));
  } else {
    const all = registry.map(describeAlgorithm);
    console.log(json ? formatJson(all) : listing(all, screen).join('\n'));
  }
}

async function describeOne(name: string, json: boolean, screen: Screen): Promise<string> {
  const algorithm = await resolveAlgorithm(name);
  const description = describeAlgorithm(algorithm);
  if (json) return formatJson(description);
  const page = algorithmPage(algorithm, description, screen, name);
  const twin = twins.find((each) => each.name === name);
  if (twin !== undefined) {
    page.push(`  ${twinCommand(twin)}`, '', ...wrap(twinNote(twin), pageWidth(screen)));
  }
  const attempt = attempts.find((each) => each.name === name);
  if (attempt !== undefined) page.push('', ...wrap(attemptNote(attempt), pageWidth(screen)));
  return page.join('\n');
}

function listing(all: readonly AlgorithmDescription[], { width, paint }: Screen): string[] {
  const titles = ['name', 'network', 'timing', 'nodes', 'messages', 'source'];
  const rows = all.map(({ name, assumes, cost, source }) => [
    name,
    assumes.network,
    assumes.timing,
    nodesOf(assumes),
    cost,
    source,
  ]);
  const shown = width >= WIDE ? titles.length : width >= MIDDLE ? titles.length - 1 : 3;
  const table = formatTable(
    titles.slice(0, shown).map((title) => ({ title })),
    rows.map((row) => row.slice(0, shown)),
    width,
    (text, row, column) => (row < 0 ? paint('faint', text) : column === 0 ? paint('strong', text) : text),
  );
  return [
    ...table,
    '',
    paint('faint', 'hustings algorithms NAME describes one, with its parameters and laws.'),
    paint(
      'faint',
      'hustings algorithms --broken lists mutants with one wrong line, which the checker must catch.',
    ),
    paint(
      'faint',
      'hustings algorithms --impossible lists deterministic elections in anonymous rings, which must fail.',
    ),
  ];
}

/** What a node knows, what its links guarantee, and which faults it tolerates. */
function nodesOf({ ids, knows, fifo, faults, mayErr }: AlgorithmDescription['assumes']): string {
  const parts = [ids === 'unique' ? 'unique ids' : 'anonymous'];
  if (knows.length > 0) parts.push(`know ${knows.join(', ')}`);
  if (fifo) parts.push('FIFO links');
  if (faults.length > 0) parts.push(`tolerate ${faults.join(', ')}`);
  if (mayErr) parts.push('Monte Carlo');
  return parts.join('; ');
}
