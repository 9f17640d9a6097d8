/**
 * Which steps are enabled, in the three timing models.
 *
 * Asynchronous: any message may arrive next, and a running timer may fire at any step.
 * Bounded delay: a message takes 1 to `delay` units and a timer fires when it is due. Within a unit messages arrive
 * first; after the first timer or notice nothing arrives until the next tick. A tick is enabled only if nothing is overdue.
 * Synchronous: a step is a whole round. A message that is sent in a round arrives in the next; faults happen between rounds.
 *
 * On a FIFO link only the oldest message can arrive, and outside rounds a message is lost when it could have arrived.
 * There is no step for a partition: it equals the loss of every message between its sides.
 */
import type { AnyAlgorithm } from '../algorithm.ts';
import type { TimingModel } from '../assumptions.ts';
import { FOLLOWER } from '../decisions.ts';
import { NONE } from '../field.ts';
import { checkInitiators } from '../initiators.ts';
import { AWAKE, DEAD } from '../machine/status.ts';
import type { Topology } from '../network/topology.ts';
import { timeoutOf } from '../params.ts';
import { deadAtFirst, type Setup } from '../setup.ts';
import { type Configuration, type FaultBudget, type InFlightMessage, nextToArrive } from './configuration.ts';
import { FailureDetector, termToStartFor } from './failure-detector.ts';
import { isMessageStep, type MessageStep, type NodeStep, type Step } from './step.ts';

/** When the initiators start. free: at any time, or never if a message comes first; first: before any delivery; together: before the first step. */
export type Starts = 'free' | 'first' | 'together';

/** The default: free in an asynchronous network, otherwise together. */
export function startsOf({ assumes }: AnyAlgorithm): Starts {
  return assumes.timing === 'asynchronous' ? 'free' : 'together';
}

/** The initiators, links and faults of a world. */
export interface WorldOptions {
  /** Positions; all nodes by default. */
  readonly initiators?: readonly number[] | undefined;
  readonly starts?: Starts | undefined;
  /** By default timing and order of messages are what the algorithm assumes. */
  readonly timing?: TimingModel | undefined;
  readonly fifo?: boolean | undefined;
  /** Bounded delay: the longest delay in units, 1 by default. */
  readonly delay?: number | undefined;
  /** Bounded delay: timers may fire early, as if the network were slower than the algorithm assumes. */
  readonly suspect?: boolean | undefined;
  /** Positions that are crashed at the start; by default the coordinator, if its crash is the trigger. */
  readonly dead?: readonly number[] | undefined;
  /**
   * The failure detector may be wrong, as between real processes: a node whose trigger is a crash may start at any time, and a
   * sender may be told once that a message was not delivered, whether or not it arrives. False by default: then a detector
   * reports only crashes.
   */
  readonly unreliable?: boolean | undefined;
  /** How many faults may happen; none by default. */
  readonly faults?: Partial<FaultBudget> | undefined;
  /** Decides random draws whose outcome a step does not name: 1 to `sides`. `index` counts the draws of the step from 0. */
  readonly draw?: ((sides: number, index: number) => number) | undefined;
}

/** Which steps are enabled in a configuration. */
export class Rules {
  readonly timing: TimingModel;
  readonly starts: Starts;
  readonly fifo: boolean;
  readonly initiators: readonly number[];
  /** Positions that are crashed at the start. */
  readonly dead: readonly number[];
  readonly timers: readonly string[];
  /** The failure detector may be wrong. */
  readonly unreliable: boolean;
  private readonly setup: Setup;
  private readonly delay: number;
  private readonly timeout: number;
  private readonly suspect: boolean;
  private readonly initiates: Uint8Array;
  /** The nodes that start before the first step, ascending. */
  private readonly together: readonly number[];
  private readonly detector: FailureDetector;
  private readonly hasParallelLinks: boolean;
  /** Steps about messages name a port or an age, without which they could mean several messages. */
  readonly hasDetails: boolean;

  constructor(setup: Setup, options: WorldOptions) {
    const { algorithm, ids, nodes: n, params, topology } = setup;
    const { initiators = Array.from({ length: n }, (_, at) => at) } = options;
    checkInitiators(initiators, n);
    this.setup = setup;
    this.timing = options.timing ?? algorithm.assumes.timing;
    this.starts = options.starts ?? startsOf(algorithm);
    this.fifo = options.fifo ?? algorithm.assumes.fifo;
    this.delay = options.delay ?? 1;
    this.timeout = timeoutOf(params);
    this.suspect = options.suspect ?? false;
    this.unreliable = options.unreliable ?? false;
    this.initiators = initiators;
    this.timers = algorithm.timers ?? [];
    this.dead = options.dead ?? deadAtFirst(algorithm, ids);
    this.initiates = new Uint8Array(topology.n);
    for (const at of initiators) this.initiates[at] = 1;
    const live = initiators.filter((at) => !this.dead.includes(at)).sort((a, b) => a - b);
    this.together = this.starts === 'together' ? live : [];
    this.detector = new FailureDetector(setup, this.dead);
    this.hasParallelLinks = hasParallelLinks(topology);
    this.hasDetails = this.hasParallelLinks || (this.timing === 'bounded-delay' && !this.fifo);
  }

