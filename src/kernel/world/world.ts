/**
 * The world executes an election one step at a time: a machine on a network, with links, timers and faults. It defines what a
 * step does; rules.ts defines which steps are enabled.
 *
 * Guarantees: `apply` takes only enabled steps, runs every handler to completion, and changes nothing if it throws. A
 * configuration can be loaded at any time, in any order, into any world of the same setup and options. Equal
 * configurations and equal steps with equal random draws give equal configurations.
 * Does not check properties: drivers do, from the outcome and the configuration.
 */
import { type Breach, FOLLOWER } from '../decisions.ts';
import { InputError } from '../errors.ts';
import { NONE } from '../field.ts';
import { Machine } from '../machine/machine.ts';
import { address, portOf, receiverOf } from '../machine/message-buffer.ts';
import type { Setup } from '../setup.ts';
import { formatMessage, type MessageLossReason, type TracedMessage, type TraceEvent } from '../trace.ts';
import {
  type Configuration,
  type Draft,
  draftOf,
  type FaultBudget,
  type InFlightMessage,
} from './configuration.ts';
import { type NodeSnapshot, runHandler } from './node-step.ts';
import { type DrawSequences, forEachSequence } from './random-outcomes.ts';
import { Rules, type WorldOptions } from './rules.ts';
import { formatStep, isMessageStep, type MessageStep, type NodeStep, type Step } from './step.ts';
import type { StepOutcome } from './step-outcome.ts';

/** One election, executed one step at a time. */
export class World {
  readonly setup: Setup;
  readonly machine: Machine;
  readonly rules: Rules;
  private readonly draw: (sides: number) => number;
  private now: Configuration;
  /** The nodes that the machine holds: those of `now`, except while a step is applied. */
  private held: readonly NodeSnapshot[];
  /** While a step is applied: the next configuration and the events so far. */
  private next: Draft;
  private events: TraceEvent[] = [];
  private failure: StepOutcome['failure'] = null;
  private breach: Breach | null = null;
  private changes: StepOutcome['changes'][number][] = [];

  constructor(setup: Setup, options: WorldOptions = {}) {
    const { algorithm, diameter, ids, nodes: n, params, topology } = setup;
    this.setup = setup;
    this.rules = new Rules(setup, options);
    this.draw = options.draw ?? refuseDraw;
    const status = new Uint8Array(topology.n);
    const canStart = new Uint8Array(topology.n);
    for (const at of this.rules.initiators) canStart[at] = 1;
    this.machine = new Machine(algorithm, { n, ids, topology, params, diameter, status, canStart });
    for (const at of this.rules.dead) this.machine.crash(at);
    const own = { timers: this.rules.timers.map(() => NONE), noticed: NONE, led: [] };
    this.held = Array.from(status, (_, at) => ({ record: this.machine.save(at), ...own }));
    this.now = {
      nodes: this.held,
      messages: [],
      undelivered: [],
      clock: 0,
      steps: 0,
      started: 0,
      turn: 'arrivals',
      faults: { crashes: 0, recoveries: 0, losses: 0, duplications: 0, ...options.faults },
    };
    this.next = draftOf(this.now);
  }

  get configuration(): Configuration {
    return this.now;
  }

  /** The steps that may happen next, faults last. They name no random draws. */
  enabled(): Step[] {
    return this.rules.enabled(this.now);
  }

  /** The enabled steps that a step without details may mean; none if it cannot be taken. */
  matching(step: Step): Step[] {
    return this.rules.matching(this.now, step);
  }

  /** The current configuration. */
  save(): Configuration {
    return this.now;
  }

  /** Continues from a configuration. */
  load(configuration: Configuration): void {
    const { nodes } = configuration;
    for (let at = 0; at < nodes.length; at++) {
      if (nodes[at] !== this.held[at]) this.machine.load(at, nodes[at].record);
    }
    this.held = nodes;
    this.now = configuration;
    this.machine.decisions.breach = null;
  }

