/**
 * An algorithm at work on the nodes of one network: their states, their decisions, and the calls of its
 * handlers. Every driver runs this class; what a handler wishes is in `context` when the call returns, and the
 * driver carries it out before the next call.
 *
 * Guarantees: handlers see only what the algorithm assumes; what they write is in range. Does not guarantee any
 * order of events: that is the driver's subject.
 */
import type { AnyAlgorithm } from './algorithm.ts';
import { DecisionBook } from './decisions.ts';
import type { Scale } from './field.ts';
import { ListTable } from './list-table.ts';
import { MessageCodec } from './message-codec.ts';
import { NodeContext, type Surroundings } from './node-context.ts';
import { type Cursor, Layout, viewOf } from './record.ts';
import { portOf, receiverOf } from './records.ts';
import { AWAKE, DEAD, STARTED } from './status.ts';

/** What is made once per algorithm. Handlers never nest, so one view of each kind serves all its machines. */
interface Blueprint {
  readonly states: Layout;
  readonly codec: MessageCodec;
  readonly stateCursor: Cursor;
  readonly messageCursor: Cursor;
  readonly stateView: Record<string, unknown>;
  readonly messageView: { readonly type: string };
}

const blueprints = new WeakMap<AnyAlgorithm, Blueprint>();

function blueprintOf(algorithm: AnyAlgorithm): Blueprint {
  const known = blueprints.get(algorithm);
  if (known) return known;
  const states = new Layout(Object.entries(algorithm.state) as never);
  const codec = new MessageCodec(algorithm.name, algorithm.messages);
  const nowhere = (): Cursor => ({
    words: new Int32Array(0),
    base: 0,
    limits: new Int32Array(0),
    lists: new ListTable(),
  });
  const stateCursor = nowhere();
  const messageCursor = nowhere();
  const made = {
    states,
    codec,
    stateCursor,
    messageCursor,
    stateView: viewOf(states, stateCursor),
    messageView: codec.view(messageCursor),
  };
  blueprints.set(algorithm, made);
  return made;
}

export class Machine {
  readonly algorithm: AnyAlgorithm;
  readonly codec: MessageCodec;
  readonly layout: Layout;
  readonly scale: Scale;
  readonly around: Surroundings;
  /** The states of all nodes, `layout.width` words each. */
  readonly words: Int32Array;
  readonly lists = new ListTable();
  readonly status: Uint8Array;
  readonly decisions: DecisionBook;
  readonly context: NodeContext;
  readonly stateLimits: Int32Array;
  readonly messageLimits: Int32Array;

  private readonly width: number;
  private readonly stateCursor: Cursor;
  private readonly messageCursor: Cursor;
  private readonly state: Record<string, unknown>;
  private readonly message: { readonly type: string };

  constructor(algorithm: AnyAlgorithm, around: Surroundings) {
    const blueprint = blueprintOf(algorithm);
    this.algorithm = algorithm;
    this.codec = blueprint.codec;
    this.layout = blueprint.states;
    this.width = this.layout.width;
    this.around = around;
    this.scale = { n: around.n, largestId: largest(around.ids), params: around.params };
    this.stateLimits = this.layout.limits(this.scale);
    this.messageLimits = this.codec.layout.limits(this.scale);
    this.words = new Int32Array(around.n * this.layout.width);
    this.status = around.status;
    this.decisions = new DecisionBook(around.n);
    this.context = new NodeContext(
      algorithm,
      this.codec,
      blueprint.messageCursor,
      this.messageLimits,
      this.lists,
      this.decisions,
      around,
    );
    this.stateCursor = blueprint.stateCursor;
    this.messageCursor = blueprint.messageCursor;
    this.state = blueprint.stateView;
    this.message = blueprint.messageView;
    for (let word = 0; word < this.layout.width; word++) this.initialise(word);
    this.takeCursors();
  }

  start(at: number): void {
    this.status[at] |= STARTED | AWAKE;
    this.enter(at);
    this.algorithm.onStart(this.state, this.context);
  }

