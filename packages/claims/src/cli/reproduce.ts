/** `hustings reproduce`: measures the claims of the sources on all cores, and writes one page. */
import { availableParallelism } from 'node:os';
import { formatTable, parseNumber, refuse, wrap } from '@hustings/base';
import { formatJson } from '@hustings/base/command/json';
import { addOptions, type FlagsOf } from '@hustings/base/command/option-table';
import { Progress } from '@hustings/base/command/progress';
import { stoppable } from '@hustings/base/command/stop-signal';
import { pageWidth, type Screen, screenOf } from '@hustings/base/command/terminal';
import { outputOf } from '@hustings/base/command/user-files';
import { QUEUE_HELP } from '@hustings/study/internal/cli/flags/queue-flag';
import { TaskPool } from '@hustings/study/internal/cli/workers/task-pool';
import type { Command } from 'commander';
import {
  assemble,
  KINDS,
  measureStudy,
  originText,
  type Reproduction,
  reproductionPage,
  type StudyResult,
  studies,
  VERDICTS,
} from '../index.ts';
import type { ReproduceWork } from './reproduce-worker.ts';
import { reproductionQueue } from './reproduction-queue.ts';

const PAGE = 'reproduction.html';

const OPTIONS = {
  '--quick': 'fewer runs and smaller sizes: takes seconds instead of minutes',
  '--seed <S>': 'seed of all orders, delays and random draws (default: 1)',
  '--out <FILE>': `file of the page (default: ${PAGE}; none with --json)`,
  '--queue [URL]': `compute on the workers of a queue, see 'hustings worker --help'; ${QUEUE_HELP}`,
  '--claim <ID>': 'measure this claim only, and print it; writes no page',
  '--json': 'print all claims and results as one JSON document',
} as const;

export function addReproduce(program: Command): void {
  const command = program
    .command('reproduce')
    .description(
      'Measures the claims of the papers and lecture notes on all cores, and writes one self-contained HTML page: each ' +
        'claim with its source and place, the measured figure, the verdict and, if a source is wrong, a run that shows it. ' +
        'Claims that a source states, claims that follow from them and claims of our own are counted apart.',
    );
  addOptions(command, OPTIONS)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  hustings reproduce --quick\n' +
        '  hustings reproduce --seed 7 --out claims.html\n' +
        '  hustings reproduce --quick --json > claims.json\n' +
        '  hustings reproduce --claim chang-roberts/ith-largest\n' +
        '  hustings reproduce --out claims.html --queue redis://cache.internal\n\n' +
        'Ctrl-C ends it with exit code 130 (143 after SIGTERM) and writes nothing; an existing page is kept.\n' +
        'A refuted claim is a result, not a failure: the exit code is 0.',
    )
    .action(reproduceCommand);
}

async function reproduceCommand(flags: FlagsOf<typeof OPTIONS>): Promise<void> {
  const options = { seed: readSeed(flags.seed), quick: flags.quick === true };
  if (flags.claim !== undefined) {
    printClaim(flags.claim, options, flags.json === true);
    return;
  }
  const path = flags.out ?? (flags.json ? undefined : PAGE);
  const page = outputOf('out', path);
  const queue = flags.queue === undefined ? undefined : (await reproductionQueue()).queueUrlOf(flags.queue);
  const results = await measureAll(options, queue);
  if (results === null) return;
  const reproduction = assemble(options, results);
  page?.write(reproductionPage(reproduction));
  if (flags.json) console.log(formatJson(reproduction));
  else console.log(summaryOf(reproduction, page?.path ?? '', screenOf(process.stdout)).join('\n'));
}

/** Measures one claim on this thread. */
function printClaim(id: string, options: ReproduceWork, isJson: boolean): void {
  const index = studies.findIndex(({ claims }) => claims.some((claim) => claim.id === id));
  if (index < 0)
    refuse('claim', 'the id of a claim of the report, as in chang-roberts/mean-to-the-digit', id);
  const { claims } = studies[index];
  const at = claims.findIndex((claim) => claim.id === id);
  const finding = measureStudy(index, options).findings[at];
  const { origin, says } = claims[at];
  if (isJson) {
    console.log(formatJson({ ...claims[at], ...finding }));
    return;
  }
  const screen = screenOf(process.stdout);
  const lines = [
    `${origin.type}: ${says}`,
    originText(origin),
    '',
    `${finding.verdict}: ${finding.measured}`,
    ...(finding.why === undefined ? [] : [finding.why]),
  ];
  console.log(lines.flatMap((line) => wrap(line, pageWidth(screen))).join('\n'));
  if (finding.table !== undefined) {
    const { columns, rows } = finding.table;
    console.log(['', ...formatTable(columns, rows, pageWidth(screen))].join('\n'));
  }
  if (finding.replay !== undefined) console.log(`\n${finding.replay}`);
}

