/** `hustings welcome`, which `npm start` runs: a first election, told to somebody who has never seen one. */
import type { Command } from 'commander';
import { changRoberts } from '../../algorithms/index.ts';
import { Run, type TraceEvent } from '../../simulator/index.ts';
import { lawTable } from '../report/law-table.ts';
import { picture } from '../report/summary.ts';
import { tellTokens } from '../report/welcome-tokens.ts';
import { wrap } from '../table.ts';
import { type Screen, screenOf } from '../terminal.ts';

/** Numbers that are neither positions nor times, so that the story has no two meanings for one figure. */
const IDS = [31, 12, 47, 5, 26, 19, 38, 23];
const PAGE_WIDTH = 78;
/** As a clone of the repository takes them: there the command is on no path. */
const NEXT = [
  ['npx hustings algorithms', 'all elections, with what they assume and cost'],
  ['npx hustings simulate chang-roberts --nodes 16', 'another ring; add --trace to see every message'],
  ['npx hustings simulate chang-roberts --svg election.svg', 'an election as a diagram, for a slide'],
  ['npx hustings simulate --help', 'crashes, delays, other networks'],
  ['npx hustings lead --name tea -- date', 'a lease: of all who type this, one runs the command at a time'],
];

export function addWelcome(program: Command): void {
  program
    .command('welcome')
    .summary('watch a first election')
    .description('Elects a leader on a ring of eight, and tells how.')
    .addHelpText('after', '\nExample:\n  hustings welcome')
    .action(() => console.log(welcome(screenOf(process.stdout)).join('\n')));
}

export function welcome({ paint, width }: Screen): string[] {
  const events: TraceEvent[] = [];
  const run = new Run(changRoberts, { ids: IDS, observe: (event) => events.push(event) });
  while (!run.advance());
  const outcome = run.outcome();
  const screen = { paint, width: Math.min(width, PAGE_WIDTH) };
  const say = (text: string): string[] => wrap(text, screen.width);
  const leader = outcome.leader?.id ?? 0;
  const knows = outcome.time.electedAt ?? 0;
  const total = outcome.messages.total;
  return [
    paint('strong', 'An election'),
    '',
    ...say(
      'Eight computers stand in a ring. Each has a number and can send messages to the next one clockwise, no ' +
        'other. They all begin at once, nobody knows how many they are, and in the end all must name the same leader.',
    ),
    '',
    ...picture(run, outcome, screen),
    '',
    ...say(
      'Each sends its own number on. Whoever receives a larger number than its own passes it on, and swallows a ' +
        'smaller one (×). Below, each line shows the numbers that arrive at that moment:',
    ),
    '',
    ...tellTokens(events, run.plan.ids, knows, paint),
    '',
    ...say(
      `At time ${knows} the number ${leader} is home again. It has passed everybody, so nobody has a larger one: ` +
        `${leader} is the leader, and sends word once round the ring. At time ${outcome.time.announcementReturnedAt} that word is ` +
        `home too. ${total} messages, one leader, and all agree.`,
    ),
    '',
    ...say('What theory says it should cost (n nodes, of which k began, H_k = 1 + 1/2 + … + 1/k):'),
    '',
    ...lawTable(outcome, run.laws(), screen),
    '',
    paint('strong', 'Now you'),
    ...NEXT.flatMap(([command, about]) => [`  ${command}`, `      ${paint('faint', about)}`]),
  ];
}
