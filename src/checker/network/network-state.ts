/**
 * The states of an election on a network: a number for the state of each node, one for what is under way on each link,
 * and what is left of the faults that are allowed. What may be asked of a state; not what may happen in it.
 */
import { FOLLOWER } from '../../kernel/decisions.ts';
import { NONE } from '../../kernel/field.ts';
import type { InvariantChoice, NetworkMessage } from '../../kernel/invariant.ts';
import { Machine } from '../../kernel/machine/machine.ts';
import type { Setup } from '../../kernel/setup.ts';
import { FailureDetector } from '../../kernel/world/failure-detector.ts';
import type { Starts } from '../../kernel/world/starts.ts';
import { formatStep, type Step } from '../../kernel/world/step.ts';
import { InvariantMonitor } from '../../properties/invariants.ts';
import type { Initial, Violation } from '../search/system.ts';
import { Channels } from './channels.ts';
import { LinkTable } from './link-table.ts';
import { type Bounds, type NodeTransition, NodeTransitions, type StepCache } from './node-transitions.ts';
import { StepDecoder } from './step-decoder.ts';
import { DELIVER, indexOf, isFault, kindOf, LOSE, ROUND } from './step-number.ts';
import { Verdicts } from './verdicts.ts';

export interface InstanceOptions {
  readonly initiators: readonly number[];
  readonly starts: Starts;
  /** Positions that are dead from the beginning. */
  readonly dead: readonly number[];
  readonly crashes: number;
  readonly recoveries: number;
  readonly losses: number;
  readonly fifo: boolean;
  readonly bounds: Bounds;
  readonly invariants: InvariantChoice;
  /** Leave out steps for which others stand. */
  readonly reduce: boolean;
  /** Among them messages that come to the same whichever their receiver takes first: not where chains are measured. */
  readonly swaps: boolean;
  /** What was learned in other elections of the same algorithm. */
  readonly reductionLimits: ReductionLimits;
}

/** Shared by the elections of a check. */
export interface ReductionLimits {
  /** There was no end to looking for messages that commute: not tried again. */
  isTooLarge: boolean;
}

/** What is left of each kind of fault: the first numbers of a state, where there are any faults. */
export const CRASHES = 0;
export const RECOVERIES = 1;
export const LOSSES = 2;
const FAULTS = 3;

export abstract class NetworkState {
  readonly width: number;

  readonly options: InstanceOptions;
  readonly table: LinkTable;
  protected readonly local: NodeTransitions;
  protected readonly channels: Channels;
  /** Positions: the candidates, and those that only help. */
  readonly nodes: number;
  private readonly candidates: number;
  private readonly failureDetector: FailureDetector;
  readonly links: number;
  protected readonly timers: number;
  protected readonly faulty: boolean;
  /** Where the nodes begin, the links, and the notices of messages that found nobody. */
  protected readonly firstNode: number;
  protected readonly firstLink: number;
  protected readonly firstNotice: number;
  protected readonly initiates: Uint8Array;
  /** The state before anything has happened. */
  protected readonly asleep: Uint16Array;
  private readonly asleepViolation: Violation | null;
  private readonly ids: Int32Array | null;
  protected readonly hasNotices: boolean;
  /** By link and content: the messages as an invariant reads them. */
  private readonly contents: NetworkMessage[][][];
  private readonly hasBounds: boolean;
  private readonly verdicts: Verdicts;
  private readonly stepDecoder: StepDecoder;
  protected readonly caches: {
    readonly start: readonly StepCache[];
    readonly deliver: readonly StepCache[];
    readonly timer: readonly StepCache[];
    readonly notice: readonly StepCache[];
    readonly crash: readonly StepCache[];
    readonly recover: readonly StepCache[];
  };

  /** `extra` numbers stand before the nodes: a subclass's own. */
  constructor(setup: Setup, options: InstanceOptions, extra = 0) {
    const { algorithm, topology } = setup;
    this.options = options;
    this.nodes = topology.n;
    this.candidates = setup.nodes;
    this.failureDetector = new FailureDetector(setup, options.dead);
    this.timers = algorithm.timers?.length ?? 0;
    this.ids = setup.anonymous ? null : setup.ids;
    this.hasNotices = algorithm.onUndelivered !== undefined && options.crashes + options.dead.length > 0;
    this.table = new LinkTable(topology);
    this.links = this.table.count;
    this.channels = new Channels(options.fifo);
    this.contents = Array.from({ length: this.links }, () => []);
    this.faulty = options.crashes + options.recoveries + options.losses > 0;
    this.firstNode = (this.faulty ? FAULTS : 0) + extra;
    this.firstLink = this.firstNode + this.nodes;
    this.firstNotice = this.firstLink + this.links;
    this.width = this.firstNotice + (this.hasNotices ? this.links : 0);
    this.initiates = new Uint8Array(this.nodes);
    for (const at of options.initiators) this.initiates[at] = 1;
    const { ids, nodes: n, params, diameter } = setup;
    const status = new Uint8Array(this.nodes);
    const canStart = this.initiates;
    const machine = new Machine(algorithm, { n, ids, topology, params, diameter, status, canStart });
    const invariants = InvariantMonitor.of(machine, options.invariants);
    const linkOf = (to: number, port: number): number => this.table.numberOf(to, port);
    this.local = new NodeTransitions(machine, linkOf, options.bounds, invariants);
    this.hasBounds = Object.keys(options.bounds).length > 0;
    this.verdicts = new Verdicts(this.local, n, this.ids, invariants);
    this.stepDecoder = new StepDecoder(machine, this.table);
    const caches = (length: number): StepCache[] => Array.from({ length }, () => new Map());
    this.caches = {
      start: caches(this.nodes),
      deliver: caches(this.links),
      timer: caches(this.nodes * this.timers),
      notice: caches(this.links),
      crash: caches(this.nodes),
      recover: caches(this.nodes),
    };
    this.asleep = new Uint16Array(this.width);
    if (this.faulty) this.asleep.set([options.crashes, options.recoveries, options.losses]);
    for (const at of options.dead) machine.crash(at);
    for (let at = 0; at < this.nodes; at++) this.asleep[this.firstNode + at] = this.local.stateNow(at);
    this.asleepViolation = invariants?.violatedInitially() ?? null;
  }

