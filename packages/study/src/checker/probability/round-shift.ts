/**
 * Normalizes states that differ only in absolute round numbers: counters that are declared `relative` are reduced by their
 * minimum, and fields that are declared `unread` are reset. An algorithm with unboundedly many rounds then has finitely many
 * states.
 *
 * Does not check these declarations: they are up to the author of the algorithm.
 */
import type { Fields } from '../../kernel/field.ts';
import type { Machine } from '../../kernel/machine/machine.ts';
import type { TracedMessage } from '../../kernel/trace.ts';

/** Counters begin at 0, before the first round. */
const FIRST = 1;

interface Unread {
  readonly word: number;
  readonly isIn: (values: Int32Array, base: number) => boolean;
}

export class RoundShift {
  /** Some field is a relative counter. */
  readonly counts: boolean;
  private readonly relative: readonly number[];
  private readonly unread: readonly Unread[];
  /** By type of message: the fields that are relative counters. */
  private readonly counters: ReadonlyMap<string, readonly string[]>;

  constructor(private readonly machine: Machine) {
    const { codec } = machine;
    const state = machine.algorithm.state as Fields;
    const names = Object.keys(state);
    this.relative = names.flatMap((name, word) => (state[name].relative ? [word] : []));
    this.unread = names.flatMap((name, word) =>
      Object.entries(state[name].unread).map(([choice, values]) => {
        const at = names.indexOf(choice);
        const numbers = values.map((value) => state[choice].names.indexOf(value));
        return { word, isIn: (words: Int32Array, base: number) => numbers.includes(words[base + at]) };
      }),
    );
    this.counters = new Map(
      codec.types.map((type, index) => {
        const places = Array.from({ length: codec.arity[index] }, (_, k) => codec.firstPlace[index] + k);
        const relative = places.filter((place) => codec.places.fields[place].relative);
        return [type, relative.map((place) => codec.places.names[place])];
      }),
    );
    this.counts = this.relative.length > 0;
  }

  /** Resets the unread fields of a node in the machine. */
  blank(at: number): void {
    const { layout, words } = this.machine;
    const base = at * layout.width;
    for (const { word, isIn } of this.unread) {
      if (isIn(words, base)) words[base + word] = layout.fields[word].initial;
    }
  }

  /** The values of the relative counters of a node in the machine. */
  roundsAt(at: number): number[] {
    const { layout, words } = this.machine;
    const base = at * layout.width;
    const isBlank = (word: number): boolean =>
      this.unread.some((one) => one.word === word && one.isIn(words, base));
    return this.relative.filter((word) => !isBlank(word)).map((word) => words[base + word]);
  }

  roundsIn(message: TracedMessage): number[] {
    return this.countersOf(message).map((name) => message[name] as number);
  }

  /** The amount by which all counters can be reduced. */
  excess(rounds: readonly number[]): number {
    if (rounds.length === 0) return 0;
    return Math.max(0, Math.min(...rounds) - FIRST);
  }

  lower(at: number, excess: number): void {
    const { layout, words } = this.machine;
    if (this.roundsAt(at).length === 0) return;
    for (const word of this.relative) words[at * layout.width + word] -= excess;
  }

  lowered(message: TracedMessage, excess: number): TracedMessage {
    const counters = this.countersOf(message).map((name) => [name, (message[name] as number) - excess]);
    return { ...message, ...Object.fromEntries(counters) };
  }

  private countersOf({ type }: TracedMessage): readonly string[] {
    return this.counters.get(type) ?? [];
  }
}
