/**
 * A recording as a log that ShiViz draws: two lines for each event, the host with its vector clock and the text. Clocks are
 * computed from the merged order, so that they go on through restarts. ShiViz parses it with
 * `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`.
 */
import { isDelivery, isStepEvent, type MergedRecording, type RecordedEvent } from './merge.ts';
import { mergeClocks, type VectorClock } from './trace-line.ts';

/** The text of a ShiViz log. */
export function formatShiViz({ events, sends }: MergedRecording): string {
  const clocks = new Map<number, VectorClock>();
  const sent = new Map<RecordedEvent, VectorClock>();
  const lines = events.map((event) => {
    const { id } = event;
    const host = `member-${id}`;
    let clock = clocks.get(id) ?? {};
    const cause = isStepEvent(event) && isDelivery(event) ? sends.get(event.entry.of ?? '') : undefined;
    if (cause !== undefined) clock = mergeClocks(clock, sent.get(cause) ?? {});
    clock = { ...clock, [host]: (clock[host] ?? 0) + 1 };
    clocks.set(id, clock);
    if (isStepEvent(event) && event.entry.sent.length > 0) sent.set(event, clock);
    return `${host} ${JSON.stringify(clock)}\n${textOf(event)}\n`;
  });
  return lines.join('');
}

function textOf(event: RecordedEvent): string {
  const { entry } = event;
  if (entry.type === 'begin') return entry.recovered ? 'starts again' : 'starts';
  if (entry.type === 'crash') return 'stops';
  if (entry.type === 'epoch')
    return `enters epoch ${entry.number} of ${entry.proposer}: ${entry.members.join(', ')}`;
  const epoch = entry.epoch === 0 ? '' : ` (epoch ${entry.epoch})`;
  const sent = entry.sent
    .map(({ message, to }) => `; sends ${message} to ${to ?? 'an auxiliary process'}`)
    .join('');
  const { decided } = entry;
  const decision =
    decided === undefined ? '' : `; ${decided.role} of ${decided.leader} in term ${decided.term}`;
  return `${entry.step}${epoch}${sent}${decision}`;
}