  /** All steps; faults last. They name no random draws. */
  enabled(now: Configuration, withFaults = true): Step[] {
    const nodes = [...now.nodes.keys()];
    const steps = (type: NodeStep['type']): Step[] => nodes.map((node) => ({ type, node }));
    const timers = nodes.flatMap((node) =>
      this.timers.map((timer): Step => ({ type: 'timer', node, timer })),
    );
    const able = (...all: Step[]): Step[] => all.filter((step) => this.canTake(now, step));
    return [
      ...able(...steps('start')),
      ...this.stepsOn(now, 'deliver'),
      ...this.stepsOn(now, 'notice'),
      ...able(...timers, { type: 'tick' }, { type: 'round' }),
      ...(withFaults
        ? [
            ...able(...steps('crash'), ...steps('recover')),
            ...this.stepsOn(now, 'lose'),
            ...this.stepsOn(now, 'duplicate'),
          ]
        : []),
    ];
  }

  /** The enabled steps that a step without details may mean, with their details; none if it cannot be taken. */
  matching(now: Configuration, step: Step): Step[] {
    if (!isMessageStep(step)) return this.canTake(now, step) ? [step] : [];
    const draws = step.draws && { draws: step.draws };
    return this.stepsOn(now, step.type, this.messagesOf(now, step)).map((one) => ({ ...one, ...draws }));
  }

  /** The messages that a step may mean, oldest first. */
  messagesOf(now: Configuration, step: MessageStep): InFlightMessage[] {
    return this.pool(now, step.type).filter(this.meaningOf(now, step));
  }

  /** The oldest message that a step may mean: the one that it moves. */
  messageOf(now: Configuration, step: MessageStep): InFlightMessage | undefined {
    return this.pool(now, step.type).find(this.meaningOf(now, step));
  }

  private meaningOf(
    now: Configuration,
    { age, from, message, port, to, type }: MessageStep,
  ): (one: InFlightMessage) => boolean {
    const pool = this.pool(now, type);
    const isInOrder = this.isInOrder(type);
    return (one) =>
      one.to === to &&
      one.from === from &&
      one.text === message &&
      (port === undefined || one.port === port) &&
      (age === undefined || now.clock - one.sentTime === age) &&
      (!isInOrder || pool.find(({ link }) => link === one.link) === one) &&
      this.mayMove(now, type, one);
  }

  /** True if a step without a message is enabled. */
  canTake(now: Configuration, step: Step): boolean {
    const opening = this.opening(now);
    if (opening !== null) return step.type === 'start' && step.node === opening;
    switch (step.type) {
      case 'start':
        return this.timing !== 'synchronous' && now.turn === 'arrivals' && this.mayStart(now, step.node);
      case 'crash':
        return now.faults.crashes > 0 && now.turn === 'arrivals' && this.isAlive(now, step.node);
      case 'recover':
        return now.faults.recoveries > 0 && now.turn === 'arrivals' && this.isDead(now, step.node);
      case 'timer':
        return this.canFire(now, now.nodes[step.node]?.timers[this.timers.indexOf(step.timer)] ?? NONE);
      case 'tick':
        return (
          this.timing === 'bounded-delay' && this.isPending(now) && !this.isOverdue(now) && !this.isDue(now)
        );
      case 'round':
        return this.timing === 'synchronous' && this.isPending(now);
      default:
        return false;
    }
  }

  /** True if a message is in flight or a timer runs. */
  isPending({ messages, nodes, undelivered }: Configuration): boolean {
    // A wrong notice may come, but need not.
    if (messages.length + (this.unreliable ? 0 : undelivered.length) > 0) return true;
    return this.timers.length > 0 && nodes.some(({ timers }) => timers.some((left) => left !== NONE));
  }

  /** True if no step is enabled, except faults and optional suspicions. */
  isQuiescent(now: Configuration): boolean {
    return !this.isPending(now) && !now.nodes.some((_, at) => this.mustStart(now, at));
  }

  /** Whether a node has crashed and not recovered. */
  isDead({ nodes }: Configuration, at: number): boolean {
    return ((nodes[at]?.record[0] ?? 0) & DEAD) !== 0;
  }

  /** If all initiators start together: the next one that must start before any step; null if all have started. */
  opening(now: Configuration): number | null {
    return this.together[now.started] ?? null;
  }

