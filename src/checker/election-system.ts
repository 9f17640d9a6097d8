/**
 * An election on an asynchronous network as a system: a number for the state of each node, and one for what is under
 * way on each link. A step is one start, delivery, timer, notice, crash, recovery or loss, run to completion. Nothing
 * is known of time: any message may be next, and a timer that runs may fire at any step.
 *
 * Crashes, recoveries and losses are bounded in number; what is left of each is part of the state.
 */
import { FOLLOWER, LEADER } from '../kernel/decisions.ts';
import { NONE } from '../kernel/field.ts';
import { Machine } from '../kernel/machine.ts';
import type { Stage } from '../kernel/stage.ts';
import { formatMessage, type TracedMessage } from '../kernel/trace.ts';
import { judge } from '../properties/validity.ts';
import { Channels } from './channels.ts';
import { LinkTable } from './link-table.ts';
import { type LocalStep, LocalSteps, type Memory } from './local-steps.ts';
import type { Starts } from './starts.ts';
import type { System, Violation } from './system.ts';

export interface ElectionOptions {
  readonly initiators: readonly number[];
  readonly starts: Starts;
  /** Positions that are dead from the beginning. */
  readonly dead: readonly number[];
  readonly crashes: number;
  readonly recoveries: number;
  readonly losses: number;
  readonly fifo: boolean;
}

/** What is left of each kind of fault: the first numbers of a state, where there are any faults. */
const CRASHES = 0;
const RECOVERIES = 1;
const LOSSES = 2;
const FAULTS = 3;

/** Kinds of steps, each with a number for every node or link. */
const KINDS = ['start', 'deliver', 'timer', 'notice', 'tick', 'crash', 'recover', 'lose'] as const;
/** From this kind on, steps may happen and need not. */
const FIRST_FAULT = KINDS.indexOf('crash');
type Kind = (typeof KINDS)[number];
const KIND_SHIFT = 24;
const INDEX_MASK = (1 << KIND_SHIFT) - 1;

export type Visit = (step: number, violation: Violation | null) => void;

export class ElectionSystem implements System {
  readonly width: number;

  protected readonly options: ElectionOptions;
  private readonly table: LinkTable;
  protected readonly local: LocalSteps;
  protected readonly channels = new Channels();
  protected readonly nodes: number;
  protected readonly links: number;
  protected readonly timers: number;
  private readonly faulty: boolean;
  /** Where the nodes begin, the links, and the notices of messages that found nobody. */
  protected readonly firstNode: number;
  protected readonly firstLink: number;
  protected readonly firstNotice: number;
  protected readonly receivers: Int32Array;
  protected readonly ports: Int32Array;
  protected readonly initiates: Uint8Array;
  private readonly ids: Int32Array | null;
  protected readonly hasNotices: boolean;
  /** Nodes notice that their coordinator is dead, and start again. */
  private readonly detects: boolean;
  protected readonly memories: Readonly<Record<Exclude<Kind, 'lose' | 'tick'>, readonly Memory[]>>;

  /** `extra` numbers stand before the nodes: a subclass's own. */
  constructor(stage: Stage, options: ElectionOptions, extra = 0) {
    const { algorithm, topology } = stage;
    this.options = options;
    this.nodes = topology.n;
    this.timers = algorithm.timers?.length ?? 0;
    this.ids = stage.anonymous ? null : stage.ids;
    this.hasNotices = algorithm.onUndelivered !== undefined && options.crashes + options.dead.length > 0;
    this.detects = algorithm.occasion === 'coordinator dead';
    const table = new LinkTable(topology);
    this.table = table;
    this.links = table.count;
    this.receivers = table.receivers;
    this.ports = table.ports;
    this.faulty = options.crashes + options.recoveries + options.losses > 0;
    this.firstNode = (this.faulty ? FAULTS : 0) + extra;
    this.firstLink = this.firstNode + this.nodes;
    this.firstNotice = this.firstLink + this.links;
    this.width = this.firstNotice + (this.hasNotices ? this.links : 0);
    this.initiates = new Uint8Array(this.nodes);
    for (const at of options.initiators) this.initiates[at] = 1;
    const { ids, nodes: n, params, diameter } = stage;
    const status = new Uint8Array(this.nodes);
    const machine = new Machine(algorithm, { n, ids, topology, params, diameter, status });
    this.local = new LocalSteps(machine, (to, port) => table.numberOf(to, port));
    const memories = (length: number): Memory[] => Array.from({ length }, () => new Map());
    this.memories = {
      start: memories(this.nodes),
      deliver: memories(this.links),
      timer: memories(this.nodes * this.timers),
      notice: memories(this.links),
      crash: memories(this.nodes),
      recover: memories(this.nodes),
    };
  }

