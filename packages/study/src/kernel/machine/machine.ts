/**
 * The nodes of one network that run an algorithm: their states, their decisions, and the calls of handlers. Every driver uses
 * this class. When a call returns, the effects of the handler are in `context`, and the driver applies them before the next
 * call.
 *
 * Guarantees: handlers see only what the algorithm assumes; what they write is in range. Does not guarantee an order of
 * events: drivers do.
 */
import type { AnyAlgorithm } from '../algorithm.ts';
import { type Decision, DecisionBook, decisionsIn } from '../decisions.ts';
import { checkDefinition } from '../definition.ts';
import { ProtocolError } from '../errors.ts';
import type { Scale } from '../field.ts';
import { ListTable } from './list-table.ts';
import { portOf, receiverOf, typeOf } from './message-buffer.ts';
import { MessageCodec, type MessageView } from './message-codec.ts';
import { type Environment, NodeContext } from './node-context.ts';
import { type Cursor, RecordLayout, viewOf } from './record-layout.ts';
import { StateTable } from './state-table.ts';
import { AWAKE, DEAD, STARTED } from './status.ts';
import { WideContext } from './wide-context.ts';

/**
 * The state and the message that the running handler sees. Handlers never nest, so all machines share one cursor of each
 * kind, and V8 can inline its address into every view.
 */
const stateCursor: Cursor = emptyCursor();
const messageCursor: Cursor = emptyCursor();

function emptyCursor(): Cursor {
  return { words: new Int32Array(0), base: 0, limits: new Int32Array(0), lists: new ListTable() };
}

/** The parts that all machines of an algorithm share. */
interface Blueprint {
  readonly states: RecordLayout;
  readonly codec: MessageCodec;
  readonly stateView: Record<string, unknown>;
  readonly messageViews: readonly MessageView[];
  readonly handlers: readonly MessageHandler[];
}

/** The handler of one type of message. */
export type MessageHandler = AnyAlgorithm['on'][string];

/** The handlers by type, with the views and cursors that they use. */
export interface HandlerCalls {
  /** By type of message. */
  readonly handlers: readonly MessageHandler[];
  readonly state: Record<string, unknown>;
  /** By type. */
  readonly messages: readonly MessageView[];
  readonly stateCursor: Cursor;
  readonly messageCursor: Cursor;
}

/** What `save` writes before the fields of a node: its status, role, leader and term. */
export const SAVED_HEADER = 4;

const blueprints = new WeakMap<AnyAlgorithm, Blueprint>();

function blueprintOf(algorithm: AnyAlgorithm): Blueprint {
  const known = blueprints.get(algorithm);
  if (known) return known;
  checkDefinition(algorithm);
  const states = new RecordLayout(Object.entries(algorithm.state) as never);
  const codec = new MessageCodec(algorithm.name, algorithm.messages);
  const made = {
    states,
    codec,
    stateView: viewOf(states, stateCursor),
    messageViews: codec.views(messageCursor),
    handlers: codec.types.map((type): MessageHandler => algorithm.on[type]),
  };
  blueprints.set(algorithm, made);
  return made;
}

/** The states of all nodes, and the calls of their handlers. */
export class Machine {
  readonly codec: MessageCodec;
  readonly layout: RecordLayout;
  readonly scale: Scale;
  /** The states of all nodes, `layout.width` words each. */
  readonly words: Int32Array;
  /** The lists of states and of messages in flight. */
  readonly lists: ListTable;
  readonly status: Uint8Array;
  readonly decisions: DecisionBook;
  readonly context: NodeContext;
  readonly stateLimits: Int32Array;
  readonly messageLimits: Int32Array;

  private readonly states: StateTable;
  private started = 0;
  /** The nodes that start when a message reaches them; null if none does. */
  private readonly canStart: Uint8Array | null;
  private readonly width: number;
  private readonly state: Record<string, unknown>;
  private readonly messages: readonly MessageView[];
  /** By type, in the order of the codec. */
  private readonly handlers: readonly MessageHandler[];