  /** An initiator that is asleep, or a node whose failure detector reports a crash. */
  private mayStart(now: Configuration, at: number): boolean {
    if (at >= this.setup.nodes || !this.isAlive(now, at)) return false;
    if (this.isAwaited(now, at)) return true;
    if (this.unreliable) return termToStartFor(this.setup.algorithm, FOLLOWER, 0) !== NONE;
    if (!this.detector.isPossible) return false;
    const { startedFor, record } = now.nodes[at];
    const [status, role, leader, term] = record;
    const survivor = { awake: (status & AWAKE) !== 0, role, leader, term, startedFor };
    return this.detector.notices(survivor, (other) => this.isDead(now, other));
  }

  /** True if a node may start, and is certain to do so unless a message comes first; see failure-detector.ts. */
  private mustStart(now: Configuration, at: number): boolean {
    if (!this.mayStart(now, at)) return false;
    if (this.unreliable) return this.isAwaited(now, at);
    const [, role, , term] = now.nodes[at].record;
    const wanted = termToStartFor(this.setup.algorithm, role, term);
    return this.isAwaited(now, at) || !now.nodes.some(({ startedFor }) => startedFor >= wanted);
  }

  /** True for an initiator that is alive and has not started. */
  private isAwaited({ nodes }: Configuration, at: number): boolean {
    return this.initiates[at] === 1 && (nodes[at].record[0] & (AWAKE | DEAD)) === 0;
  }

  private isAlive(now: Configuration, at: number): boolean {
    return now.nodes[at] !== undefined && !this.isDead(now, at);
  }

  /** True if a timer with this number of units left can fire. */
  private canFire(now: Configuration, left: number): boolean {
    if (left === NONE || this.timing === 'synchronous') return false;
    return this.timing === 'asynchronous' || ((this.suspect || left === 0) && !this.isOverdue(now));
  }

  /** The messages for which a step of this type is enabled. */
  private movable(now: Configuration, type: MessageStep['type']): readonly InFlightMessage[] {
    const next = nextToArrive(this.pool(now, type), this.isInOrder(type));
    return next.filter((one) => this.mayMove(now, type, one));
  }

  /** True if a step of this type takes the oldest message of a link only. A wrong notice may be about any. */
  private isInOrder(type: MessageStep['type']): boolean {
    return this.fifo && this.timing !== 'synchronous' && !(type === 'notice' && this.unreliable);
  }

  /** The messages that a kind of step is about; none if no such step may be taken now. */
  private pool(now: Configuration, type: MessageStep['type']): readonly InFlightMessage[] {
    const { losses, duplications } = now.faults;
    if (this.opening(now) !== null || (type === 'lose' && losses === 0)) return [];
    if (type === 'duplicate' && duplications === 0) return [];
    if (this.timing === 'synchronous') return type === 'lose' || type === 'duplicate' ? now.messages : [];
    if (type !== 'notice') return now.turn === 'arrivals' ? now.messages : [];
    return this.timing === 'bounded-delay' && this.isOverdue(now) ? [] : now.undelivered;
  }

  /** May a message of the pool move, if it is the next of its link? */
  private mayMove(now: Configuration, type: MessageStep['type'], one: InFlightMessage): boolean {
    if (this.timing === 'synchronous') return true;
    const isBounded = this.timing === 'bounded-delay';
    if (type === 'notice') return !isBounded || this.isTimedOut(now, one);
    if (isBounded && now.clock === one.sentTime) return false;
    return this.starts !== 'first' || !this.isAwaited(now, one.to);
  }

  /** True if the timeout of the sender has passed. */
  isTimedOut({ clock }: Configuration, { sentTime }: InFlightMessage): boolean {
    return clock - sentTime >= this.timeout;
  }

  /** True if a message must arrive before the next tick. */
  private isOverdue({ clock, messages }: Configuration): boolean {
    return messages.some(({ sentTime }) => clock - sentTime >= this.delay);
  }

  /** True if a timer must fire or a sender must be notified before the next tick. */
  private isDue(now: Configuration): boolean {
    if (!this.unreliable && now.undelivered.some((one) => this.isTimedOut(now, one))) return true;
    return this.timers.length > 0 && now.nodes.some(({ timers }) => timers.includes(0));
  }

  /** One step per message; equal messages share a step. */
  private stepsOn(now: Configuration, type: MessageStep['type'], messages = this.movable(now, type)): Step[] {
    const seen = new Set<string>();
    const hasAge = this.timing === 'bounded-delay' && !this.fifo;
    return messages.flatMap(({ from, link, port, sentTime, text, to }) => {
      const age = now.clock - sentTime;
      const key = `${link} ${hasAge ? age : ''} ${text}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const details = { ...(this.hasParallelLinks && { port }), ...(hasAge && { age }) };
      return [{ type, from, to, message: text, ...details }];
    });
  }
}

/** True if several links join two nodes, as on a ring of two. */
function hasParallelLinks(topology: Topology): boolean {
  for (let at = 0; at < topology.n; at++) {
    const neighbours = Array.from({ length: topology.degree(at) }, (_, port) => topology.neighbour(at, port));
    if (new Set(neighbours).size < neighbours.length) return true;
  }
  return false;
}