  get draws(): boolean {
    return this.local.draws;
  }

  initial(): Uint16Array {
    const { options, local } = this;
    const state = new Uint16Array(this.width);
    if (this.faulty) state.set([options.crashes, options.recoveries, options.losses]);
    for (const at of options.dead) local.machine.crash(at);
    for (let at = 0; at < this.nodes; at++) state[this.firstNode + at] = local.stateNow(at);
    if (options.starts !== 'together') return state;
    for (let at = 0; at < this.nodes; at++) {
      if (!this.mayStart(state, at)) continue;
      const [first] = local.start(this.memories.start[at], at, state[this.firstNode + at]);
      this.take(state, at, first);
    }
    return state;
  }

  expand(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    for (let at = 0; at < this.nodes; at++) {
      this.expandStart(state, at, next, visit);
      this.expandTimers(state, at, anyTime, next, visit);
      this.expandFaults(state, at, next, visit);
    }
    for (let link = 0; link < this.links; link++) {
      if (state[this.firstLink + link] !== 0) this.expandLink(state, link, next, visit);
      if (this.hasNotices && state[this.firstNotice + link] !== 0)
        this.expandNotice(state, link, next, visit);
    }
  }

  inspect(state: Uint16Array): Violation | null {
    let leader = -1;
    for (let at = 0; at < this.nodes; at++) {
      const node = this.stateOf(state, at);
      if (node.role !== LEADER) continue;
      for (let other = leader; other >= 0; other--) {
        const rival = this.stateOf(state, other);
        if (rival.role !== LEADER || rival.term !== node.term) continue;
        return { property: 'uniqueness', text: `nodes ${other} and ${at} both lead term ${node.term}` };
      }
      leader = at;
    }
    return null;
  }

  judgeEnd(state: Uint16Array): Violation | null {
    const { local } = this;
    local.load(state.subarray(this.firstNode, this.firstLink));
    return judge(local.machine.decisions, local.machine.status, this.nodes, this.ids).fault;
  }

  describe(state: Uint16Array, step: number): string {
    const kind = KINDS[step >>> KIND_SHIFT];
    const index = step & INDEX_MASK;
    if (kind === 'timer') {
      const at = Math.floor(index / this.timers);
      return `timer ${at} ${this.local.machine.algorithm.timers?.[index % this.timers]}`;
    }
    if (kind === 'tick') return 'tick';
    if (kind === 'start' || kind === 'crash' || kind === 'recover') return `${kind} ${index}`;
    const link = kind === 'notice' || this.options.fifo ? index : index % this.links;
    const place = (kind === 'notice' ? this.firstNotice : this.firstLink) + link;
    const content = this.channels.list(state[place]);
    const element = content[kind === 'notice' || this.options.fifo ? 0 : Math.floor(index / this.links)];
    const { codec, lists } = this.local.machine;
    const message = codec.read(this.local.messages.all[this.messageOf(element)], 0, lists);
    const text = formatMessage(message as TracedMessage);
    return `${kind} ${this.table.sender(link)} > ${this.receivers[link]} ${text}`;
  }

  optional(step: number): boolean {
    return step >>> KIND_SHIFT >= FIRST_FAULT;
  }

  protected expandStart(state: Uint16Array, at: number, next: Uint16Array, visit: Visit): void {
    if (!this.mayStart(state, at)) return;
    const { local, memories } = this;
    const steps = local.start(memories.start[at], at, state[this.firstNode + at]);
    this.step(state, at, steps, 'start', at, next, visit);
  }

  protected expandFaults(state: Uint16Array, at: number, next: Uint16Array, visit: Visit): void {
    if (!this.faulty) return;
    const { local, memories } = this;
    const number = state[this.firstNode + at];
    const isDead = local.states[at].all[number].dead;
    if (isDead && state[RECOVERIES] > 0) {
      const steps = local.recover(memories.recover[at], at, number);
      this.step(state, at, steps, 'recover', at, next, visit, RECOVERIES);
    }
    if (!isDead && state[CRASHES] > 0) {
      this.step(state, at, local.crash(memories.crash[at], at, number), 'crash', at, next, visit, CRASHES);
    }
  }