/** Null if a signal stopped it. */
async function measureAll(
  options: ReproduceWork,
  queue: string | undefined,
): Promise<readonly StudyResult[] | null> {
  const progress = new Progress(process.stderr, true);
  const results: StudyResult[] = [];
  const all = studies.reduce((sum, { claims }) => sum + claims.length, 0);
  const startMs = performance.now();
  let [claims, elections] = [0, 0];
  let stopped: number | null = null;
  try {
    const onResult = (index: number, result: StudyResult): void => {
      if (results[index] !== undefined) return;
      results[index] = result;
      claims += result.findings.length;
      elections += result.elections;
      const leftMs = ((performance.now() - startMs) / claims) * (all - claims);
      progress.updateClaims(claims, all, elections, leftMs);
    };
    stopped = await (queue === undefined
      ? measureHere(options, onResult)
      : measureOnQueue(queue, options, onResult));
  } finally {
    progress.clear();
  }
  if (stopped === null) return results;
  process.exitCode = stopped;
  console.error(`hustings: stopped after ${claims} of ${all} claims; nothing was written`);
  return null;
}

type OnResult = (index: number, result: StudyResult) => void;

/** Returns the exit code of the signal that stopped it, or null. */
async function measureHere(options: ReproduceWork, onResult: OnResult): Promise<number | null> {
  const cores = Math.min(availableParallelism(), studies.length);
  const pool = new TaskPool<number, StudyResult>(
    new URL('./reproduce-worker.js', import.meta.url),
    cores,
    options,
  );
  return stoppable(
    () => pool.run(studies.keys(), onResult),
    () => pool.stop(),
  );
}

async function measureOnQueue(
  url: string,
  options: ReproduceWork,
  onResult: OnResult,
): Promise<number | null> {
  const { runOnQueue } = await reproductionQueue();
  return runOnQueue(url, { type: 'reproduce', options, studies: studies.length }, ({ results }) => {
    for (const [index, result] of results) onResult(index, result);
  });
}

const KIND_TEXT = {
  stated: 'claims stated by the sources',
  follows: 'claims that follow from them',
  ours: 'claims of our own',
} as const;

function readSeed(text: string | undefined): number {
  const seed = text === undefined ? 1 : parseNumber('seed', text, 'a whole number, as in 1');
  if (!Number.isSafeInteger(seed) || seed < 0) {
    refuse('seed', `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`, String(text));
  }
  return seed;
}

function summaryOf({ families, counts }: Reproduction, path: string, { paint, width }: Screen): string[] {
  const results = families.flatMap(({ rows }) => rows.flatMap(({ claims }) => claims));
  const refuted = results.filter(({ verdict }) => verdict === 'refuted');
  const style = { confirmed: 'good', refuted: 'bad' } as const;
  const lines = KINDS.map((kind) => {
    const parts = VERDICTS.filter((verdict) => counts[kind][verdict] > 0).map((verdict) => {
      const text = `${counts[kind][verdict]} ${verdict}`;
      return verdict === 'confirmed' || verdict === 'refuted' ? paint(style[verdict], text) : text;
    });
    const all = results.filter(({ origin }) => origin.type === kind).length;
    return `${all} ${KIND_TEXT[kind]}: ${parts.join(', ')}`;
  });
  if (refuted.length > 0) lines.push('', paint('strong', 'Refuted claims'));
  for (const { row, origin, says, measured } of refuted) {
    lines.push(
      ...wrap(`${row}: ${says} (${origin.type}) — ${measured}`, Math.min(width, 110)).map((line, index) =>
        index === 0 ? line : `  ${line}`,
      ),
    );
  }
  return [...lines, '', `page: ${path}`];
}