  /** Takes a step. `draw` decides random draws that the step does not name. */
  apply(step: Step, draw = this.draw): StepOutcome {
    const draws: number[] = [];
    this.machine.context.draw = (sides) => {
      const drawn = step.draws?.[draws.length] ?? draw(sides);
      if (drawn > sides) throw new InputError(`a draw must be from 1 to ${sides}, not ${drawn}`);
      draws.push(drawn);
      return drawn;
    };
    const isOpening = this.rules.opening(this.now) !== null;
    const next = draftOf(this.now);
    if (!isOpening) next.steps++;
    this.next = next;
    this.events = [];
    this.failure = null;
    this.breach = null;
    this.changes = [];
    try {
      this.take(step);
    } catch (error) {
      // The step may have changed the machine, so all nodes are loaded again.
      this.held = [];
      this.load(this.now);
      throw error;
    }
    if (isOpening) next.started++;
    this.now = next;
    this.held = next.nodes;
    const { breach, changes, events, failure } = this;
    return { step: draws.length === 0 ? step : { ...step, draws }, events, failure, breach, changes };
  }

  /**
   * Takes a step once for every sequence of its random draws, always from the present configuration, and calls `visit`
   * after each; leaves the world as it was.
   */
  branch<T>(step: Step, visit: (outcome: StepOutcome, draws: DrawSequences) => T): T[] {
    const before = this.now;
    const results = forEachSequence((draws) => {
      this.load(before);
      return visit(this.apply(step, draws.draw), draws);
    });
    this.load(before);
    return results;
  }

  private take(step: Step): void {
    if (isMessageStep(step)) {
      const [message] = this.rules.messagesOf(this.now, step);
      if (message === undefined) refuseStep(step);
      this.move(step.type, message);
      return;
    }
    if (!this.rules.canTake(this.now, step)) refuseStep(step);
    if (step.type === 'timer') this.fire(step.node, this.rules.timers.indexOf(step.timer));
    else if ('node' in step) this.change(step);
    else if (step.type === 'tick') this.passTime();
    else this.round();
  }

  private change({ node, type }: NodeStep): void {
    const { machine, next } = this;
    const event = { type, node, time: next.steps } as const;
    if (type === 'start') {
      const { noticed, record } = next.nodes[node];
      // A follower starts only because its failure detector reports its leader.
      const found = record[1] === FOLLOWER ? record[3] : noticed;
      this.handle(event, () => machine.start(node), { noticed: found });
    } else if (type === 'crash') {
      this.spend('crashes');
      this.handle(event, () => machine.crash(node), { timers: this.rules.timers.map(() => NONE) });
    } else {
      this.spend('recoveries');
      this.handle(event, () => machine.restart(node));
    }
  }

  private move(type: MessageStep['type'], message: InFlightMessage): void {
    const { messages } = this.next;
    const place = messages.indexOf(message);
    if (type === 'notice') this.notify(message);
    else if (type === 'duplicate') {
      this.spend('duplications');
      messages.splice(place, 0, { ...message });
    } else {
      messages.splice(place, 1);
      if (type === 'deliver') this.deliver(message);
      else {
        this.spend('losses');
        this.lose(message, 'link lossy');
      }
    }
  }

  private fire(node: number, timer: number): void {
    const timers = this.next.nodes[node].timers.with(timer, NONE);
    const event = { type: 'timer', node, time: this.next.steps, timer: this.rules.timers[timer] } as const;
    this.handle(event, () => this.machine.fireTimer(node, timer), { timers });
    this.beginTimersTurn();
  }

  private deliver(message: InFlightMessage): void {
    const { from, port, sentStep, to } = message;
    if (this.rules.isDead(this.next, to)) {
      this.lose(message, 'receiver dead');
      return;
    }
    const time = this.next.steps;
    if (this.machine.startsOnMessage(to)) this.events.push({ type: 'start', node: to, time });
    this.handle(
      { type: 'deliver', node: to, time, from, port, sent: sentStep, message: message.message },
      () => this.withRecord(message, (words) => this.machine.receive(words, 0)),
    );
  }

  private lose(message: InFlightMessage, reason: MessageLossReason): void {
    const { from, sentStep, to } = message;
    const event = { type: 'lost', node: to, time: this.next.steps, from, sent: sentStep, reason } as const;
    this.events.push({ ...event, message: message.message });
    const isTold = reason === 'receiver dead' && this.setup.algorithm.onUndelivered !== undefined;
    if (isTold) this.next.undelivered.push(message);
  }