  /** Fires the timers of a node that `isDue` says are. */
  protected expandTimers(
    state: Uint16Array,
    at: number,
    isDue: (left: number) => boolean,
    next: Uint16Array,
    visit: Visit,
  ): void {
    const { local, memories } = this;
    const number = state[this.firstNode + at];
    const node = local.states[at].all[number];
    for (let timer = 0; timer < this.timers; timer++) {
      if (node.timers[timer] === NONE || !isDue(node.timers[timer])) continue;
      const index = at * this.timers + timer;
      const steps = local.fire(memories.timer[index], at, timer, number);
      this.step(state, at, steps, 'timer', index, next, visit);
    }
  }

  /** Delivers or loses the oldest message of a link; where links keep no order, any of its messages. */
  protected expandLink(state: Uint16Array, link: number, next: Uint16Array, visit: Visit): void {
    const { channels, local, memories, options } = this;
    const place = this.firstLink + link;
    const at = this.receivers[link];
    const number = state[this.firstNode + at];
    const node = local.states[at].all[number];
    if (options.starts === 'first' && this.initiates[at] === 1 && !node.awake && !node.dead) return;
    const choices = options.fifo ? 1 : channels.length(state[place]);
    for (let k = 0; k < choices; k++) {
      if (k > 0 && channels.isRepeat(state[place], k)) continue;
      const element = channels.at(state[place], k);
      if (!this.arrives(element)) continue;
      const message = this.messageOf(element);
      const rest = channels.without(state[place], k);
      const index = k * this.links + link;
      if (node.dead) {
        next.set(state);
        next[place] = rest;
        if (this.hasNotices) {
          next[this.firstNotice + link] = channels.push(state[this.firstNotice + link], element);
        }
        visit(stepNumber('deliver', index), null);
      } else {
        const steps = local.deliver(memories.deliver[link], at, this.ports[link], number, message);
        for (const step of steps) {
          next.set(state);
          next[place] = rest;
          this.take(next, at, step);
          visit(stepNumber('deliver', index), step.violation);
        }
      }
      if (this.faulty && state[LOSSES] > 0) {
        next.set(state);
        next[place] = rest;
        next[LOSSES]--;
        visit(stepNumber('lose', index), null);
      }
    }
  }

  /** Tells the sender of a message that its receiver was dead. */
  protected expandNotice(state: Uint16Array, link: number, next: Uint16Array, visit: Visit): void {
    const { channels, local, memories, table } = this;
    const place = this.firstNotice + link;
    const at = table.sender(link);
    const number = state[this.firstNode + at];
    const message = this.messageOf(channels.at(state[place], 0));
    const rest = channels.without(state[place], 0);
    if (local.states[at].all[number].dead) {
      next.set(state);
      next[place] = rest;
      visit(stepNumber('notice', link), null);
      return;
    }
    const back = table.senderPort(link);
    for (const step of local.undelivered(memories.notice[link], at, back, number, message)) {
      next.set(state);
      next[place] = rest;
      this.take(next, at, step);
      visit(stepNumber('notice', link), step.violation);
    }
  }

  private step(
    state: Uint16Array,
    at: number,
    steps: readonly LocalStep[],
    kind: Kind,
    index: number,
    next: Uint16Array,
    visit: Visit,
    uses = -1,
  ): void {
    for (const step of steps) {
      next.set(state);
      if (uses >= 0) next[uses]--;
      this.take(next, at, step);
      visit(stepNumber(kind, index), step.violation);
    }
  }

  private take(state: Uint16Array, at: number, step: LocalStep): void {
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

  /** May this message be next? */
  protected arrives(_element: number): boolean {
    return true;
  }

  protected stateOf(state: Uint16Array, at: number) {
    return this.local.states[at].all[state[this.firstNode + at]];
  }

  /** An initiator that sleeps; or, where that is the occasion, a node whose coordinator is dead. */
  private mayStart(state: Uint16Array, at: number): boolean {
    const node = this.stateOf(state, at);
    if (node.dead) return false;
    if (this.initiates[at] === 1 && !node.awake) return true;
    if (!this.detects || node.role !== FOLLOWER || node.noticed === node.term) return false;
    const leader = this.ids?.indexOf(node.leader) ?? -1;
    return leader >= 0 && this.stateOf(state, leader).dead;
  }
}

function anyTime(): boolean {
  return true;
}

export function stepNumber(kind: Kind, index: number): number {
  return (KINDS.indexOf(kind) << KIND_SHIFT) | index;
}
