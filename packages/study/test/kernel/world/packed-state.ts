/** A packed state of the checker, and a configuration of the world, in one form in which they can be compared. */
import type { Channels } from '../../../src/checker/network/channels.ts';
import type { NetworkSystem } from '../../../src/checker/network/network-system.ts';
import type { NodeTransitions } from '../../../src/checker/network/node-transitions.ts';
import { formatMessage, type TracedMessage } from '../../../src/kernel/trace.ts';
import type { InFlightMessage } from '../../../src/kernel/world/configuration.ts';
import type { NodeSnapshot } from '../../../src/kernel/world/node-step.ts';
import type { World } from '../../../src/kernel/world/world.ts';

/** What the system keeps to itself. */
interface Inner {
  readonly local: NodeTransitions;
  readonly channels: Channels;
  readonly faulty: boolean;
  readonly firstNode: number;
  readonly firstLink: number;
  readonly firstNotice: number;
  readonly hasNotices: boolean;
  readonly phase?: number;
  readonly ageLimit?: number;
}

export function textOfState(system: NetworkSystem, state: Uint16Array): string {
  const inner = system as unknown as Inner;
  const { channels, firstLink, firstNode, firstNotice, local, ageLimit } = inner;
  const { codec, lists } = local.machine;
  const content = (place: number): unknown[] =>
    channels.list(state[place]).map((element) => {
      const text = formatMessage(codec.read(system.wordsOf(element), 0, lists) as TracedMessage);
      return ageLimit === undefined ? text : `${text} age ${element % ageLimit}`;
    });
  const links = (first: number): unknown[] =>
    Array.from({ length: system.links }, (_, link) => sortUnless(system.options.fifo, content(first + link)));
  return JSON.stringify({
    nodes: local.states.map(({ all }, at) => nodeOf(all[state[firstNode + at]], true)),
    links: links(firstLink),
    notices: inner.hasNotices ? links(firstNotice) : [],
    turn: inner.phase === undefined ? 0 : state[inner.phase],
    faults: inner.faulty ? [...state.subarray(0, 3)] : [0, 0, 0],
  });
}

export function textOfWorld(world: World, system: NetworkSystem): string {
  const { clock, faults, messages, nodes, turn, undelivered } = world.configuration;
  const isBounded = world.rules.timing === 'bounded-delay';
  const links = (all: readonly InFlightMessage[]): unknown[] =>
    Array.from({ length: system.links }, (_, link) =>
      sortUnless(
        system.options.fifo,
        all
          .filter(({ port, to }) => system.table.numberOf(to, port) === link)
          .map(({ sentTime, text }) => (isBounded ? `${text} age ${clock - sentTime}` : text)),
      ),
    );
  return JSON.stringify({
    nodes: nodes.map((node) => nodeOf(node, world.rules.timing !== 'asynchronous')),
    links: links(messages),
    notices: (system as unknown as Inner).hasNotices ? links(undelivered) : [],
    turn: turn === 'timers' ? 1 : 0,
    faults: [faults.crashes, faults.recoveries, faults.losses],
  });
}

/** `timed`: lengths of timers are a part of the state. */
function nodeOf({ led, record, startedFor, timers }: NodeSnapshot, timed: boolean): unknown {
  return [record, timed ? timers : timers.map((left) => Math.min(left, 0)), startedFor, led];
}

function sortUnless(isOrdered: boolean, items: unknown[]): unknown[] {
  return isOrdered ? items : items.sort();
}
