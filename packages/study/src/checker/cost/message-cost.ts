/** The cost of one message in each measure. */
import type { Machine } from '../../kernel/machine/machine.ts';
import { typeOf } from '../../kernel/machine/message-buffer.ts';

/**
 * messages: all messages; election: without announcements and upkeep, as in laws; bits: the declared sizes; time: the longest
 * causal chain of messages.
 */
export type CostMeasure = 'messages' | 'election' | 'bits' | 'time';

/** All cost measures. */
export const COST_MEASURES: readonly CostMeasure[] = ['messages', 'election', 'bits', 'time'];

/** Not for time, which is not a sum over messages. */
export function messageCost(
  { codec, lists, messageLimits, scale }: Machine,
  measure: Exclude<CostMeasure, 'time'>,
): (words: Int32Array) => number {
  if (measure === 'messages') return () => 1;
  if (measure === 'election') return (words) => (typeOf(words, 0) < codec.firstUpkeep ? 1 : 0);
  const bits = codec.bits(scale);
  return (words) => bits[typeOf(words, 0)] + codec.itemBits(words, 0, lists, messageLimits);
}
