/** The size of a message, as the simulator counts it. */
import { bitsFor } from '../../../kernel/field.ts';
import type { Machine } from '../../../kernel/machine/machine.ts';
import type { TracedMessage } from '../../../kernel/trace.ts';

/** The bits of a message: its type, its fields as declared, and the items of its lists. */
export function messageBits({
  codec,
  messageLimits,
  scale,
}: Pick<Machine, 'codec' | 'messageLimits' | 'scale'>): (message: TracedMessage) => number {
  const { arity, firstPlace, places, types } = codec;
  const fixed = codec.bits(scale);
  return (message) => {
    const type = types.indexOf(message.type);
    let sum = fixed[type];
    for (let place = firstPlace[type]; place < firstPlace[type] + arity[type]; place++) {
      const value = message[places.names[place]];
      if (Array.isArray(value)) sum += value.length * bitsFor(messageLimits[places.width + place]);
    }
    return sum;
  };
}
