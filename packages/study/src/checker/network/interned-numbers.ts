/**
 * The numbers of interned values, to give the states of a search the same meaning in another system: one of another thread, or
 * of a search that is resumed.
 */
import type { InternedValues, NumberedValues, NumberSharing } from '../search/system.ts';
import type { Channels } from './channels.ts';
import type { NodeTransitions } from './node-transitions.ts';

/** The kinds of interned values. */
const CONTENTS = 0;
const MESSAGES = 1;
const FIRST_NODE = 2;

export class InternedNumbers implements NumberedValues {
  constructor(
    private readonly channels: Channels,
    private readonly local: NodeTransitions,
  ) {}

  exportAll(): InternedValues {
    const { channels, local } = this;
    return [[...channels.pairs()], [...local.messages.keys], ...local.states.map(({ keys }) => [...keys])];
  }

  importAll(values: InternedValues): void {
    const known = this.exportAll();
    // Contents last, because they contain numbers of messages.
    for (const kind of [...values.keys()].slice(FIRST_NODE).concat(MESSAGES, CONTENTS)) {
      known[kind].forEach((key, number) => {
        if (key !== values[kind][number])
          throw new Error(`number ${number} of kind ${kind} has two meanings`);
      });
      for (const key of values[kind].slice(known[kind].length)) this.importOne(kind, key);
    }
  }

  importOne(kind: number, key: string): void {
    if (kind === CONTENTS) this.channels.addPair(key);
    else if (kind === MESSAGES) this.local.importMessage(key);
    else this.local.importState(kind - FIRST_NODE, key);
  }

  share(sharing: NumberSharing | null): void {
    this.channels.share(sharing, CONTENTS);
    this.local.messages.share(sharing, MESSAGES);
    for (const [at, states] of this.local.states.entries()) states.share(sharing, FIRST_NODE + at);
  }
}