  get machine(): Machine {
    return this.local.machine;
  }

  get isReduced(): boolean {
    return this.options.reduce;
  }

  /** An algorithm that is watched for a time never rests, and is not asked to. */
  get mustTerminate(): boolean {
    return this.local.machine.algorithm.horizon === undefined;
  }

  get draws(): boolean {
    return this.local.draws;
  }

  /** One state, or, where those that start together draw lots, one for each way in which they can. */
  initials(): Initial[] {
    const { options, local, asleep } = this;
    let initials: Initial[] = [{ state: asleep, violation: this.asleepViolation }];
    if (options.starts !== 'together') return initials;
    for (const at of [...options.initiators].sort((a, b) => a - b)) {
      const place = this.firstNode + at;
      if (local.states[at].all[asleep[place]].dead) continue;
      const ways = local.start(this.caches.start[at], at, asleep[place]);
      initials = initials.flatMap(({ state, violation }) =>
        ways.map((way) => {
          const started = Uint16Array.from(state);
          this.take(started, at, way);
          return { state: started, violation: violation ?? way.violation };
        }),
      );
    }
    return initials;
  }

  inspect(state: Uint16Array): Violation | null {
    const nodes = state.subarray(this.firstNode, this.firstLink);
    return this.verdicts.inspect(nodes, () => this.messagesIn(state));
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

  isFault(step: number): boolean {
    return isFault(step);
  }

  actor(step: number): number {
    return this.stepDecoder.actor(step);
  }

  /** What is under way on a link, as its content has it. */
  inFlight(state: Uint16Array, link: number): readonly number[] {
    return this.channels.list(state[this.firstLink + link]);
  }

  private messagesIn(state: Uint16Array): NetworkMessage[] {
    const messages: NetworkMessage[] = [];
    for (let link = 0; link < this.links; link++) {
      const content = state[this.firstLink + link];
      if (content === 0) continue;
      this.contents[link][content] ??= this.messagesOn(link, content);
      messages.push(...this.contents[link][content]);
    }
    return messages;
  }

  private messagesOn(link: number, content: number): NetworkMessage[] {
    const { channels, local, table } = this;
    const [from, to] = [table.sender(link), table.receivers[link]];
    return channels.list(content).map((element) => {
      return { from, to, message: local.readMessage(this.messageOf(element)) };
    });
  }

  /** What a step takes from the links, to deliver or to lose it: pairs of a link and what stands for a message there. */
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

  /** Does a step bring a message to a node that hears it? */
  isReceived(state: Uint16Array, step: number): boolean {
    return kindOf(step) === DELIVER && !this.stateOf(state, this.actor(step)).dead;
  }

  /** The words of a message. */
  wordsOf(element: number): Int32Array {
    return this.local.messages.all[this.messageOf(element)];
  }

  /** May a crash elsewhere, yet to come, be what this node notices, and starts for? */
  protected mayNotice(state: Uint16Array, at: number): boolean {
    if (!this.faulty || state[CRASHES] === 0 || !this.failureDetector.isPossible) return false;
    const { awake, dead, role } = this.stateOf(state, at);
    return !dead && at < this.candidates && (!awake || role === FOLLOWER);
  }

  /** May this node come back, and so end what others would have noticed? */
  protected mayRevive(state: Uint16Array, at: number): boolean {
    return this.failureDetector.isPossible && this.mayRecover(state) && this.stateOf(state, at).dead;
  }

  /** May a dead node come back? */
  protected mayRecover(state: Uint16Array): boolean {
    return this.faulty && state[RECOVERIES] > 0;
  }

  /** Adds to a state what one node has become and sent. */
  protected take(state: Uint16Array, at: number, step: NodeTransition): void {
    state[this.firstNode + at] = step.state;
    const { sent } = step;
    for (let k = 0; k < sent.length; k += 2) {
      const place = this.firstLink + sent[k];
      state[place] = this.channels.push(state[place], this.elementOf(sent[k + 1]));
    }
  }

  /** What stands for a message that was sent just now, and the message that something stands for. */
  protected elementOf(message: number): number {
    return message;
  }

  protected messageOf(element: number): number {
    return element;
  }

  protected stateOf(state: Uint16Array, at: number) {
    return this.local.states[at].all[state[this.firstNode + at]];
  }

  /** An initiator that sleeps, or one that finds no coordinator. Positions beyond the nodes only help. */
  protected mayStart(state: Uint16Array, at: number): boolean {
    const node = this.stateOf(state, at);
    if (node.dead || at >= this.candidates) return false;
    if (this.initiates[at] === 1 && !node.awake) return true;
    if (!this.failureDetector.isPossible) return false;
    return this.failureDetector.notices(node, (other) => this.stateOf(state, other).dead);
  }

  /** Is anything under way, or a timer running? */
  protected isPending(state: Uint16Array): boolean {
    for (let place = this.firstLink; place < this.width; place++) if (state[place] !== 0) return true;
    for (let at = 0; at < this.nodes; at++) {
      if (this.stateOf(state, at).timers.some((left) => left !== NONE)) return true;
    }
    return false;
  }
}
