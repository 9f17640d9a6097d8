/** What arrives where, line by line, while numbers travel round a ring. */
import type { Paint } from '../../drawing/index.ts';
import type { TraceEvent } from '../../simulator/index.ts';

const CELL = 6;

/**
 * A line for each time up to `last`: under every node the number that arrives there, with × if the node swallows it
 * and ★ where a node's own comes home.
 */
export function tellTokens(
  events: readonly TraceEvent[],
  ids: Int32Array,
  last: number,
  paint: Paint,
): string[] {
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