  constructor(
    readonly algorithm: AnyAlgorithm,
    readonly environment: Environment,
  ) {
    const blueprint = blueprintOf(algorithm);
    this.codec = blueprint.codec;
    this.layout = blueprint.states;
    this.width = this.layout.width;
    this.scale = { n: environment.n, largestId: largest(environment.ids), params: environment.params };
    this.stateLimits = this.layout.limits(this.scale);
    this.messageLimits = this.codec.limits(this.scale);
    const positions = environment.topology.n;
    this.states = new StateTable(this.layout, this.stateLimits, positions);
    this.words = this.states.words;
    this.lists = this.states.lists;
    this.status = environment.status;
    this.canStart = algorithm.startOnMessage === true ? (environment.canStart ?? null) : null;
    this.decisions = new DecisionBook(positions);
    const Context = this.codec.isWide ? WideContext : NodeContext;
    this.context = new Context(
      algorithm,
      this.codec,
      messageCursor,
      this.messageLimits,
      this.lists,
      this.decisions,
      environment,
    );
    this.state = blueprint.stateView;
    this.messages = blueprint.messageViews;
    this.handlers = blueprint.handlers;
    this.takeCursors();
  }

  /** Runs `onStart` at a position. */
  start(at: number): void {
    this.enter(at);
    this.runStart(at);
  }

  /** True if a message that reaches this node now starts it first; drivers count and trace that as a start. */
  startsOnMessage(at: number): boolean {
    return this.canStart !== null && this.canStart[at] === 1 && (this.status[at] & (AWAKE | DEAD)) === 0;
  }

  /** A message reaches this node: starts it, if it starts on messages, or marks it as awake. */
  wake(at: number): void {
    if (this.startsOnMessage(at)) this.runStart(at);
    else this.status[at] |= AWAKE;
  }

  /** Delivers the message whose record begins at `words[base]`. */
  receive(words: Int32Array, base: number): void {
    const at = receiverOf(words, base);
    this.enter(at);
    if (!this.context.allStarted) this.wake(at);
    this.hold(words, base);
    const type = typeOf(words, base);
    const returned: unknown = this.handlers[type](
      this.state,
      portOf(words, base),
      this.messages[type],
      this.context,
    );
    if (returned !== undefined) refuseReturn(`on.${this.codec.types[type]}`);
  }

  /**
   * Starts these nodes in order. Effects other than sends are ignored.
   */
  startAll(positions: Int32Array): void {
    const { algorithm, context, state, status, width } = this;
    this.enter(0);
    for (let k = 0; k < positions.length; k++) {
      const at = positions[k];
      status[at] |= STARTED | AWAKE;
      stateCursor.base = Math.imul(at, width);
      context.at = at;
      if (algorithm.onStart(state, context) !== undefined) refuseReturn('onStart');
    }
    this.started += positions.length;
    context.allStarted = this.started === status.length;
  }

  /**
   * For loops that call handlers themselves, in place of `receive`. Such a loop sets the cursors and `context.at` before
   * each call, and applies the effects after it. It may not be interrupted by another machine.
   */
  handlerCalls(): HandlerCalls {
    this.enter(0);
    const { handlers, messages, state } = this;
    return { handlers, state, messages, stateCursor, messageCursor };
  }

  /** Runs `onTimer` at a position. */
  fireTimer(at: number, timer: number): void {
    this.enter(at);
    const name = this.algorithm.timers?.[timer] as string;
    if (this.algorithm.onTimer?.(this.state, name, this.context) !== undefined) refuseReturn('onTimer');
  }

  /** Notifies the sender of a record that its receiver had crashed; `port` is the port of the sender. */
  undelivered(at: number, port: number, words: Int32Array, base: number): void {
    this.enter(at);
    this.hold(words, base);
    const message = this.messages[typeOf(words, base)];
    const returned: unknown = this.algorithm.onUndelivered?.(this.state, port, message, this.context);
    if (returned !== undefined) refuseReturn('onUndelivered');
  }

