/**
 * The packed states of an election on a network: the remaining faults, a number for the state of each node, and one for the
 * content of each link. Queries about a state; the steps are in network-system.ts.
 */
import { FOLLOWER } from '../../kernel/decisions.ts';
import { NONE } from '../../kernel/field.ts';
import type { InvariantChoice, NetworkMessage } from '../../kernel/invariant.ts';
import type { Machine } from '../../kernel/machine/machine.ts';
import type { Setup } from '../../kernel/setup.ts';
import { FailureDetector, termToStartFor } from '../../kernel/world/failure-detector.ts';
import type { Starts } from '../../kernel/world/rules.ts';
import { formatStep, type Step } from '../../kernel/world/step.ts';
import type { Initial, Violation } from '../search/system.ts';
import type { Bounds } from './bounded-counters.ts';
import { Channels } from './channels.ts';
import { InstanceNodes, type SharedNodes } from './instance-nodes.ts';
import { InternedNumbers } from './interned-numbers.ts';
import type { LinkTable } from './link-table.ts';
import type { NodeTransition } from './node-transition.ts';
import type { NodeTransitions } from './node-transitions.ts';
import { StepDecoder } from './step-decoder.ts';
import { DELIVER, indexOf, isOptional, kindOf, LOSE, ROUND } from './step-number.ts';
import { Verdicts } from './verdicts.ts';

export interface InstanceOptions {
  readonly initiators: readonly number[];
  readonly starts: Starts;
  /** Positions that are crashed at the start. */
  readonly dead: readonly number[];
  readonly crashes: number;
  readonly recoveries: number;
  readonly losses: number;
  readonly fifo: boolean;
  readonly bounds: Bounds;
  readonly invariants: InvariantChoice;
  /** Partial-order reduction. */
  readonly reduce: boolean;
  /** The reduction also uses deliveries to one node that commute; not if chains are measured. */
  readonly commuting: boolean;
  readonly reductionLimits: ReductionLimits;
  /** Null if the instance shares its nodes with no other. */
  readonly sharedNodes: SharedNodes | null;
}

/** Shared by all instances of a check. */
export interface ReductionLimits {
  /** The closure of independence.ts was too large for an earlier instance, so it is not tried again. */
  isTooLarge: boolean;
}

/** The remaining faults of each kind: the first numbers of a state, if faults are allowed. */
export const CRASHES = 0;
export const RECOVERIES = 1;
export const LOSSES = 2;
const FAULTS = 3;

export abstract class NetworkState {
  readonly width: number;
  /** A node is followed by the links to it, because most steps change these together. */
  readonly order: readonly number[];

  readonly options: InstanceOptions;
  readonly table: LinkTable;
  protected readonly local: NodeTransitions;
  protected readonly channels: Channels;
  readonly numbers: InternedNumbers;
  /** The number of positions, including auxiliary processes. */
  readonly nodes: number;
  private readonly candidates: number;
  private readonly failureDetector: FailureDetector;
  readonly links: number;
  protected readonly timers: number;
  protected readonly faulty: boolean;
  /** The offsets of the nodes, the links, and the notices of undelivered messages. */
  protected readonly firstNode: number;
  protected readonly firstLink: number;
  protected readonly firstNotice: number;
  protected readonly initiates: Uint8Array;
  /** The state before any step. */
  protected readonly initial: Uint16Array;
  private readonly asleepViolation: Violation | null;
  private readonly ids: Int32Array | null;
  protected readonly hasNotices: boolean;
  /** By link and content: the messages as an invariant reads them. */
  private readonly contents: NetworkMessage[][][];
  private readonly hasBounds: boolean;
  private readonly verdicts: Verdicts;
  private readonly stepDecoder: StepDecoder;
  protected readonly caches: InstanceNodes['caches'];

