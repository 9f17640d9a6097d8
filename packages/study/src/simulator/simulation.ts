/**
 * The event loop of a simulation: handles events in order of time until none is pending.
 *
 * Guarantees: events of the same time are handled in the order crashes, recoveries, starts, messages, notices, timers. A
 * handler runs to completion, and its messages enter the schedule afterwards. Counts are exact; times are whole ticks.
 * Does not check the outcome, and does not stop at a violation: `simulate` does both.
 */
import type { Breach, Witness } from '../kernel/decisions.ts';
import { NONE } from '../kernel/field.ts';
import { Machine } from '../kernel/machine/machine.ts';
import { receiverOf } from '../kernel/machine/message-buffer.ts';
import { AWAKE, DEAD } from '../kernel/machine/status.ts';
import { Random } from '../kernel/random.ts';
import type { ViolatedInvariant } from '../properties/invariants.ts';
import type { Delivery, DeliveryProgress } from './delivery.ts';
import { DirectDelivery } from './direct-delivery.ts';
import { FaultModel, isFaultless } from './faults/faults.ts';
import { LinkFaults } from './faults/link-faults.ts';
import { Notices } from './faults/notices.ts';
import { PlannedEvents } from './faults/planned-events.ts';
import { InvariantCheck } from './invariant-check.ts';
import { LockstepLoop } from './lockstep-loop.ts';
import { Observation } from './observation.ts';
import { mayStartAgain } from './plan/initiators.ts';
import { isRingOverlay, type Plan } from './plan/plan.ts';
import { ScheduledDelivery } from './scheduled-delivery.ts';
import { createSchedule } from './schedules/create-schedule.ts';
import { Lockstep } from './schedules/lockstep.ts';
import { NO_SCHEDULE, type Schedule, TICKS } from './schedules/schedule.ts';
import type { Tally } from './tally.ts';
import { TimerTable } from './timers.ts';
import { currentEvent, Tracer } from './tracer.ts';

/** The event loop of a run. */
export class Simulation implements Witness, DeliveryProgress {
  readonly machine: Machine;
  /** Ticks since the start; −1 before it. */
  now = -1;
  /** Events so far. */
  steps = 0;
  readonly tally: Tally;
  /** The run stopped at `until` with pending events. */
  cut = false;
  /** The first violation of a property that must hold at all times, and the event that caused it. */
  breach: { readonly property: string; readonly text: string; readonly event: string } | null = null;

  readonly observation: Observation;
  /** The fast loop, if deliveries are the only events; otherwise null, and the schedule is used. */
  private readonly fastLoop: LockstepLoop | null;
  private readonly schedule: Schedule;
  private readonly delivery: Delivery;
  private readonly plannedEvents: PlannedEvents;
  private readonly timers: TimerTable;
  private readonly timerNames: readonly string[];
  private readonly notices: Notices | null;
  private readonly linkFaults: LinkFaults;
  private readonly tracer: Tracer | null;
  private readonly invariants: InvariantCheck | null;
  /** The longest chain of messages that reached each node. Empty in the fast loop, where it equals the time. */
  private readonly depths: Int32Array;
  /** The nodes that started, with the tick of their first start; null if all initiators start at once. */
  private readonly started: Map<number, number> | null;
  /** The status bits that prevent a start. */
  private readonly preventsStart: number;
  /** When the next crash, recovery or start is planned; Infinity if none is left. */
  private plannedTime = 0;
  /** Deliveries are the only events left. */
  private onlyDeliveries = false;

  /** The current event, for errors. */
  event = 'start';
  private eventTimer = 0;

