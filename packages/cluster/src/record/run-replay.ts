/**
 * Replays one run of a recording through the world stepper. Delays are not bounded, timers fire at any time, links may lose
 * messages, and the failure detector may be wrong: so every step that a correct runtime takes is enabled.
 *
 * Guarantees: a violation names the line of the first step that the algorithm may not take, or that sends or decides
 * something else than the algorithm does, or after which a property is violated. After it nothing is replayed.
 */
import {
  AWAKE,
  type Configuration,
  FOLLOWER,
  formatStep,
  type InFlightMessage,
  isMessageStep,
  type MessageStep,
  parseStep,
  type Setup,
  type Step,
  type StepOutcome,
} from '@hustings/study/driver';
import { InvariantMonitor } from '@hustings/study/internal/properties/invariants';
import { findTwoLeaders, judge } from '@hustings/study/internal/properties/validity';
import type { NetworkMessage } from '@hustings/study/kernel';
import type { Epoch } from '../view/clique.ts';
import { writeDurable } from './durable-fields.ts';
import type { RecordedEvent, RecordedStep } from './merge.ts';
import { type BeginLine, placeText } from './parse-trace.ts';
import { exactCounts } from './run-laws.ts';
import type { RecordedViolation, ReplayedRun } from './run-report.ts';
import { actorOf, checkOutcome, IllegalStep } from './step-outcome.ts';
import { takeUnrecorded } from './unrecorded-steps.ts';
import { WatchedWorld } from './watched-world.ts';

/** What a run needs to know about the whole recording. */
export interface RecordingFacts {
  readonly sends: ReadonlyMap<string, RecordedStep>;
  readonly deliveries: ReadonlyMap<string, RecordedStep>;
  /** The messages about which a sender was notified. */
  readonly noticed: ReadonlySet<string>;
  readonly unitMs: number;
  /** Folders do not last: a vote that was counted may be forgotten since. */
  readonly hasForgetful: boolean;
  readonly list: ReplayedRun['list'];
  /** Whether the present process of a member has a later line. */
  isLiving(id: number): boolean;
}

const MANY = Number.POSITIVE_INFINITY;

export class RunReplay {
  violation: RecordedViolation | null = null;
  private outside: RecordedViolation | null = null;
  readonly world: WatchedWorld;
  private readonly invariants: InvariantMonitor | null;
  private readonly keys = new Map<InFlightMessage, string>();
  private readonly sent: number[];
  private readonly counts = {
    steps: 0,
    crashes: 0,
    recoveries: 0,
    lostWithCrash: 0,
    lostWithReset: 0,
    unrecorded: 0,
  };
  private readonly broken = { wrongNotices: 0, wrongStarts: 0, lateMessages: 0, lostMessages: 0 };
  private last: RecordedEvent | null = null;
  /** The positions that have stopped in this run. */
  private readonly stopped = new Set<number>();

  constructor(
    readonly setup: Setup,
    readonly epoch: Epoch | null,
    private readonly facts: RecordingFacts,
  ) {
    const faults = { crashes: MANY, recoveries: MANY, losses: MANY };
    this.world = new WatchedWorld(setup, {
      timing: 'asynchronous',
      starts: 'free',
      dead: [],
      unreliable: true,
      faults,
    });
    // No member runs the auxiliary processes.
    for (let at = setup.nodes; at < setup.topology.n; at++) this.world.apply({ type: 'crash', node: at });
    this.invariants = InvariantMonitor.of(this.world.machine, 'all');
    this.sent = this.world.machine.codec.types.map(() => 0);
  }

  /** Takes a recorded step. */
  take(event: RecordedStep): void {
    if (this.violation !== null) return;
    this.counts.steps++;
    this.last = event;
    this.attempt(event, () => {
      const step = this.read(event);
      const outcome = isMessageStep(step) ? this.move(event, step) : this.change(event, step);
      checkOutcome(this.world, event, outcome);
      this.nameSent(event.entry.sent.map(({ key }) => key));
      this.judgeStep(event, outcome);
    });
  }

  /** A process stopped; the next one of the same member begins with `next`. */
  crash(event: RecordedEvent, next: BeginLine): void {
    if (this.violation !== null) return;
    const at = this.positionOf(event.id);
    const hasRun = (this.world.configuration.nodes[at].record[0] & AWAKE) !== 0;
    if (!hasRun && next.durable === null) return;
    this.attempt(event, () => {
      const { deliveries } = this.facts;
      const isLost = (one: InFlightMessage): boolean => !deliveries.has(this.keys.get(one) ?? '');
      if (!next.hasForgotten) this.counts.unrecorded += takeUnrecorded(this.world, at, next, isLost);
      // It stopped before its first step.
      if (this.world.rules.isDead(this.world.configuration, at)) return;
      this.world.apply({ type: 'crash', node: at });
      this.counts.crashes++;
      this.stopped.add(at);
      this.loseToDead(at);
    });
  }