  /** From now on `decisionsMade` has the decisions of each handler. */
  logDecisions(): void {
    this.context.decisionLog = [];
  }

  /** The decisions of the handler that ran last, in order. */
  decisionsMade(): Decision[] {
    return decisionsIn(this.context.decisionLog ?? []);
  }

  /** Crashes a node: its state is lost except for durable fields. */
  crash(at: number): void {
    if ((this.status[at] & STARTED) !== 0) this.started--;
    this.context.allStarted = false;
    this.status[at] = DEAD;
    this.decisions.forget(at);
    this.states.forget(at);
  }

  /** Recovers a crashed node. */
  restart(at: number): void {
    this.status[at] = AWAKE;
    this.enter(at);
    if (this.algorithm.onRestart?.(this.state, this.context) !== undefined) refuseReturn('onRestart');
  }

  /**
   * The complete state of a node: status, decision and fields, lists with their length first. Equal states give equal
   * numbers.
   */
  save(at: number): number[] {
    const [role, leader, term] = this.decisions.save(at);
    return this.states.save(at, [this.status[at], role, leader, term]);
  }

  /** Restores a saved node. Drivers keep timers and messages in flight themselves. */
  load(at: number, record: readonly number[]): void {
    const status = record[0];
    if ((this.status[at] & STARTED) !== (status & STARTED)) this.started += (status & STARTED) !== 0 ? 1 : -1;
    this.context.allStarted = this.started === this.status.length;
    this.status[at] = status;
    this.decisions.load(at, record[1], record[2], record[3]);
    this.states.load(at, record, SAVED_HEADER);
  }

  /** The message whose handler runs or ran last; null if there was none, or another machine has run since. */
  currentMessage(): Record<string, unknown> | null {
    const { words, base } = messageCursor;
    return base < 0 || stateCursor.words !== this.words ? null : this.codec.read(words, base, this.lists);
  }

  /** The current fields of a node by name. */
  fieldsOf(at: number): Record<string, unknown> {
    return this.states.read(at);
  }

  /** One view per node, for invariants and drawings. */
  views(): Record<string, unknown>[] {
    return Array.from({ length: this.environment.topology.n }, (_, at) => this.states.view(at));
  }

  /** The same for reading only. */
  readOnlyViews(): Record<string, unknown>[] {
    return Array.from({ length: this.environment.topology.n }, (_, at) => this.states.readOnlyView(at));
  }

  /** Points the views, which all machines of an algorithm share, at this machine. */
  private takeCursors(): void {
    stateCursor.words = this.words;
    stateCursor.limits = this.stateLimits;
    stateCursor.lists = this.lists;
    messageCursor.limits = this.messageLimits;
    messageCursor.lists = this.lists;
  }

  private runStart(at: number): void {
    if ((this.status[at] & STARTED) === 0) this.started++;
    this.status[at] |= STARTED | AWAKE;
    this.context.allStarted = this.started === this.status.length;
    if (this.algorithm.onStart(this.state, this.context) !== undefined) refuseReturn('onStart');
  }

  private enter(at: number): void {
    if (stateCursor.words !== this.words) this.takeCursors();
    stateCursor.base = Math.imul(at, this.width);
    messageCursor.base = -1;
    const { context } = this;
    context.at = at;
    if (context.hasEffects) context.clear();
  }

  private hold(words: Int32Array, base: number): void {
    // Usually the array is the same as before, and comparing is cheaper than storing.
    if (messageCursor.words !== words) messageCursor.words = words;
    messageCursor.base = base;
  }
}

/** Throws an error: an async handler would continue after its effects were applied. */
export function refuseReturn(handler: string): never {
  throw new ProtocolError(`${handler} must return nothing: a handler is not async`);
}

function largest(ids: Int32Array): number {
  let most = 0;
  for (let at = 0; at < ids.length; at++) if (ids[at] > most) most = ids[at];
  return most;
}