  constructor(readonly plan: Plan) {
    const { algorithm, topology, ids, params, nodes, diameter } = plan;
    const n = topology.n;
    const status = new Uint8Array(n);
    const canStart = new Uint8Array(algorithm.startOnMessage === true ? n : 0);
    if (canStart.length > 0) for (const at of plan.initiators) canStart[at] = 1;
    this.machine = new Machine(algorithm, { n: nodes, ids, topology, params, diameter, status, canStart });
    const { codec, context } = this.machine;
    this.observation = new Observation(plan);
    context.draw = this.observation.drawsOf(new Random(plan.seed, 'draws'));
    const faulty = !isFaultless(plan.faults);
    this.started = plan.wakeTimes === null && !faulty ? null : new Map();
    const again = mayStartAgain(algorithm) && algorithm.startOnMessage === undefined;
    this.preventsStart = again ? DEAD : AWAKE | DEAD;
    const hasLists = codec.layout.lists.length > 0;
    const byType = new Float64Array(codec.types.length);
    const announcers = isRingOverlay(plan) ? new Uint8Array(n) : null;
    const { firstAnnouncement } = codec;
    this.tally = { byType, firstAnnouncement, announcer: NONE, announcementReturnedAt: NONE, announcers };
    this.timerNames = algorithm.timers ?? [];
    this.tracer = plan.observe === null ? null : new Tracer(plan.observe, this.machine, plan.states);
    const hasNotices = faulty && algorithm.onUndelivered !== undefined;
    this.notices = hasNotices ? new Notices(Math.round(plan.timeout * TICKS)) : null;
    const links = faulty ? new FaultModel(plan.faults, n, new Random(plan.seed, 'faults')) : null;
    this.linkFaults = new LinkFaults(this.machine, links, this.notices, this.tracer);
    const needsLinkFaults = this.tracer !== null || faulty || hasLists;
    this.invariants = InvariantCheck.of(this.machine, plan.invariants);
    // Not a closure: one closure per run would keep the whole run alive until later garbage collections.
    this.machine.decisions.witness = this;
    const plain = !needsLinkFaults && this.timerNames.length === 0 && plan.wakeTimes === null;
    this.fastLoop =
      plain && this.invariants === null && plan.schedule.type === 'lockstep'
        ? new LockstepLoop(this.machine, this.tally, plan.initiators.length)
        : null;
    // A schedule takes memory per node, and the fast loop does not use it.
    const keepsSent = this.tracer !== null || hasNotices;
    this.schedule = this.fastLoop === null ? createSchedule(plan, codec.width, keepsSent) : NO_SCHEDULE;
    this.plannedEvents = new PlannedEvents(plan);
    this.timers = new TimerTable(n, this.timerNames.length);
    this.depths = new Int32Array(this.fastLoop === null ? n : 0);
    const isPlain = this.tracer === null && !hasLists && links?.isLossy !== true && this.invariants === null;
    const { depths, linkFaults, machine, schedule, tally, timers } = this;
    this.delivery =
      isPlain && schedule instanceof Lockstep
        ? new DirectDelivery(this, machine, schedule, timers, tally, depths, faulty ? linkFaults : null)
        : new ScheduledDelivery(
            this,
            machine,
            schedule,
            timers,
            tally,
            depths,
            needsLinkFaults ? linkFaults : null,
          );
    const violated = this.invariants?.initially(this.schedule) ?? null;
    if (violated !== null) this.breach = { ...violated, event: 'the start of the run' };
  }

  /** Runs about `budget` events; true if the run has ended. */
  advance(budget: number): boolean {
    if (this.cut) return true;
    if (this.fastLoop !== null) return this.advanceRounds(this.fastLoop, budget);
    return this.advanceEvents(this.steps + budget);
  }

  /** Continues a run that was cut at its horizon, if it may be extended. */
  observeLonger(): boolean {
    if (!this.cut || !this.observation.extend()) return false;
    this.cut = false;
    return true;
  }

  /** The number of messages sent so far, by type. */
  sentByType(): Float64Array {
    return this.fastLoop?.sent() ?? this.tally.byType;
  }

  /** The longest chain of messages so far. */
  causalTime(): number {
    if (this.fastLoop !== null) return Math.max(0, this.now) / TICKS;
    let longest = 0;
    for (let at = 0; at < this.depths.length; at++) if (this.depths[at] > longest) longest = this.depths[at];
    return longest;
  }

  /** Describes the current event. */
  describeEvent(): string {
    const timer = this.event === 'timer' ? this.timerNames[this.eventTimer] : null;
    return currentEvent(this.machine, this.event, timer);
  }

  private advanceEvents(last: number): boolean {
    const { delivery, schedule } = this;
    this.tracer?.open();
    for (;;) {
      if (!delivery.deliver(last)) return false;
      if (!this.onlyDeliveries) this.runTimers();
      if (this.steps >= last) return false;
      if (this.invariants !== null) this.noteViolation(this.invariants.afterInstant(this.schedule));
      const next = this.onlyDeliveries ? schedule.nextTime() : this.nextTime();
      if (next === Number.POSITIVE_INFINITY) return true;
      if (next > this.observation.until) {
        this.cut = true;
        return true;
      }
      this.advanceTo(next);
      if (this.plannedTime === next) this.runPlannedEvents();
    }
  }

  private advanceRounds(rounds: LockstepLoop, budget: number): boolean {
    this.event = this.now < 0 ? 'start' : 'message';
    if (this.now < 0) {
      this.machine.startAll(this.plan.initiators);
      this.steps += this.plan.initiators.length;
      this.now = 0;
      return false;
    }
    this.steps += rounds.deliver(Math.floor(this.observation.until / TICKS), budget);
    this.now = this.machine.context.clock * TICKS;
    this.cut = rounds.pending && !rounds.isInRound && this.now + TICKS > this.observation.until;
    return this.cut || !rounds.pending;
  }

  advanceTo(time: number): void {
    this.now = time;
    this.machine.context.clock = time / TICKS;
    this.delivery.begin(time);
  }