  /** A process begins with this list that has run before: with another list, or before the recording. */
  beginWith(event: RecordedEvent, durable: Readonly<Record<string, unknown>>): void {
    this.attempt(event, () => {
      const { world } = this;
      const at = this.positionOf(event.id);
      if (!world.rules.isDead(world.configuration, at)) world.apply({ type: 'crash', node: at });
      writeDurable(world.machine, at, durable);
      const record = world.machine.save(at);
      const { nodes } = world.configuration;
      world.load({ ...world.configuration, nodes: nodes.with(at, { ...nodes[at], record }) });
    });
  }

  /** Reports a step that belongs to no run. */
  refuse(event: RecordedEvent, text: string, property = 'step'): void {
    this.violation ??= violationAt(event, property, text);
  }

  report(): ReplayedRun {
    const { machine, rules, configuration } = this.world;
    const { anonymous, ids, nodes } = this.setup;
    const ended = rules.isQuiescent(configuration);
    const messages = machine.codec.counts(this.sent);
    const { fault, leader } = judge(machine.decisions, machine.status, nodes, anonymous ? null : ids);
    const laws = ended && this.epoch !== null ? exactCounts(this.setup, messages) : [];
    // A recording cannot tell whether a member that is silent at the end has crashed, so endless runs are not judged there.
    if (ended && this.epoch !== null && this.violation === null && this.last !== null) {
      if (fault !== null) this.note(this.last, fault);
      const wrong = laws.find(({ recorded, value }) => recorded !== value);
      if (wrong !== undefined)
        this.note(this.last, {
          property: wrong.formula,
          text: `${wrong.recorded} messages, not ${wrong.value}`,
        });
    }
    return {
      ...{ epoch: this.epoch, list: this.facts.list, ...this.counts, messages, laws },
      inFlight: configuration.messages.length,
      broken: { ...this.broken },
      ended,
      leader: fault === null && leader !== null ? ids[leader] : null,
      disagreement: fault?.text ?? null,
      violation: this.violation,
      outside: this.outside,
    };
  }