  /** `extra` is the number of entries before the nodes that a subclass uses. */
  constructor(setup: Setup, options: InstanceOptions, extra = 0) {
    const { algorithm, topology } = setup;
    this.options = options;
    this.nodes = topology.n;
    this.candidates = setup.nodes;
    this.failureDetector = new FailureDetector(setup, options.dead);
    this.timers = algorithm.timers?.length ?? 0;
    this.ids = setup.anonymous ? null : setup.ids;
    this.hasNotices = algorithm.onUndelivered !== undefined && options.crashes + options.dead.length > 0;
    const nodes = options.sharedNodes?.take(setup, options) ?? new InstanceNodes(setup, options);
    this.table = nodes.table;
    this.links = this.table.count;
    this.channels = new Channels(options.fifo, (one, other) => this.isElementBefore(one, other));
    this.contents = Array.from({ length: this.links }, () => []);
    this.faulty = options.crashes + options.recoveries + options.losses > 0;
    this.firstNode = (this.faulty ? FAULTS : 0) + extra;
    this.firstLink = this.firstNode + this.nodes;
    this.firstNotice = this.firstLink + this.links;
    this.width = this.firstNotice + (this.hasNotices ? this.links : 0);
    this.order = this.placesByNode();
    this.initiates = new Uint8Array(this.nodes);
    for (const at of options.initiators) this.initiates[at] = 1;
    this.local = nodes.local;
    this.caches = nodes.caches;
    this.numbers = new InternedNumbers(this.channels, this.local);
    this.hasBounds = Object.keys(options.bounds).length > 0;
    this.verdicts = new Verdicts(this.local, setup.nodes, this.ids, nodes.invariants);
    this.stepDecoder = new StepDecoder(nodes.machine, this.table);
    this.initial = new Uint16Array(this.width);
    if (this.faulty) this.initial.set([options.crashes, options.recoveries, options.losses]);
    nodes.rest(options.dead);
    for (let at = 0; at < this.nodes; at++) this.initial[this.firstNode + at] = this.local.stateNow(at);
    this.asleepViolation = nodes.invariants?.violatedInitially() ?? null;
  }

  private placesByNode(): number[] {
    const { firstOf } = this.table;
    const order = Array.from({ length: this.firstNode }, (_, place) => place);
    for (let at = 0; at < this.nodes; at++) {
      order.push(this.firstNode + at);
      for (let link = firstOf[at]; link < firstOf[at + 1]; link++) {
        order.push(this.firstLink + link);
        if (this.hasNotices) order.push(this.firstNotice + link);
      }
    }
    return order;
  }

  /** An order that does not depend on the numbers of messages. */
  private isElementBefore(one: number, other: number): boolean {
    const [message, otherMessage] = [this.messageOf(one), this.messageOf(other)];
    if (message === otherMessage) return one < other;
    const { keys } = this.local.messages;
    return keys[message] < keys[otherMessage];
  }

  get machine(): Machine {
    return this.local.machine;
  }

  /** An algorithm with a horizon is declared non-terminating: it may have livelocks, but no deadlocks. */
  get mustTerminate(): boolean {
    return this.local.machine.algorithm.horizon === undefined;
  }

  /** One state, or one per outcome of the random draws of nodes that start together: their number is a product. */
  *initials(): Generator<Initial> {
    const { initial, options } = this;
    const starting = options.starts === 'together' ? [...options.initiators].sort((a, b) => a - b) : [];
    const isLive = (at: number): boolean => !this.stateOf(initial, at).dead;
    yield* this.started({ state: initial, violation: this.asleepViolation }, starting.filter(isLive));
  }

  private *started(before: Initial, starting: readonly number[]): Generator<Initial> {
    const [at, ...others] = starting;
    if (at === undefined) {
      yield before;
      return;
    }
    for (const transition of this.local.start(this.caches.start[at], at, this.initial[this.firstNode + at])) {
      const state = Uint16Array.from(before.state);
      this.take(state, at, transition);
      yield* this.started({ state, violation: before.violation ?? transition.violation }, others);
    }
  }

  inspect(state: Uint16Array): Violation | null {
    return this.verdicts.inspect(state, this.firstNode, this.messagesOf);
  }

  judgeEnd(state: Uint16Array): Violation | null {
    return this.verdicts.judgeEnd(state.subarray(this.firstNode, this.firstLink));
  }

  exceedsBound(state: Uint16Array): boolean {
    if (!this.hasBounds) return false;
    for (let at = 0; at < this.nodes; at++) if (this.stateOf(state, at).exceedsBound) return true;
    return false;
  }

  describe(state: Uint16Array, step: number): string {
    return formatStep(this.stepOf(state, step));
  }

  /** A step that is enabled in a state, without its details. */
  stepOf(state: Uint16Array, step: number): Step {
    const { channels, options } = this;
    return this.stepDecoder.decode(step, (place) => {
      const inOrder = options.fifo && kindOf(step) === DELIVER;
      const element = inOrder ? channels.head(state[this.firstLink + place]) : Math.floor(place / this.links);
      return this.wordsOf(element);
    });
  }

  isOptional(step: number): boolean {
    return isOptional(step);
  }

  actor(step: number): number {
    return this.stepDecoder.actor(step);
  }

  /** The messages in flight on a link. */
  inFlight(state: Uint16Array, link: number): readonly number[] {
    return this.channels.list(state[this.firstLink + link]);
  }