  isNext(time: number): boolean {
    if (time >= this.plannedTime || time >= this.timers.bound || time > this.observation.until) return false;
    return this.notices === null || time < this.notices.nextTime();
  }

  private nextTime(): number {
    let next = Math.min(this.schedule.nextTime(), this.plannedTime);
    if (this.notices !== null) next = Math.min(next, this.notices.nextTime());
    return Math.min(next, this.timers.nextTime(next));
  }

  private runPlannedEvents(): void {
    const { crashes, recoveries, starts } = this.plannedEvents;
    const { status } = this.machine;
    for (let at = crashes.take(this.now); at >= 0; at = crashes.take(this.now)) {
      if ((status[at] & DEAD) === 0) this.crash(at);
    }
    for (let at = recoveries.take(this.now); at >= 0; at = recoveries.take(this.now)) {
      if ((status[at] & DEAD) !== 0) this.recover(at);
    }
    const atZero = this.plannedEvents.startingAtZero();
    for (let k = 0; k < atZero.length; k++) this.start(atZero[k]);
    for (let at = starts.take(this.now); at >= 0; at = starts.take(this.now)) this.start(at);
    this.plannedTime = this.plannedEvents.nextTime();
    this.onlyDeliveries =
      this.plannedTime === Number.POSITIVE_INFINITY && this.timerNames.length === 0 && this.notices === null;
  }

  /** Handles notices and timers, which come after the messages of the same time. */
  private runTimers(): void {
    if (this.notices !== null) this.deliverNotices(this.notices);
    const nodes = this.machine.status.length;
    for (let place = this.timers.take(this.now); place >= 0; place = this.timers.take(this.now)) {
      const at = place % nodes;
      this.begin('timer');
      this.eventTimer = Math.floor(place / nodes);
      this.tracer?.timer(this.now, at, this.timerNames[this.eventTimer]);
      this.machine.fireTimer(at, this.eventTimer);
      this.applyEffects(at);
    }
  }

  /** The bits of all lists that were sent. */
  get itemBits(): number {
    return this.linkFaults.itemBits;
  }

  /** The positions that have started by themselves. */
  initiated(): Int32Array {
    if (this.started === null) return this.plan.initiators;
    return Int32Array.from(this.started.keys()).sort();
  }

  /** The first start of each of them, in units; null if all started at 0. */
  wakeTimes(): Float64Array | null {
    const { started } = this;
    if (started === null) return null;
    const times = Float64Array.from(this.initiated(), (at) => (started.get(at) ?? 0) / TICKS);
    return times.some((time) => time > 0) ? times : null;
  }

  noteStart(at: number): void {
    if (this.started?.has(at) === false) this.started.set(at, this.now);
  }

  /** A node that is awake cannot initiate again, unless the trigger is a crash of the coordinator. */
  private start(at: number): void {
    if ((this.machine.status[at] & this.preventsStart) !== 0) return;
    this.begin('start');
    this.noteStart(at);
    this.tracer?.node('start', this.now, at);
    this.machine.start(at);
    this.applyEffects(at);
  }

  private crash(at: number): void {
    this.event = 'crash';
    this.machine.context.at = at;
    this.machine.crash(at);
    this.timers.clearAll(at);
    this.tracer?.node('crash', this.now, at);
    this.tracer?.state(this.now, at);
    if (this.invariants !== null) this.noteViolation(this.invariants.afterEvent(at, this.schedule));
  }

  private recover(at: number): void {
    this.begin('recovery');
    this.tracer?.node('recover', this.now, at);
    this.machine.restart(at);
    this.applyEffects(at);
  }

  private begin(event: string): void {
    this.steps++;
    this.event = event;
  }

  applyEffects(at: number): void {
    this.tracer?.state(this.now, at);
    this.delivery.applyEffects(at);
    this.tracer?.decisions(this.now, at);
    if (this.invariants !== null) this.noteViolation(this.invariants.afterEvent(at, this.schedule));
  }

  private noteViolation(violated: ViolatedInvariant | null): void {
    if (violated !== null) this.note(violated.property, violated.text);
  }

  onBreach({ property, at, text }: Breach): void {
    this.note(property, `node ${at} ${text}`);
  }

  private note(property: string, text: string): void {
    this.breach ??= { property, text, event: this.describeEvent() };
  }

  private deliverNotices(notices: Notices): void {
    for (let notice = notices.take(this.now); notice !== null; notice = notices.take(this.now)) {
      const { at, port, sent, words } = notice;
      if ((this.machine.status[at] & DEAD) === 0) {
        this.begin('notice');
        const to = receiverOf(words, 0);
        this.tracer?.arrival('undelivered', this.now, at, to, port, sent, words, 0);
        this.machine.undelivered(at, port, words, 0);
        this.applyEffects(at);
      }
      this.machine.codec.releaseLists(words, 0, this.machine.lists);
    }
  }
}
