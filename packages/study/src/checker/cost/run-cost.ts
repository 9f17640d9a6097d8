/**
 * The cost of a replayed run, counted from its events as the simulator counts it: messages when they are sent, chains when
 * their messages are received.
 */
import type { Machine } from '../../kernel/machine/machine.ts';
import { RECORD_HEADER } from '../../kernel/machine/message-buffer.ts';
import type { MessageCounts } from '../../kernel/machine/message-codec.ts';
import { formatMessage, type TraceEvent } from '../../kernel/trace.ts';
import type { CostMeasure } from './message-cost.ts';

/** The cost of a run in every measure. */
export interface RunCost {
  readonly messages: MessageCounts;
  readonly bits: number;
  /** The length of the longest causal chain of messages. */
  readonly causal: number;
}

interface Flight {
  readonly from: number;
  readonly to: number;
  /** The port of the receiver. */
  readonly port: number;
  readonly text: string;
  /** The length of the chain that ends with this message. */
  readonly length: number;
}

/** The cost in one measure. */
export function costIn(cost: RunCost, measure: CostMeasure): number {
  if (measure === 'time') return cost.causal;
  if (measure === 'bits') return cost.bits;
  return measure === 'election' ? cost.messages.election : cost.messages.total;
}

/**
 * Among equal messages on a non-FIFO link, the one with the longest chain is delivered, and the one with the shortest is lost.
 * `chains` distinguishes runs whose chains may continue differently.
 */
export function costOf(
  machine: Machine,
  fifo: boolean,
  events: readonly TraceEvent[],
): RunCost & { readonly chains: string } {
  const { codec, lists, messageLimits } = machine;
  const { topology } = machine.environment;
  const typeBits = codec.bits(machine.scale);
  const words = new Int32Array(RECORD_HEADER + codec.width);
  const sent = new Array<number>(codec.types.length).fill(0);
  const lengths = new Array<number>(topology.n).fill(0);
  const flights: Flight[] = [];
  let bits = 0;
  const take = (
    isWanted: (flight: Flight) => boolean,
    isFirst: (a: Flight, b: Flight) => boolean,
  ): number => {
    const wanted = flights.filter(isWanted);
    const taken = wanted.reduce((first, one) => (!fifo && isFirst(one, first) ? one : first));
    flights.splice(flights.indexOf(taken), 1);
    return taken.length;
  };
  for (const event of events) {
    const { node } = event;
    if (event.type === 'send') {
      const type = codec.write(event.message, words, 0, messageLimits, lists);
      words[1] = type;
      sent[type]++;
      bits += typeBits[type] + codec.itemBits(words, 0, lists, messageLimits);
      const port = topology.backPort(node, event.port);
      const text = formatMessage(event.message);
      flights.push({ from: node, to: event.to, port, text, length: lengths[node] + 1 });
    } else if (event.type === 'deliver' || event.type === 'lost') {
      const text = formatMessage(event.message);
      const isTheMessage = (one: Flight): boolean =>
        one.from === event.from && one.to === node && one.text === text;
      if (event.type === 'lost') take(isTheMessage, (a, b) => a.length < b.length);
      else {
        const length = take(
          (one) => isTheMessage(one) && one.port === event.port,
          (a, b) => a.length > b.length,
        );
        lengths[node] = Math.max(lengths[node], length);
      }
    }
  }
  return {
    messages: codec.counts(sent),
    bits,
    causal: Math.max(0, ...lengths),
    chains: JSON.stringify([lengths, flights]),
  };
}
