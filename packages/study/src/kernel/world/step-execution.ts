/**
 * What a step does: the handlers that it runs, the messages that it moves and the time that passes. One object executes one
 * step and holds its results.
 */
import type { Breach } from '../decisions.ts';
import { InputError } from '../errors.ts';
import { NONE } from '../field.ts';
import type { Machine } from '../machine/machine.ts';
import { address, portOf, receiverOf } from '../machine/message-buffer.ts';
import type { Setup } from '../setup.ts';
import { formatMessage, type MessageLossReason, type TracedMessage, type TraceEvent } from '../trace.ts';
import type { Configuration, Draft, FaultBudget, InFlightMessage } from './configuration.ts';
import { draftOf } from './configuration.ts';
import { termToStartFor } from './failure-detector.ts';
import { type NodeSnapshot, runHandler } from './node-step.ts';
import type { Rules } from './rules.ts';
import type { MessageStep, NodeStep, Step, StepOutcome } from './step.ts';
import { formatStep, isMessageStep } from './step.ts';

export class StepExecution {
  /** The configuration after the step. */
  readonly next: Draft;
  readonly events: TraceEvent[] = [];
  readonly changes: StepOutcome['changes'][number][] = [];
  failure: StepOutcome['failure'] = null;
  breach: Breach | null = null;

  /** The machine must hold the nodes of `now`. */
  constructor(
    private readonly setup: Setup,
    private readonly machine: Machine,
    private readonly rules: Rules,
    private readonly now: Configuration,
  ) {
    this.next = draftOf(now);
    if (rules.opening(now) === null) this.next.steps++;
    else this.next.started++;
  }

  /** Throws if the step is not enabled. After an error the nodes of the machine are undefined. */
  take(step: Step): void {
    if (isMessageStep(step)) {
      const message = this.rules.messageOf(this.now, step);
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
      const [, role, , term] = next.nodes[node].record;
      const startedFor = termToStartFor(machine.algorithm, role, term);
      this.handle(event, () => machine.start(node), { startedFor });
    } else if (type === 'crash') {
      this.spend('crashes');
      const timers = this.rules.timers.map(() => NONE);
      this.handle(event, () => machine.crash(node), { timers, startedFor: NONE });
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
    if (reason === 'receiver dead' && this.tellsSenders && !this.rules.unreliable)
      this.next.undelivered.push(message);
  }

  private get tellsSenders(): boolean {
    return this.setup.algorithm.onUndelivered !== undefined;
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
    // A round runs several handlers: the first failure or breach is kept.
    if (this.failure === null && this.breach === null) {
      this.breach = outcome.breach;
      this.failure = outcome.failure && { node, error: outcome.failure.error };
    }
    if (outcome.failure !== null) return;
    this.takeSent(node);
    for (const decision of machine.decisionsMade()) {
      this.events.push({ type: 'decide', node, time: next.steps, ...decision });
    }
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
      const inFlight = {
        link: topology.link(to, port),
        from,
        to,
        port,
        sentStep: next.steps,
        sentTime: next.clock,
        message,
        text: formatMessage(message),
      };
      next.messages.push(inFlight);
      if (this.rules.unreliable && this.tellsSenders) next.undelivered.push(inFlight);
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

function refuseStep(step: Step): never {
  throw new InputError(`'${formatStep(step)}' is not enabled here`);
}
