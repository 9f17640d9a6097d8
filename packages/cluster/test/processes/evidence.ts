/**
 * What answers of members and recordings prove.
 *
 * An answer was made at some moment between the request and its receipt. Two answers whose times overlap prove nothing: one
 * member may have stopped to lead before the other began. But no member leads twice with one token: a claim that is over stays
 * over. So a member led from the receipt of its first answer with a token until the request of its last one. An answer
 * of another member that leads, asked for and received within that time, proves that two led at once.
 */
import type { TraceLine } from '../../src/record/trace-line.ts';

/** A member said that it leads. */
export interface LeadSample {
  readonly id: number;
  readonly token: number;
  readonly sentMs: number;
  readonly receivedMs: number;
}

/** The time in which a member certainly led with a token. */
interface LeadSpan {
  readonly id: number;
  readonly token: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

function spansOf(samples: readonly LeadSample[]): LeadSpan[] {
  const spans = new Map<string, LeadSpan>();
  for (const { id, receivedMs, sentMs, token } of samples) {
    const name = `${id} ${token}`;
    const { fromMs = receivedMs, untilMs = sentMs } = spans.get(name) ?? {};
    spans.set(name, { id, token, fromMs: Math.min(fromMs, receivedMs), untilMs: Math.max(untilMs, sentMs) });
  }
  return [...spans.values()];
}

/** Two members that led at the same time: one line for each pair. */
export function ledAtOnce(samples: readonly LeadSample[]): string[] {
  const found = new Map<string, string>();
  const spans = spansOf(samples);
  for (const { id, receivedMs, sentMs, token } of samples) {
    for (const span of spans) {
      if (span.id === id || sentMs < span.fromMs || receivedMs > span.untilMs) continue;
      const [a, b] = [`${span.id} with token ${span.token}`, `${id} with token ${token}`];
      found.set(`${a} ${b}`, `member ${a} and member ${b} led at once`);
    }
  }
  return [...found.values()];
}

/** Tokens that two members led with. */
export function sharedTokens(samples: readonly LeadSample[]): string[] {
  const holders = new Map<number, Set<number>>();
  for (const { id, token } of samples) holders.set(token, (holders.get(token) ?? new Set()).add(id));
  return [...holders].flatMap(([token, ids]) =>
    ids.size > 1 ? [`members ${[...ids].join(' and ')} led with token ${token}`] : [],
  );
}

/** Members of a minority that said after `fromMs` and until `untilMs` that they lead. */
export function ledIn(
  minority: readonly number[],
  fromMs: number,
  untilMs: number,
  samples: readonly LeadSample[],
): string[] {
  const found = samples.filter(
    ({ id, receivedMs, sentMs }) => minority.includes(id) && sentMs >= fromMs && receivedMs <= untilMs,
  );
  return [...new Set(found.map(({ id, token }) => `member ${id} led with token ${token} in a minority`))];
}

const GRANTED = /^vote .*\bterm=(\d+) .*granted=true/;
const CANDIDACY = /^requestVote .*\bterm=(\d+)/;

/** Second votes of a member in one term, before and after its restarts, in its recording. A candidate votes for itself. */
export function secondVotes(trace: string): string[] {
  const votes = new Map<string, number | null>();
  const found: string[] = [];
  for (const line of trace.split('\n')) {
    if (!/"(vote|requestVote) /.test(line)) continue;
    const { clock, sent } = JSON.parse(line) as Extract<TraceLine, { type: 'step' }>;
    for (const { key, message, to } of sent) {
      const term = GRANTED.exec(message)?.[1] ?? CANDIDACY.exec(message)?.[1];
      if (term === undefined) continue;
      const self = Number.parseInt(key, 10);
      const candidate = message.startsWith('vote ') ? to : self;
      const other = votes.get(term);
      if (other !== undefined && other !== candidate)
        found.push(
          `member ${self} voted for ${other} and, in its step ${clock[self]}, for ${candidate} in term ${term}`,
        );
      votes.set(term, candidate);
    }
  }
  return found;
}
