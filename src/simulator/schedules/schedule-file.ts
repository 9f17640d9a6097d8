/**
 * A schedule that was written down: every line `deliver FROM > TO` picks the next delivery, by positions. What stands
 * behind it is ignored, and so is a time before it; a trace is therefore a schedule. The other lines of a trace and
 * comments (`#`) are passed over. When the file is used up, the oldest message goes next.
 *
 * A message that a trace reports as lost on arrival, because its receiver was dead or the network partitioned, took its
 * turn as well: such a line picks it, to be lost again.
 *
 * Not guaranteed: that a trace played again shows the same times, since each delivery takes one unit here; nor, where
 * messages overtook one another on a link, the same order: a line names the link, and its oldest message goes.
 */
import { InputError } from '../../kernel/errors.ts';
import type { Adversary, Choice } from './adversary.ts';

interface Turn {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** Any line of the form WORD FROM > TO, with or without a time before it. */
const MOVE = /^(?:\d+(?:\.\d+)?\s+)?([a-z]+)\s+(\d+)\s*>\s*(\d+)(?!\S)/i;
const PASSED_OVER = ['send', 'undelivered'];
const LOST_ON_ARRIVAL = /\((?:receiver dead|network partitioned)\)\s*$/;

/** `name` is what errors call the file. */
export function fileSchedule(text: string, name: string): Adversary {
  const turns = text.split('\n').flatMap((line, index) => readTurn(line.trim(), index + 1, name));
  if (turns.length === 0) {
    throw new InputError(`${name} must have lines such as 'deliver 0 > 1': add some`);
  }
  return (choices, step) => {
    const turn = turns[step];
    if (turn === undefined) return 0;
    const picked = choices.findIndex(({ from, to }) => from === turn.from && to === turn.to);
    if (picked >= 0) return picked;
    throw new InputError(
      `line ${turn.line} of ${name} delivers ${turn.from} > ${turn.to}, but nothing is in flight there: ` +
        `choose from ${describe(choices)}`,
    );
  };
}

function readTurn(line: string, number: number, name: string): Turn[] {
  const match = MOVE.exec(line);
  const word = match?.[1] ?? '';
  const isTurn = word === 'deliver' || (word === 'lost' && LOST_ON_ARRIVAL.test(line));
  if (match !== null && isTurn) return [{ line: number, from: Number(match[2]), to: Number(match[3]) }];
  const isKnown =
    match === null ? !/^(?:\S+\s+)?deliver\b/.test(line) : PASSED_OVER.includes(word) || word === 'lost';
  if (isKnown) return [];
  throw new InputError(`line ${number} of ${name} must be 'deliver FROM > TO', not '${line}'`);
}

/** A few of the links on which something is in flight. */
function describe(choices: readonly Choice[]): string {
  const links = [...new Set(choices.map(({ from, to }) => `${from} > ${to}`))];
  return links.slice(0, 8).join(', ') + (links.length > 8 ? ', …' : '');
}
