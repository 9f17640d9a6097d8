/** `hustings welcome`, which `npm start` runs: a first election with an explanation. */

import { type Paint, wrap } from '@hustings/base';
import { type Screen, screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import { changRoberts } from '../../algorithms/index.ts';
import { Run, type TraceEvent } from '../../simulator/index.ts';
import { lawTable } from '../report/law-table.ts';
import { picture } from '../report/summary.ts';

/** Ids that differ from all positions and times of the run. */
const IDS = [31, 12, 47, 5, 26, 19, 38, 23];
const PAGE_WIDTH = 78;
/** With npx, because in a clone of the repository the command is not on the PATH. */
const NEXT = [
  ['npx hustings algorithms', 'all algorithms, with their assumptions and cost'],
  ['npx hustings simulate chang-roberts --nodes 16', 'a larger ring; add --trace to see every message'],
  ['npx hustings simulate chang-roberts --svg election.svg', 'an election as a space-time diagram'],
  ['npx hustings simulate --help', 'crashes, random delays, other networks'],
  ['npx hustings lead tea --local -- date', 'a lease: only one process at a time runs the command'],
];

export function addWelcome(program: Command): void {
  program
    .command('welcome')
    .description('Elects a leader on a ring of eight nodes, and explains how.')
    .addHelpText('after', '\nExample:\n  hustings welcome')
    .action(() => console.log(welcome(screenOf(process.stdout)).join('\n')));
}

export function welcome({ paint, width }: Screen): string[] {
  const events: TraceEvent[] = [];
  const run = new Run(changRoberts, { ids: IDS, observe: (event) => events.push(event) });
  while (!run.advance());
  const outcome = run.outcome();
  const screen = { paint, width: Math.min(width, PAGE_WIDTH) };
  const paragraph = (text: string): string[] => wrap(text, screen.width);
  const leader = outcome.leader?.id ?? 0;
  const electedAt = outcome.time.electedAt ?? 0;
  const total = outcome.messages.total;
  return [
    paint('strong', 'An election'),
    '',
    ...paragraph(
      'Eight nodes form a ring. Each has an id, and can send messages only to the next node clockwise. All start at ' +
        'the same time, none knows how many nodes there are, and in the end all must agree on one leader.',
    ),
    '',
    ...picture(run, outcome, screen),
    '',
    ...paragraph(
      'Each node sends its id. A node that receives a larger id than its own forwards it, and discards a smaller one ' +
        '(×). Each line shows the ids that arrive at that time:',
    ),
    '',
    ...arrivals(events, run.plan.ids, electedAt, paint),
    '',
    ...paragraph(
      `At time ${electedAt} the id ${leader} returns to its node. It has passed all nodes, so none has a larger id: the node is ` +
        `the leader, and announces that around the ring. At time ${outcome.time.announcementReturnedAt} the announcement ` +
        `returns. ${total} messages, one leader, and all nodes agree.`,
    ),
    '',
    ...paragraph(
      'The measured cost beside the laws of the algorithm (n nodes, k initiators, H_k = 1 + 1/2 + … + 1/k):',
    ),
    '',
    ...lawTable(outcome, run.laws(), screen),
    '',
    paint('strong', 'Next'),
    ...NEXT.flatMap(([command, about]) => [`  ${command}`, `      ${paint('faint', about)}`]),
  ];
}

const CELL = 6;

/** One line per time: the number that arrives at each node, with × if the node discards it and ★ if it is its own. */
function arrivals(events: readonly TraceEvent[], ids: Int32Array, last: number, paint: Paint): string[] {
  const lines = [
    line(
      'node',
      Array.from(ids, (id) => [String(id), 'strong'] as const),
      paint,
    ),
  ];
  for (let time = 1; time <= last; time++) {
    const now = events.filter((event) => event.time === time);
    const cells = Array.from(ids, (own, node) => {
      const arrived = now.find((event) => event.type === 'deliver' && event.node === node);
      if (arrived?.type !== 'deliver') return ['·', 'faint'] as const;
      const number = String(arrived.message.id);
      if (number === String(own)) return [`${number} ★`, 'leader'] as const;
      const isPassedOn = now.some((event) => event.type === 'send' && event.node === node);
      return isPassedOn ? ([number, null] as const) : ([`${number} ×`, 'faint'] as const);
    });
    lines.push(line(`time ${time}`, cells, paint));
  }
  return lines;
}

function line(
  name: string,
  cells: readonly (readonly [text: string, tone: Parameters<Paint>[0] | null])[],
  paint: Paint,
): string {
  const texts = cells.map(([text, tone]) => {
    const padded = text.padEnd(CELL);
    return tone === null ? padded : paint(tone, padded);
  });
  return `  ${paint('faint', name.padEnd(9))}${texts.join('')}`.trimEnd();
}