  private attempt(event: RecordedEvent, run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.violation = violationAt(event, 'step', error.message);
    }
  }

  private read({ entry, id }: RecordedStep): Step {
    const step = parseStep(entry.step);
    if (!['start', 'recover', 'timer', 'deliver', 'notice'].includes(step.type))
      throw new IllegalStep(`'${entry.step}' is not a step of a member`);
    const at = actorOf(step);
    if (this.setup.ids[at] !== id) throw new IllegalStep(`'${entry.step}' is not a step of member ${id}`);
    return step;
  }

  private positionOf(id: number): number {
    return this.setup.ids.indexOf(id);
  }

  private change({ id }: RecordedStep, step: Step): StepOutcome {
    const at = this.positionOf(id);
    const [status, role, leader] = this.world.configuration.nodes[at].record;
    if (step.type === 'start' && (status & AWAKE) !== 0) {
      const isWrong = role !== FOLLOWER || this.facts.isLiving(leader);
      if (isWrong) this.broken.wrongStarts++;
    }
    if (step.type === 'recover' && this.stopped.has(at)) this.counts.recoveries++;
    return this.world.apply(step);
  }

  private move(event: RecordedStep, step: Step & MessageStep): StepOutcome {
    const key = event.entry.of;
    // Only a member itself and auxiliary processes get messages without a name.
    if (key === undefined) return this.world.apply(step);
    const pool = step.type === 'notice' ? 'undelivered' : 'messages';
    const message = this.world.configuration[pool].find((one) => this.keys.get(one) === key);
    if (message === undefined) throw new IllegalStep(this.whyNot(event, key));
    const { from, port, text, to } = message;
    const named = { ...step, from, to, port, message: text };
    if (formatStep(named) !== formatStep(step))
      throw new IllegalStep(`'${event.entry.step}' is not what was sent: '${formatStep(named)}'`);
    return step.type === 'notice' ? this.notify(message, step) : this.deliver(message, step);
  }

  /** A link that was reset has lost what is older and never arrives. What arrives later must not be overtaken on a FIFO link. */
  private deliver(message: InFlightMessage, step: Step & MessageStep): StepOutcome {
    const { world } = this;
    const { deliveries } = this.facts;
    const { messages } = world.configuration;
    if (world.rules.fifo) {
      for (const one of messages.slice(0, messages.indexOf(message))) {
        if (one.link !== message.link) continue;
        const key = this.keys.get(one) ?? '';
        const later = deliveries.get(key);
        if (later !== undefined)
          throw new IllegalStep(`it overtakes message ${key}, which ${placeText(later)} delivers`);
        world.apply({ type: 'lose', from: one.from, to: one.to, message: one.text, port: one.port });
        this.noteLoss();
      }
    } else {
      // The oldest of equal messages moves: this one.
      world.load({
        ...world.configuration,
        messages: [message, ...messages.filter((one) => one !== message)],
      });
    }
    if (this.isLate(message)) this.broken.lateMessages++;
    return world.apply(step);
  }

  /** Bounded delay: it took longer than one unit by the wall clocks, or never reached a member that was alive. */
  private isLate(message: InFlightMessage): boolean {
    if (this.setup.algorithm.assumes.timing !== 'bounded-delay') return false;
    const { deliveries, isLiving, sends, unitMs } = this.facts;
    const key = this.keys.get(message) ?? '';
    const [sent, arrived] = [sends.get(key), deliveries.get(key)];
    if (sent === undefined) return false;
    return arrived === undefined
      ? isLiving(this.setup.ids[message.to])
      : arrived.entry.at - sent.entry.at > unitMs;
  }

  private notify(message: InFlightMessage, step: Step): StepOutcome {
    const { world } = this;
    const { ids } = this.setup;
    const key = this.keys.get(message) ?? '';
    if (this.facts.deliveries.has(key) || this.facts.isLiving(ids[message.to])) this.broken.wrongNotices++;
    // The oldest of equal messages moves: this one alone is there.
    const others = world.configuration.undelivered.filter((one) => one !== message);
    world.load({ ...world.configuration, undelivered: [message] });
    const outcome = world.apply(step);
    world.load({ ...world.configuration, undelivered: [...others, ...world.configuration.undelivered] });
    return outcome;
  }

  private whyNot({ entry, id }: RecordedStep, key: string): string {
    const { deliveries, sends } = this.facts;
    const sender = sends.get(key)?.entry;
    if (sender !== undefined && (sender.epoch !== entry.epoch || sender.proposer !== entry.proposer))
      return `message ${key} is of epoch ${sender.epoch} of ${sender.proposer}, not of epoch ${entry.epoch} of ${entry.proposer}`;
    const earlier = deliveries.get(key);
    if (earlier !== undefined && earlier.entry !== entry)
      return `message ${key} was already delivered in ${placeText(earlier)}`;
    return `message ${key} is not on its way to member ${id}`;
  }

  private nameSent(names: readonly string[]): void {
    const { world } = this;
    const { messages, undelivered } = world.configuration;
    const own = names.length === 0 ? [] : messages.slice(-names.length);
    for (const [k, one] of own.entries()) {
      this.keys.set(one, names[k]);
      this.sent[world.machine.codec.indexOf(one.message.type)]++;
    }
    // Without those about which nobody is notified, the list stays short.
    const kept = undelivered.filter(
      (one) => one.to >= this.setup.nodes || this.facts.noticed.has(this.keys.get(one) ?? ''),
    );
    if (kept.length < undelivered.length) world.load({ ...world.configuration, undelivered: kept });
    for (const { to } of own) if (world.rules.isDead(world.configuration, to)) this.loseToDead(to);
  }

  private judgeStep(event: RecordedStep, { breach, changes }: StepOutcome): void {
    if (this.outside !== null) return;
    const { configuration } = this.world;
    const found =
      (breach && { property: breach.property, text: `node ${breach.at} ${breach.text}` }) ??
      changes
        .map(({ before, node }) => this.invariants?.violatedByStep(node, before.record) ?? null)
        .find((one) => one !== null) ??
      findTwoLeaders(configuration.nodes.length, (at) => configuration.nodes[at].led) ??
      (this.facts.hasForgetful
        ? null
        : this.invariants?.violatedNow(() => configuration.messages as readonly NetworkMessage[])) ??
      null;
    if (found !== null) this.note(event, found);
  }

  private note(
    event: RecordedEvent,
    { property, text }: { readonly property: string; readonly text: string },
  ): void {
    const violation = violationAt(event, property, text);
    const isExcused =
      this.setup.algorithm.assumes.mayErr === true ||
      Object.values(this.broken).some((count) => count > 0) ||
      this.world.configuration.messages.some((one) => this.isLate(one));
    if (isExcused) this.outside ??= violation;
    else this.violation ??= violation;
  }

  /** Messages to a crashed node that no later process of the member gets. */
  private loseToDead(at: number): void {
    const { world } = this;
    const blocked = new Set<number>();
    for (const one of world.configuration.messages) {
      if (one.to !== at || blocked.has(one.link)) continue;
      if (this.facts.deliveries.has(this.keys.get(one) ?? '')) {
        if (world.rules.fifo) blocked.add(one.link);
        continue;
      }
      const rest: Configuration['messages'] = world.configuration.messages.filter((other) => other !== one);
      world.load({ ...world.configuration, messages: [one, ...rest] });
      world.apply({ type: 'deliver', from: one.from, to: at, message: one.text, port: one.port });
      // Not those to an auxiliary process.
      if (at < this.setup.nodes) this.counts.lostWithCrash++;
    }
  }

  private noteLoss(): void {
    this.counts.lostWithReset++;
    if (!this.setup.algorithm.assumes.faults?.includes('loss')) this.broken.lostMessages++;
  }
}

function violationAt({ file, line }: RecordedEvent, property: string, text: string): RecordedViolation {
  return { property, text, file, line };
}