  /** Delivers the message whose record begins at `words[base]`. */
  receive(words: Int32Array, base: number): void {
    const at = receiverOf(words, base);
    this.status[at] |= AWAKE;
    this.enter(at);
    this.hold(words, base);
    this.algorithm.onMessage(this.state, portOf(words, base), this.message, this.context);
  }

  /**
   * Delivers the records from `base` to `end` in turn, up to the first whose handler has wishes beyond sending;
   * returns where the next one begins. The innermost loop of a simulation: it leaves out what only matters
   * while nodes may still start, that they are awake.
   */
  receiveRun(words: Int32Array, base: number, end: number): number {
    const { algorithm, context, message, messageCursor, state, stateCursor, width } = this;
    const stride = this.codec.width;
    this.enter(0);
    this.hold(words, base);
    let from = base;
    while (from < end) {
      const at = receiverOf(words, from);
      stateCursor.base = at * width;
      messageCursor.base = from;
      context.at = at;
      algorithm.onMessage(state, portOf(words, from), message, context);
      from += stride;
      if (context.wishes) break;
    }
    return from;
  }

  fireTimer(at: number, timer: number): void {
    this.enter(at);
    this.algorithm.onTimer?.(this.state, this.algorithm.timers?.[timer] as string, this.context);
  }

  /** Tells the sender of a record that its receiver was dead; `port` is the sender's. */
  undelivered(at: number, port: number, words: Int32Array, base: number): void {
    this.enter(at);
    this.hold(words, base);
    this.algorithm.onUndelivered?.(this.state, port, this.message, this.context);
  }

  crash(at: number): void {
    this.status[at] |= DEAD;
    this.decisions.forget(at);
    this.layout.fields.forEach((field, word) => {
      if (field.durable) return;
      const place = at * this.layout.width + word;
      if (field.kind === 'ids') this.lists.replace(this.words[place], []);
      else this.words[place] = field.initial;
    });
  }

  restart(at: number): void {
    this.status[at] = AWAKE;
    this.enter(at);
    this.algorithm.onRestart?.(this.state, this.context);
  }

  /** The message whose handler runs or ran last, by name; null if it was no message. */
  messageInHand(): Record<string, unknown> | null {
    const { words, base } = this.messageCursor;
    return base < 0 ? null : this.codec.read(words, base, this.lists);
  }

  /** One view per node, for invariants and pictures. */
  views(): Record<string, unknown>[] {
    const { width } = this.layout;
    return Array.from({ length: this.around.n }, (_, at) =>
      viewOf(this.layout, {
        words: this.words,
        base: at * width,
        limits: this.stateLimits,
        lists: this.lists,
      }),
    ) as Record<string, unknown>[];
  }

  /** The views are shared by all machines of an algorithm: whoever runs next points them at itself. */
  private takeCursors(): void {
    const state = this.stateCursor;
    state.words = this.words;
    state.limits = this.stateLimits;
    state.lists = this.lists;
    const message = this.messageCursor;
    message.limits = this.messageLimits;
    message.lists = this.lists;
  }

  private enter(at: number): void {
    if (this.stateCursor.words !== this.words) this.takeCursors();
    this.stateCursor.base = at * this.width;
    this.messageCursor.base = -1;
    const { context } = this;
    context.at = at;
    if (context.wishes) context.clear();
  }

  private hold(words: Int32Array, base: number): void {
    const cursor = this.messageCursor;
    // Most messages lie in the same array as the one before; comparing is cheaper than storing.
    if (cursor.words !== words) cursor.words = words;
    cursor.base = base;
  }

  private initialise(word: number): void {
    const { words } = this;
    const { width } = this.layout;
    const { kind, initial } = this.layout.fields[word];
    if (kind === 'ids') for (let at = word; at < words.length; at += width) words[at] = this.lists.add([]);
    else if (initial !== 0) for (let at = word; at < words.length; at += width) words[at] = initial;
  }
}

function largest(ids: Int32Array): number {
  let most = 0;
  for (let at = 0; at < ids.length; at++) if (ids[at] > most) most = ids[at];
  return most;
}
