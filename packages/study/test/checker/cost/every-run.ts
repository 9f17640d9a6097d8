/**
 * All runs of a small election, one by one, on the machine that replays use: nothing is remembered, left out or packed.
 * An oracle for what runs cost at most and at least.
 */
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { resolveSetup } from '../../../src/kernel/setup.ts';
import type { InFlightMessage } from '../../../src/kernel/world/configuration.ts';
import { isMessageStep, type Step } from '../../../src/kernel/world/step.ts';
import { World } from '../../../src/kernel/world/world.ts';

export interface Costs {
  runs: number;
  maxMessages: number;
  minMessages: number;
  /** The longest chain of messages. */
  longest: number;
}

interface Flight {
  readonly message: InFlightMessage;
  readonly chain: number;
}

/** Null if there are more runs than `limit`. */
export function costsOfEveryRun(
  algorithm: AnyAlgorithm,
  ids: readonly number[],
  initiators: readonly number[],
  fifo: boolean,
  limit: number,
): Costs | null {
  const world = new World(resolveSetup(algorithm, { ids }), { initiators, fifo, starts: 'free' });
  const costs: Costs = { runs: 0, maxMessages: 0, minMessages: Number.POSITIVE_INFINITY, longest: 0 };
  let steps = 0;
  const isOver = (): boolean => steps > limit;

  const visit = (sent: number, chains: readonly number[], flights: readonly Flight[]): void => {
    steps++;
    if (isOver()) return;
    const enabled = world.enabled();
    if (enabled.length === 0) {
      costs.runs++;
      costs.maxMessages = Math.max(costs.maxMessages, sent);
      costs.minMessages = Math.min(costs.minMessages, sent);
      costs.longest = Math.max(costs.longest, ...chains);
      return;
    }
    const take = (step: Step, at: number, taken: Flight | null): void => {
      world.branch(step, ({ events }) => {
        const after = taken === null ? chains : chains.with(at, Math.max(chains[at], taken.chain));
        const { messages } = world.configuration;
        const fresh = messages.slice(messages.length - events.filter(({ type }) => type === 'send').length);
        const rest = flights.filter((flight) => flight !== taken);
        const added = fresh.map((message) => ({ message, chain: after[at] + 1 }));
        visit(sent + fresh.length, after, [...rest, ...added]);
      });
    };
    for (const step of enabled) {
      if (!isMessageStep(step)) take(step, 'node' in step ? step.node : 0, null);
    }
    flights.forEach((flight, k) => {
      const { from, to, port, text } = flight.message;
      const before = flights.slice(0, k).map(({ message }) => message);
      if (fifo && before.some((other) => other.to === to && other.port === port)) return;
      take({ type: 'deliver', from, to, port, message: text }, to, flight);
    });
  };
  visit(
    0,
    world.configuration.nodes.map(() => 0),
    [],
  );
  return isOver() ? null : costs;
}
