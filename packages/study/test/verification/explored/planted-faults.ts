/** Two old defects of the search, planted into the algorithms that it searches. */
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { algorithmOf } from './algorithm-of.ts';
import type { Automaton } from './automaton.ts';
import { compare, type Drawn } from './comparison.ts';

/** last decision: of the decisions of a handler the search sees only the last; short round: its rounds have 16 bits. */
export type PlantedFault = 'last decision' | 'short round';

/** True if the comparison of this automaton finds the fault. */
export function isFound(drawn: Drawn, fault: PlantedFault, limit: number): boolean {
  try {
    compare(drawn, { limit, isQuick: true, algorithmOf: (automaton) => withFault(automaton, fault) });
    return false;
  } catch (error) {
    if ((error as Error).message.includes('has another')) return true;
    throw error;
  }
}

type Context = Record<string, unknown> & { now: number; decide(...given: unknown[]): void };
// biome-ignore lint/suspicious/noExplicitAny: any handler of any algorithm
type Handler = (...given: any[]) => void;

function withFault(automaton: Automaton, fault: PlantedFault): AnyAlgorithm {
  const algorithm = algorithmOf(automaton);
  const faulty =
    (handler: Handler): Handler =>
    (...given) => {
      const ctx = given.at(-1) as Context;
      let last: unknown[] | null = null;
      const seen = new Proxy(ctx, {
        get: (target, name) => {
          if (name === 'now' && fault === 'short round') return target.now % 65_536;
          if (name === 'decide' && fault === 'last decision') {
            return (...decision: unknown[]) => {
              last = decision;
            };
          }
          const value = target[name as string];
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      handler(...given.slice(0, -1), seen);
      if (last !== null) ctx.decide(...(last as unknown[]));
    };
  const { on, onRestart, onStart, onTimer, onUndelivered } = algorithm as unknown as Record<string, Handler>;
  const all = Object.entries(on as unknown as Record<string, Handler>);
  return {
    ...algorithm,
    onStart: faulty(onStart),
    onRestart: faulty(onRestart),
    onTimer: faulty(onTimer),
    ...(onUndelivered !== undefined && { onUndelivered: faulty(onUndelivered) }),
    on: Object.fromEntries(all.map(([type, handler]) => [type, faulty(handler)])),
  } as unknown as AnyAlgorithm;
}
