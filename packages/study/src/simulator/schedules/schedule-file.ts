/**
 * A schedule from a file: each line `deliver FROM > TO` picks the next delivery, by positions. A time before it and text
 * after it are ignored, so a trace is a schedule. The other lines of a trace and comments (`#`) are skipped. After the last
 * line the oldest message is delivered next.
 *
 * A line that reports a message as lost on arrival, because its receiver had crashed or was partitioned, also picks that
 * message, which is lost again.
 *
 * Does not guarantee the times of the trace, because each delivery takes one unit here; nor the order of messages that
 * overtook one another on a link, because a line names the link, and its oldest message is delivered.
 */
import { InputError } from '../../kernel/errors.ts';
import type { Adversary, Choice } from './adversary.ts';

interface Delivery {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** A line of the form EVENT FROM > TO, with an optional time before it. */
const MOVE = /^(?:\d+(?:\.\d+)?\s+)?([a-z]+)\s+(\d+)\s*>\s*(\d+)(?!\S)/i;
const SKIPPED = ['send', 'undelivered'];
const LOST_ON_ARRIVAL = /\((?:receiver dead|network partitioned)\)\s*$/;

/** `name` is what errors call the file. */
export function fileSchedule(text: string, name: string): Adversary {
  const deliveries = text.split('\n').flatMap((line, index) => readDelivery(line.trim(), index + 1, name));
  if (deliveries.length === 0) {
    throw new InputError(`${name} must have lines such as 'deliver 0 > 1': add some`);
  }
  return (choices, step) => {
    const delivery = deliveries[step];
    if (delivery === undefined) return 0;
    const picked = choices.findIndex(({ from, to }) => from === delivery.from && to === delivery.to);
    if (picked >= 0) return picked;
    throw new InputError(
      `line ${delivery.line} of ${name} delivers ${delivery.from} > ${delivery.to}, but nothing is in flight there: ` +
        `choose from ${describe(choices)}`,
    );
  };
}

function readDelivery(line: string, number: number, name: string): Delivery[] {
  const match = MOVE.exec(line);
  const word = match?.[1] ?? '';
  const isDelivery = word === 'deliver' || (word === 'lost' && LOST_ON_ARRIVAL.test(line));
  if (match !== null && isDelivery) return [{ line: number, from: Number(match[2]), to: Number(match[3]) }];
  const isKnown =
    match === null ? !/^(?:\S+\s+)?deliver\b/.test(line) : SKIPPED.includes(word) || word === 'lost';
  if (isKnown) return [];
  throw new InputError(`line ${number} of ${name} must be 'deliver FROM > TO', not '${line}'`);
}

/** Up to eight links with a message in flight. */
function describe(choices: readonly Choice[]): string {
  const links = [...new Set(choices.map(({ from, to }) => `${from} > ${to}`))];
  return links.slice(0, 8).join(', ') + (links.length > 8 ? ', …' : '');
}
