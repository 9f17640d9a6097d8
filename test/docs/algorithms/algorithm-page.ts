/**
 * Fills in docs/algorithms/*.md. The idea is written there by hand. The source, the model, the rules, a run, the
 * costs, the searches and the violations are generated from the code, from runs and from the checker, between
 * comments.
 */
import { readFileSync } from 'node:fs';
import { twins } from '../../../packages/study/src/algorithms/index.ts';
import { costOf, Recording } from '../../../packages/study/src/cli/picture/run-diagram.ts';
import { type AnyAlgorithm, describeAlgorithm } from '../../../packages/study/src/kernel/index.ts';
import { Run, type SimulateOptions } from '../../../packages/study/src/simulator/index.ts';
import { casesOf } from '../../../packages/study/test/algorithms/read-cases.ts';
import { fillRegions, regionsOf } from '../../../test-kit/golden/regions.ts';
import { type Break, breaksOf, MAX_STATES, pictureOfBreak } from './breaks.ts';
import { checkedTable } from './checked.ts';
import { costTable } from './cost-table.ts';
import { type Head, headOf } from './source-head.ts';

export const SECTIONS = ['source', 'model', 'rules', 'run', 'cost', 'checked', 'breaks'];

/** The hand-written part: the text under 'The idea'. */
export function ideaOf(page: string): string {
  const [, idea] = /\n## The idea\n\n([\s\S]*?)(?:\n\n<!-- |\s*$)/.exec(page) ?? [];
  return idea ?? '';
}

/** Adds the other sections, still empty, to a page that has only its title and the idea. */
export function withSections(page: string): string {
  if (regionsOf(page).length > 0 || ideaOf(page) === '') return page;
  const [title] = page.split('\n', 1);
  const region = (section: string): string => `<!-- ${section} -->\n<!-- end -->`;
  return `${[
    title,
    region('source'),
    '## The idea',
    ideaOf(page),
    region('model'),
    '## The rules',
    region('rules'),
    '## A run',
    region('run'),
    '## What it costs',
    region('cost'),
    '## What was checked',
    'The searches over every schedule; [what was checked](../checked.md) explains the columns.',
    region('checked'),
    '## What it assumes, and what breaks without it',
    region('breaks'),
  ].join('\n\n')}\n`;
}

export interface PageParts {
  readonly page: string;
  readonly pictures: ReadonlyMap<string, string>;
}

export function fillPage(algorithm: AnyAlgorithm, page: string): PageParts {
  const head = headOf(algorithm.name);
  const cases = casesOf(algorithm);
  const { text: run, picture } = workedRun(algorithm, cases.run ?? { nodes: 6 });
  const breaks = breaksOf(algorithm, cases.breaks ?? {});
  const pictures = new Map([[`${algorithm.name}.svg`, picture]]);
  if (breaks.length > 0) pictures.set(`${algorithm.name}-broken.svg`, pictureOfBreak(algorithm, breaks[0]));
  const filled = fillRegions(page, {
    source: () => [head.citation],
    model: () => [...modelOf(head), ...invariantLines(algorithm)],
    rules: () => head.rules.map(([tag, text]) => `- **${tag}** ${text}`),
    run: () => run,
    cost: () => costTable(algorithm, cases.sizes ?? [8, 64, 512], cases.settings ?? {}),
    checked: () => checkedRows(algorithm.name),
    breaks: () => breakLines(algorithm, breaks),
  });
  return { page: filled, pictures };
}

function modelOf({ facts, guarantees }: Head): string[] {
  return [...facts.map(([label, text]) => `- **${label}:** ${text}`), '', guarantees];
}

function invariantLines(algorithm: AnyAlgorithm): string[] {
  const { invariants } = describeAlgorithm(algorithm);
  if (invariants.length === 0) return [];
  const lines = invariants.map(
    ({ name, scope, statement }) =>
      `- \`${name}\`${scope === 'network' ? ' (whole network)' : ''}: ${statement}.`,
  );
  return ['', 'Invariants, which the simulator and the checker check:', '', ...lines];
}

function workedRun(algorithm: AnyAlgorithm, options: SimulateOptions): { text: string[]; picture: string } {
  const recording = new Recording();
  const run = new Run(algorithm, { ...options, states: true, observe: (event) => recording.take(event) });
  while (!run.advance());
  const outcome = run.outcome();
  const { name, title } = algorithm;
  const command = run.plan.replay.replace(/ --trace$/, '').replace(/ --seed 1$/, '');
  return {
    text: [
      '```sh',
      `npx ${command}`,
      '```',
      '',
      `![${title}: this run as a space-time diagram](../pictures/algorithms/${name}.svg)`,
    ],
    picture: recording.draw(run, costOf(outcome)),
  };
}

/** The rows of docs/checked.md about this algorithm, with the header of the table. */
function checkedRows(name: string): string[] {
  const page = readFileSync(new URL('../../../docs/checked.md', import.meta.url), 'utf8');
  const { head, rows } = checkedTable(page);
  const own = rows.get(name) ?? [];
  if (own.length === 0) throw new Error(`docs/checked.md has no row for ${name}`);
  return [...head, ...own];
}

function consequence(property: string): string {
  return property === 'handler' ? 'a handler throws' : `${property} is violated`;
}

function breakLines(algorithm: AnyAlgorithm, breaks: readonly Break[]): string[] {
  const mutants = twins
    .filter(({ of }) => of === algorithm.name)
    .map(
      (twin) =>
        `- **one wrong line**, as in \`${twin.name}\`: ${twin.property} is violated; [why this line](../why-this-line.md) shows the run.`,
    );
  if (breaks.length === 0) {
    const states = MAX_STATES.toLocaleString('en');
    return [`Searches of ${states} states with up to four nodes find no violation.`, '', ...mutants];
  }
  const { name, title } = algorithm;
  const lines = breaks.map(({ what, counterexample: { ids, property, text } }) => {
    const where = algorithm.assumes.ids === 'anonymous' ? `${ids.length} nodes` : `the ids ${ids.join(', ')}`;
    return `- **${what}**, with ${where}: ${consequence(property)} (${text}).`;
  });
  return [
    ...lines,
    '',
    `![${title}: the violation with ${breaks[0].what}](../pictures/algorithms/${name}-broken.svg)`,
  ];
}
