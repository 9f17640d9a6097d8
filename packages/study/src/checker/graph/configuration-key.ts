/** Configurations as text: equal texts have equal futures. */
import type { Configuration, InFlightMessage } from '../../kernel/world/configuration.ts';
import { withoutLengths } from '../../kernel/world/node-step.ts';
import type { World } from '../../kernel/world/world.ts';

/** What the future depends on: neither the number of steps nor, outside bounded delay and rounds, the time. */
export function configurationKey(
  { rules, setup }: World,
  { clock, faults, messages, nodes, started, turn, undelivered }: Configuration,
): string {
  const placeOf = (one: InFlightMessage): string =>
    `${one.link} ${rules.timing === 'asynchronous' ? '' : clock - one.sentTime} ${one.text}`;
  const byLink = (list: readonly InFlightMessage[]): string[] => {
    const places = list.map((one) => ({ link: one.link, place: placeOf(one) }));
    const before = (a: { link: number; place: string }, b: { link: number; place: string }) =>
      a.link - b.link || (rules.fifo ? 0 : a.place < b.place ? -1 : 1);
    return places.sort(before).map(({ place }) => place);
  };
  const isTimed = rules.timing !== 'asynchronous';
  const states = isTimed ? nodes : nodes.map((node) => ({ ...node, timers: withoutLengths(node.timers) }));
  const time = setup.algorithm.assumes.knows?.includes('time') ? clock : 0;
  return JSON.stringify([states, byLink(messages), byLink(undelivered), started, turn, faults, time]);
}
