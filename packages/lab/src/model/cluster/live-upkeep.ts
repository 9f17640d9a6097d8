/**
 * Folds the upkeep of a running cluster, such as the heartbeats of a leader. The last complete round of each stretch is kept,
 * and the steps before it are counted. A few steps of upkeep in an election are kept as well.
 */
import { type IsUpkeep, isUpkeepStep } from '@hustings/cluster/internal/record/upkeep-step';
import { type FoldedUpkeep, isLiveStep, type LiveEvent, sendersOf } from './live-event.ts';

/** Shorter stretches are kept. */
const MIN_FOLDED = 12;
/** The number of upkeep events without rounds that are kept. */
const MAX_WITHOUT_ROUND = 24;

/** A step of upkeep after which the member stands where it stood. */
export function isQuiet({ entry, stood }: LiveEvent, isUpkeep: IsUpkeep): boolean {
  if (entry.type === 'upkeep') return true;
  return entry.type === 'step' && stood === undefined && isUpkeepStep(entry, isUpkeep);
}

/** The events in their order, with long stretches of upkeep folded. */
export function foldUpkeep(events: readonly LiveEvent[], isUpkeep: IsUpkeep): LiveEvent[] {
  const quiet = new Set(events.filter((event) => isQuiet(event, isUpkeep)));
  const needed = causesAndAnswers(events, quiet);
  const kept: LiveEvent[] = [];
  for (const stretch of stretchesOf(events, (event) => quiet.has(event))) {
    const isAtEnd = stretch.at(-1) === events.at(-1);
    const end = quiet.has(stretch[0]) ? lastRoundOf(stretch, isAtEnd).from : 0;
    const earlier = stretchesOf(stretch.slice(0, end), (event) => !needed.has(event));
    for (const part of earlier) {
      const isLong = part.length >= MIN_FOLDED || part.some(({ entry }) => entry.type === 'upkeep');
      if (isLong && !needed.has(part[0])) kept.push(folded(part, kept.at(-1) ?? null));
      else kept.push(...part);
    }
    kept.push(...stretch.slice(end));
  }
  return kept;
}

/** The events without a round of upkeep at the end that has only begun. */
export function withoutOpenRound(events: readonly LiveEvent[], isUpkeep: IsUpkeep): LiveEvent[] {
  const tail = events.slice(events.findLastIndex((event) => !isQuiet(event, isUpkeep)) + 1);
  return events.slice(0, events.length - tail.length + lastRoundOf(tail, true).until);
}

/** The longest parts in which the test has the same result. */
function stretchesOf(events: readonly LiveEvent[], test: (event: LiveEvent) => boolean): LiveEvent[][] {
  const stretches: LiveEvent[][] = [];
  let last: boolean | null = null;
  for (const event of events) {
    const found = test(event);
    if (found === last) stretches[stretches.length - 1].push(event);
    else stretches.push([event]);
    last = found;
  }
  return stretches;
}

/**
 * The last round in a stretch of upkeep, from a timer of a member that sent some to its next one. At the end of all events
 * the round that the last timer began may be incomplete, so the one before it is meant. Without rounds, the last events.
 */
function lastRoundOf(
  stretch: readonly LiveEvent[],
  isAtEnd: boolean,
): { readonly from: number; readonly until: number } {
  const begins = (event: LiveEvent): boolean =>
    isLiveStep(event) && event.entry.step.startsWith('timer ') && event.entry.sent.length > 0;
  const until = stretch.findLastIndex(begins);
  if (until >= 0 && !isAtEnd) return { from: until, until: stretch.length };
  const from = stretch
    .slice(0, Math.max(0, until))
    .findLastIndex((event) => event.id === stretch[until].id && begins(event));
  if (from >= 0) return { from, until };
  return { from: Math.max(0, stretch.length - MAX_WITHOUT_ROUND), until: stretch.length };
}

/** Steps of upkeep that caused something else, and those that something else caused: their arrows are drawn. */
function causesAndAnswers(
  events: readonly LiveEvent[],
  quiet: ReadonlySet<LiveEvent>,
): ReadonlySet<LiveEvent> {
  const senders = sendersOf(events);
  const needed = new Set<LiveEvent>();
  for (const event of events.filter(isLiveStep)) {
    const { of } = event.entry;
    const sender = of === undefined ? undefined : senders.get(of);
    if (sender === undefined || quiet.has(event) === quiet.has(sender)) continue;
    needed.add(quiet.has(event) ? event : sender);
  }
  return needed;
}

function folded(stretch: readonly LiveEvent[], after: LiveEvent | null): LiveEvent {
  const messages = stretch.reduce((sum, { entry }) => {
    if (entry.type === 'upkeep') return sum + entry.messages;
    return sum + (entry.type === 'step' ? entry.sent.length : 0);
  }, 0);
  const [{ at, id }] = stretch;
  const isPartial = stretch.some(
    ({ entry, isAfterGap }) => isAfterGap === true || (entry.type === 'upkeep' && entry.isPartial),
  );
  return { id, at, entry: { type: 'upkeep', messages, isPartial, after } satisfies FoldedUpkeep };
}