  /** Notifies the sender that the receiver had crashed, if the sender is alive. */
  private notify(message: InFlightMessage): void {
    const { from, sentStep, to } = message;
    this.next.undelivered.splice(this.next.undelivered.indexOf(message), 1);
    if (!this.rules.isDead(this.next, from)) {
      const port = this.setup.topology.backPort(to, message.port);
      const event = { type: 'undelivered', node: from, time: this.next.steps, from: to, port } as const;
      this.handle({ ...event, sent: sentStep, message: message.message }, () =>
        this.withRecord(message, (words) => this.machine.undelivered(from, port, words, 0)),
      );
    }
    this.beginTimersTurn();
  }

  /** Everything that is in flight arrives, node by node and port by port; then due notices and due timers. */
  private round(): void {
    const arrived = this.next.messages.toSorted((a, b) => a.to - b.to || a.port - b.port);
    this.passTime();
    this.next.messages = [];
    for (const message of arrived) this.deliver(message);
    for (const message of [...this.next.undelivered]) {
      if (this.rules.isTimedOut(this.next, message)) this.notify(message);
    }
    for (const at of this.next.nodes.keys()) {
      for (const timer of this.rules.timers.keys()) {
        if (this.next.nodes[at].timers[timer] === 0) this.fire(at, timer);
      }
    }
  }

  private passTime(): void {
    const { next } = this;
    next.clock++;
    next.turn = 'arrivals';
    if (this.rules.timers.length === 0) return;
    for (const [at, node] of next.nodes.entries()) {
      if (node.timers.every((left) => left === NONE)) continue;
      const timers = node.timers.map((left) => (left === NONE ? NONE : Math.max(0, left - 1)));
      next.nodes[at] = { ...node, timers };
    }
  }

  /** Bounded delay: no message arrives until the next tick. If nothing is pending, time does not matter. */
  private beginTimersTurn(): void {
    if (this.rules.timing !== 'bounded-delay') return;
    this.next.turn = this.rules.isPending(this.next) ? 'timers' : 'arrivals';
  }

  private spend(fault: keyof FaultBudget): void {
    this.next.faults = { ...this.next.faults, [fault]: this.next.faults[fault] - 1 };
  }

  /** Runs a handler of the event's node. */
  private handle(event: TraceEvent, call: () => void, change?: Partial<NodeSnapshot>): void {
    const { machine, next } = this;
    const { node } = event;
    this.events.push(event);
    machine.context.clock = next.clock;
    const before = next.nodes[node];
    const outcome = runHandler(machine, node, before, call, change);
    next.nodes[node] = outcome.node;
    this.changes.push({ node, before, after: outcome.node });
    // In a round the first one counts.
    if (this.failure === null && this.breach === null) {
      this.breach = outcome.breach;
      this.failure = outcome.failure && { node, error: outcome.failure.error };
    }
    if (outcome.failure !== null) return;
    this.takeSent(node);
    const decision = machine.context.decided ? machine.decisions.read(node) : null;
    if (decision !== null) this.events.push({ type: 'decide', node, time: next.steps, ...decision });
  }

  private takeSent(from: number): void {
    const { next } = this;
    const { topology } = this.setup;
    const { codec, context, lists } = this.machine;
    const { outbox } = context;
    const { end, width, words } = outbox;
    for (let base = 0; base < end; base += width) {
      const [to, port] = [receiverOf(words, base), portOf(words, base)];
      const message = codec.read(words, base, lists) as TracedMessage;
      codec.releaseLists(words, base, lists);
      next.messages.push({
        link: topology.link(to, port),
        from,
        to,
        port,
        sentStep: next.steps,
        sentTime: next.clock,
        message,
        text: formatMessage(message),
      });
      const back = topology.backPort(to, port);
      this.events.push({ type: 'send', node: from, time: next.steps, to, port: back, message });
    }
    outbox.clear();
  }

  /** The record of a message, its lists in the machine's table while `use` runs. */
  private withRecord({ message, port, to }: InFlightMessage, use: (words: Int32Array) => void): void {
    const { codec, lists, messageLimits } = this.machine;
    const words = new Int32Array(codec.width);
    address(words, 0, to, port, codec.write(message, words, 0, messageLimits, lists));
    use(words);
    codec.releaseLists(words, 0, lists);
  }
}

function refuseDraw(): never {
  throw new InputError('this step draws random numbers: name their outcomes in its draws');
}

function refuseStep(step: Step): never {
  throw new InputError(`'${formatStep(step)}' is not enabled here`);
}
