/** The ways of tokens around a ring: how far each has come at the cursor. */
import type { RunModel } from '../run/run-model.ts';

/** The way of one token. */
export interface TokenWay {
  /** The position of its owner. */
  readonly start: number;
  /** The hops before the cursor. */
  readonly hops: number;
  /** The hops of the whole branch. */
  readonly all: number;
  readonly end: 'moving' | 'discarded' | 'home';
}

/** The ways of all tokens, the longest first. Owners are found by the id that a token carries. */
export function tokenWays(model: RunModel): TokenWay[] {
  const trace = model.trace();
  const events = trace.events('units');
  const now = trace.eventsBefore(model.position);
  const { ids, nodes } = model.plan;
  const ways = Array.from(ids, (_, start) => ({ start, hops: 0, all: 0 }));
  for (const [k, event] of events.entries()) {
    if (event.type !== 'deliver' || event.message.type !== 'token') continue;
    const way = ways[ids.indexOf(Number(event.message.id))];
    way.all++;
    if (k < now) way.hops++;
  }
  return ways
    .sort((a, b) => b.all - a.all)
    .map((way) => ({
      ...way,
      end: way.hops === nodes ? 'home' : way.hops === way.all ? 'discarded' : 'moving',
    }));
}
