/** What a message counts for, by what is counted. */
import type { Machine } from '../../kernel/machine/machine.ts';
import { typeOf } from '../../kernel/machine/message-buffer.ts';

/**
 * messages: all of them; election: without announcements and upkeep, as laws count; bits: as declared. time: the longest
 * chain of messages, each sent by a node that the one before had reached.
 */
export type CostMeasure = 'messages' | 'election' | 'bits' | 'time';

/** All cost measures. */
export const COST_MEASURES: readonly CostMeasure[] = ['messages', 'election', 'bits', 'time'];

/** By its words. Not for time, which is no sum over messages. */
export function messageCost(
  { codec, lists, messageLimits, scale }: Machine,
  measure: Exclude<CostMeasure, 'time'>,
): (words: Int32Array) => number {
  if (measure === 'messages') return () => 1;
  if (measure === 'election') return (words) => (typeOf(words, 0) < codec.firstUpkeep ? 1 : 0);
  const bits = codec.bits(scale);
  return (words) => bits[typeOf(words, 0)] + codec.itemBits(words, 0, lists, messageLimits);
}
