/**
 * The innermost loop of the simulator: lockstep on a network with one receiving port per node, where the messages of a round
 * are in the order of delivery already.
 */
import { type Machine, refuseReturn } from '../kernel/machine/machine.ts';
import { MAX_TYPES, type MessageBuffer, TYPE_BITS } from '../kernel/machine/message-buffer.ts';
import type { Tally } from './tally.ts';

const PORT_SHIFT = TYPE_BITS;
const TYPE_MASK = MAX_TYPES - 1;

/**
 * Delivers the messages in the outbox, while handlers fill the `other` buffer for the next round, and swaps the buffers after
 * each round. Stops when no message is left, at the time `lastUnit`, or after about `budget` messages. Counts the delivered
 * messages in `tally` and returns their number.
 *
 * Does not mark nodes as awake, which matters only while nodes may still start.
 */
export function deliverOneWayRounds(
  machine: Machine,
  other: MessageBuffer,
  lastUnit: number,
  budget: number,
  tally: Tally,
): number {
  const { context } = machine;
  const { handlers, messages, messageCursor, state, stateCursor } = machine.handlerCalls();
  const { width } = machine.layout;
  const first = handlers[0];
  const firstView = messages[0];
  const stride = machine.codec.width;
  const { byType, firstAnnouncement } = tally;
  const { topology } = machine.environment;
  let arriving = other;
  let leaving = context.outbox;
  const most = budget * stride;
  let done = 0;
  let counted = 0;
  while (leaving.end > 0 && done < most && context.clock < lastUnit) {
    const free = arriving;
    arriving = leaving;
    leaving = free;
    leaving.end = 0;
    context.outbox = leaving;
    context.clock++;
    const { words, end } = arriving;
    messageCursor.words = words;
    for (let base = 0; base < end; base = (base + stride) | 0) {
      const at = words[base];
      const portAndType = words[base + 1];
      stateCursor.base = Math.imul(at, width);
      messageCursor.base = base;
      context.at = at;
      const type = portAndType & TYPE_MASK;
      // Most messages have the first type: a separate call site for its handler is faster.
      if (type === 0) {
        const returned: unknown = first(state, portAndType >>> PORT_SHIFT, firstView, context);
        if (returned !== undefined) refuseReturn(`on.${machine.codec.types[0]}`);
      } else {
        counted++;
        byType[type]++;
        if (type >= firstAnnouncement) {
          if (tally.announcer < 0) tally.announcer = topology.neighbour(at, portAndType >>> PORT_SHIFT);
          if (tally.announcer === at) tally.announcementReturnedAt = context.clock;
        }
        const returned: unknown = handlers[type](state, portAndType >>> PORT_SHIFT, messages[type], context);
        if (returned !== undefined) refuseReturn(`on.${machine.codec.types[type]}`);
      }
    }
    done += end;
  }
  byType[0] += done / stride - counted;
  return done / stride;
}