  private readonly messagesOf = (state: Uint16Array): NetworkMessage[] => {
    const messages: NetworkMessage[] = [];
    for (let link = 0; link < this.links; link++) {
      const content = state[this.firstLink + link];
      if (content === 0) continue;
      this.contents[link][content] ??= this.messagesOn(link, content);
      messages.push(...this.contents[link][content]);
    }
    return messages;
  };

  private messagesOn(link: number, content: number): NetworkMessage[] {
    const { channels, local, table } = this;
    const [from, to] = [table.sender(link), table.receivers[link]];
    return channels.list(content).map((element) => {
      return { from, to, message: local.readMessage(this.messageOf(element)) };
    });
  }

  /** The messages that a step removes from links: pairs of a link and an element of its content. */
  takenBy(state: Uint16Array, step: number): readonly (readonly [link: number, element: number])[] {
    const kind = kindOf(step);
    const index = indexOf(step);
    if (kind === ROUND) {
      return Array.from({ length: this.links }, (_, link) => link).flatMap((link) =>
        this.inFlight(state, link).map((element) => [link, element] as const),
      );
    }
    if (kind === DELIVER && this.options.fifo)
      return [[index, this.channels.head(state[this.firstLink + index])]];
    if (kind !== DELIVER && kind !== LOSE) return [];
    return [[index % this.links, Math.floor(index / this.links)]];
  }

  /** True if the step delivers a message to a live node. */
  isReceived(state: Uint16Array, step: number): boolean {
    return kindOf(step) === DELIVER && !this.stateOf(state, this.actor(step)).dead;
  }

  /** The record of a message. */
  wordsOf(element: number): Int32Array {
    return this.local.messages.all[this.messageOf(element)];
  }

  /** True if the failure detector of this node may report a future crash. */
  protected mayNotice(state: Uint16Array, at: number): boolean {
    if (!this.faulty || state[CRASHES] === 0 || !this.failureDetector.isPossible) return false;
    const { awake, dead, role } = this.stateOf(state, at);
    return !dead && at < this.candidates && (!awake || role === FOLLOWER);
  }

  /** True if this node may recover, which hides its crash from failure detectors. */
  protected mayHideCrash(state: Uint16Array, at: number): boolean {
    return this.failureDetector.isPossible && this.mayRecover(state) && this.stateOf(state, at).dead;
  }

  /** True if recoveries are left. */
  protected mayRecover(state: Uint16Array): boolean {
    return this.faulty && state[RECOVERIES] > 0;
  }

  /** Applies a transition of one node to a state. */
  protected take(state: Uint16Array, at: number, step: NodeTransition): void {
    state[this.firstNode + at] = step.state;
    const { sent } = step;
    for (let k = 0; k < sent.length; k += 2) {
      const place = this.firstLink + sent[k];
      state[place] = this.channels.push(state[place], this.elementOf(sent[k + 1]));
    }
  }

  /** The element of a content for a message that was just sent, and the message of an element. */
  protected elementOf(message: number): number {
    return message;
  }

  protected messageOf(element: number): number {
    return element;
  }

  protected stateOf(state: Uint16Array, at: number) {
    return this.local.states[at].all[state[this.firstNode + at]];
  }

  /** True for an initiator that is asleep, or a node whose failure detector reports a crash. Auxiliary processes never start. */
  protected mayStart(state: Uint16Array, at: number): boolean {
    const node = this.stateOf(state, at);
    if (node.dead || at >= this.candidates) return false;
    if (this.initiates[at] === 1 && !node.awake) return true;
    if (!this.failureDetector.isPossible) return false;
    return this.failureDetector.notices(node, (other) => this.stateOf(state, other).dead);
  }

  /** True if the node may start and need not, because a live node has started for a term as new; see failure-detector.ts. */
  protected isSuspicion(state: Uint16Array, at: number): boolean {
    const { awake, role, term } = this.stateOf(state, at);
    if (!this.failureDetector.isPossible || (this.initiates[at] === 1 && !awake)) return false;
    const wanted = termToStartFor(this.machine.algorithm, role, term);
    for (let other = 0; other < this.candidates; other++) {
      if (this.stateOf(state, other).startedFor >= wanted) return true;
    }
    return false;
  }

  /** True if a message is in flight or a timer runs. */
  protected isPending(state: Uint16Array): boolean {
    for (let place = this.firstLink; place < this.width; place++) if (state[place] !== 0) return true;
    for (let at = 0; at < this.nodes; at++) {
      if (this.stateOf(state, at).timers.some((left) => left !== NONE)) return true;
    }
    return false;
  }
}
