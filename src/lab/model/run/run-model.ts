/**
 * A run that can be watched, stepped back and changed: a recorded run, the branches that the reader made, and a cursor.
 *
 *     const model = RunModel.of(changRoberts, { ids: [3, 1, 2], schedule: 'random', seed: 4 });
 *     model.seek(5);                                  // after the first five steps
 *     const { nodes, messages } = model.snapshot();
 *     const [first, ...others] = model.enabled();     // what can happen next; `isScheduled` marks the schedule's choice
 *     model.take(others[0].step);                     // another choice: a branch of its own, the recorded run is kept
 *     model.crash(2);                                 // a fault is a step like the others
 *     model.extend();                                 // lets the schedule continue from here
 *     model.undo();                                   // takes the last intervention back
 *     model.switchTo(model.branches[0].id);
 *
 * Guarantees: every step is one that the world allows; the same position of the same branch always has the same
 * configuration; the recorded run never changes. `onChange` is called after every change.
 */
import type { AnyAlgorithm } from '../../../kernel/algorithm.ts';
import { appearanceOf } from '../../../kernel/appearance.ts';
import { InputError } from '../../../kernel/errors.ts';
import type { TraceEvent } from '../../../kernel/trace.ts';
import type { InFlightMessage } from '../../../kernel/world/configuration.ts';
import { type NodeView, nodeViews } from '../../../kernel/world/node-view.ts';
import { isFaultStep, isMessageStep, type MessageStep, type Step } from '../../../kernel/world/step.ts';
import type { World } from '../../../kernel/world/world.ts';
import { type Judgement, judge } from '../../../properties/validity.ts';
import type { Plan, Run } from '../../../simulator/index.ts';
import { Branch, linkName } from './branch.ts';
import { continuationOf, isOnCutLink } from './continuation.ts';
import { type RecordedRun, type RecordOptions, recordRun } from './recorded-run.ts';
import { isSameChoice, type RunStep, runStepOf } from './run-step.ts';
import { type Axis, RunTrace } from './run-trace.ts';
import { type EffectText, effectOf, stepText } from './step-effect.ts';

/** A step that can happen next. */
export interface EnabledStep extends EffectText {
  readonly step: Step;
  /** 'token 7 reaches id 5'. */
  readonly text: string;
  readonly isScheduled: boolean;
  readonly isFault: boolean;
  /** The message that the step moves; null if it moves none. */
  readonly message: InFlightMessage | null;
}

/** A node as a page shows it. */
export interface ShownNode extends NodeView {
  readonly role: 'asleep' | 'awake' | 'candidate' | 'passive' | 'follower' | 'leader';
  readonly isDead: boolean;
  /** What the algorithm declares: phase or term, fragment, ports of the tree. */
  readonly phase: string | null;
  readonly fragment: string | null;
  readonly tree: readonly number[];
}

/** The run at the cursor. */
export interface RunSnapshot {
  readonly position: number;
  /** In units. */
  readonly time: number;
  readonly nodes: readonly ShownNode[];
  readonly messages: readonly InFlightMessage[];
  /** Links that the reader cut, as 'a-b' with the smaller position first. */
  readonly cutLinks: ReadonlySet<string>;
  /** The step that led here; null at the beginning. */
  readonly last: RunStep | null;
  /** The first violation up to here; null if none. */
  readonly violation: RunStep['violation'];
  /** Validity, leader and first fault, as if the run ended here. */
  readonly judgement: Judgement;
  /** Nothing can happen any more, except faults. */
  readonly isOver: boolean;
}

interface Place {
  readonly branch: number;
  readonly position: number;
}

/** What undo takes back: everything that one intervention added to a branch. */
interface Intervention {
  readonly before: Place;
  readonly branch: Branch;
  readonly isNewBranch: boolean;
  readonly length: number;
  readonly cuts: number;
  /** Does it again. */
  readonly redo: () => void;
}

/** A run that can be watched, stepped back and changed. */
export class RunModel {
  readonly run: Run;
  readonly world: World;
  /** What the simulator found violated in the recorded run; null if nothing. */
  readonly simulatorViolation: string | null;
  /** Why the end of the recorded run is missing; null if it is complete. */
  readonly missing: string | null;
  /** Called after every change of cursor or branches. */
  onChange: () => void = () => {};

  private readonly recorded: RecordedRun;
  private readonly all: Branch[];
  private current: Branch;
  private at = 0;
  private nextId = 1;
  private done: Intervention[] = [];
  private undone: Intervention[] = [];
  private readonly traces = new WeakMap<Branch, RunTrace>();

  /** Simulates and records a run. For long runs use RunRecorder, which can be advanced in parts. */
  static of(algorithm: AnyAlgorithm, options: RecordOptions = {}): RunModel {
    return new RunModel(recordRun(algorithm, options));
  }

  constructor(recorded: RecordedRun) {
    this.recorded = recorded;
    this.run = recorded.run;
    this.world = recorded.history.world;
    this.simulatorViolation = recorded.violation;
    this.missing = recorded.missing;
    this.current = new Branch(0, null, 0, recorded.history, recorded.steps);
    this.current.visited = recorded.steps.length;
    this.all = [this.current];
    this.current.history.seek(0);
  }

  get plan(): Plan {
    return this.run.plan;
  }

  get algorithm(): AnyAlgorithm {
    return this.plan.algorithm;
  }

  /** By position; null in an anonymous network. */
  get ids(): Int32Array | null {
    return this.plan.anonymous ? null : this.plan.ids;
  }

  /** The first is the recorded run; then in the order in which they were made. */
  get branches(): readonly Branch[] {
    return this.all;
  }

  get branch(): Branch {
    return this.current;
  }

  /** The number of steps before the cursor. */
  get position(): number {
    return this.at;
  }

  /** The number of steps of the current branch. */
  get length(): number {
    return this.current.length;
  }

  get steps(): readonly RunStep[] {
    return this.current.path;
  }

  /** The time at a position of the current branch, in units. */
  timeAt(position: number): number {
    return position === 0 ? 0 : this.steps[position - 1].time;
  }

  /** The events of the current branch on an axis, for drawings: see RunTrace. Computed once per change of the branch. */
  trace(): RunTrace {
    const { current } = this;
    const known = this.traces.get(current);
    if (known?.version === current.version) return known;
    const trace = new RunTrace(this.recorded.initial, current, this.world.machine.codec.types);
    this.traces.set(current, trace);
    return trace;
  }

  /** All events of the current branch. `trace().eventsBefore(position)` says how many are before a position. */
  events(axis: Axis = 'units'): readonly TraceEvent[] {
    return this.trace().events(axis);
  }

  /** Moves the cursor, to the nearest end if the position is outside. */
  seek(position: number): void {
    const to = Math.max(0, Math.min(this.length, Math.trunc(position) || 0));
    this.moveTo(to);
    this.onChange();
  }

  /** One step forward in the branch; false at its end. */
  forward(): boolean {
    if (this.at === this.length) return false;
    this.seek(this.at + 1);
    return true;
  }

  back(): boolean {
    if (this.at === 0) return false;
    this.seek(this.at - 1);
    return true;
  }

  /** The position of the next (1) or previous (−1) decision, crash, recovery, loss or violation; the end if there is none. */
  landmark(direction: 1 | -1): number {
    for (let k = this.at + direction; k > 0 && k <= this.length; k += direction) {
      const { events, step, violation } = this.steps[k - 1];
      if (
        violation !== null ||
        isFaultStep(step) ||
        events.some(({ type }) => type === 'decide' || type === 'lost')
      )
        return k;
    }
    return direction === 1 ? this.length : 0;
  }

  /** The end of the instant that begins at the cursor: steps of equal time are shown together. */
  instantEnd(position = this.at): number {
    let end = position + 1;
    while (end < this.length && this.steps[end].time === this.steps[position].time) end++;
    return Math.min(end, this.length);
  }

  /** The step that the schedule takes at the cursor; null if the run is over there. */
  scheduled(): Step | null {
    const next = this.steps[this.at];
    if (next?.by === 'schedule') return next.step;
    return continuationOf(this.world, this.plan.schedule.type !== 'lockstep', this.current.cutLinks(this.at));
  }

  /** What can happen next, faults last. `most` limits the number of steps whose effect is worked out. */
  enabled({ faults = false, most = 60 } = {}): EnabledStep[] {
    const { world } = this;
    const scheduled = this.scheduled();
    const cut = this.current.cutLinks(this.at);
    const steps = world.enabled().filter((step) => (faults || !isFaultStep(step)) && !isOnCutLink(step, cut));
    return steps.map((step, k) => ({
      step,
      text: stepText(world, step),
      ...(k < most ? effectOf(world, step) : { effect: '', kind: 'unknown' as const }),
      isScheduled: scheduled !== null && isSameChoice(step, scheduled),
      isFault: isFaultStep(step),
      message: isMessageStep(step) ? (world.rules.messagesOf(world.configuration, step)[0] ?? null) : null,
    }));
  }

  /**
   * Takes a step at the cursor. If it is the next step of this branch or of another that is equal up to here, that branch
   * is followed. Otherwise it is an intervention: the branch grows at its end, and forks before it.
   */
  take(chosen: Step): void {
    // Steps are compared as the world writes them. A step that is not enabled is refused when it is applied.
    const step = this.world.matching(chosen)[0] ?? chosen;
    if (this.follows(step)) return;
    this.intervene(
      () => this.append(step, 'you'),
      () => this.take(step),
    );
    this.onChange();
  }

  crash(node: number): void {
    this.take({ type: 'crash', node });
  }

  recover(node: number): void {
    this.take({ type: 'recover', node });
  }

  /** Loses a message in flight. On a FIFO link only the oldest can be lost. */
  lose(message: InFlightMessage): void {
    this.take(this.stepOn('lose', message));
  }

  duplicate(message: InFlightMessage): void {
    this.take(this.stepOn('duplicate', message));
  }

  /** True if the message can be lost, duplicated or delivered now. */
  can(type: MessageStep['type'], message: InFlightMessage): boolean {
    return this.world.rules
      .messagesOf(this.world.configuration, this.stepOn(type, message))
      .includes(message);
  }

  /** Cuts the link between two nodes: from here on, every message on it is lost. */
  cut(a: number, b: number): void {
    this.setLink(a, b, true);
  }

  /** Repairs a link that was cut. */
  repair(a: number, b: number): void {
    this.setLink(a, b, false);
  }

  /** Lets the schedule continue at the end of a branch; how many steps it added. The cursor stays. The recorded run is complete. */
  extend(most = 2000): number {
    const { at } = this;
    if (this.current.parent === null) return 0;
    this.moveTo(this.length, false);
    let added = 0;
    for (; added < most && this.steps.at(-1)?.violation?.property !== 'handler'; added++) {
      const next = this.scheduled();
      if (next === null) break;
      this.append(next, 'schedule');
    }
    this.moveTo(at, false);
    if (added > 0) this.onChange();
    return added;
  }

  switchTo(id: number, position?: number): void {
    const branch = this.all.find((each) => each.id === id);
    if (branch === undefined) throw new InputError(`there is no branch ${id}`);
    this.show(branch, position ?? Math.min(this.at, branch.length));
    this.onChange();
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  /** Takes back the last intervention, and the branch that it made. */
  undo(): boolean {
    const last = this.done.pop();
    if (last === undefined) return false;
    const { before, branch, cuts, isNewBranch, length } = last;
    if (isNewBranch) this.all.splice(this.all.indexOf(branch), 1);
    else {
      this.show(branch, length);
      branch.history.truncate();
      branch.path.length = length;
      branch.cuts.length = cuts;
      branch.visited = Math.min(branch.visited, length);
      branch.version++;
    }
    this.undone.push(last);
    this.show(this.all.find(({ id }) => id === before.branch) as Branch, before.position);
    this.onChange();
    return true;
  }

  /** Does again what undo took back. */
  redo(): boolean {
    const last = this.undone.pop();
    if (last === undefined) return false;
    const { branch, position } = last.before;
    const left = this.undone;
    this.switchTo(branch, position);
    last.redo();
    this.undone = left;
    this.onChange();
    return true;
  }

  /** The run at the cursor. */
  snapshot(): RunSnapshot {
    const { machine, configuration } = this.world;
    const { at } = this;
    const judgement = judge(machine.decisions, machine.status, this.plan.nodes, this.ids);
    return {
      position: at,
      time: this.timeAt(at),
      nodes: nodeViews(this.world).map((view) => this.shown(view)),
      messages: configuration.messages,
      cutLinks: this.current.cutLinks(at),
      last: at === 0 ? null : this.steps[at - 1],
      violation: this.trace().violationBefore(at),
      judgement,
      isOver: at === this.length && this.scheduled() === null,
    };
  }

  private shown(view: NodeView): ShownNode {
    const { passive, ...appearance } = appearanceOf(this.algorithm, view.state);
    const isStarted = (this.world.machine.status[view.position] & 1) !== 0;
    const role =
      view.decision?.role ??
      (view.status !== 'awake' ? 'asleep' : passive ? 'passive' : isStarted ? 'candidate' : 'awake');
    return { ...view, ...appearance, role, isDead: view.status === 'dead' };
  }

  private stepOn(
    type: MessageStep['type'],
    { from, port, sentTime, text, to }: InFlightMessage,
  ): MessageStep {
    return { type, from, to, port, age: this.world.configuration.clock - sentTime, message: text };
  }

  private setLink(a: number, b: number, isCut: boolean): void {
    const { at } = this;
    if (this.current.cutLinks(at).has(linkName(a, b)) === isCut) return;
    this.intervene(
      () => {
        this.current.cuts.push({ at: this.at, a, b, isCut });
        this.current.version++;
      },
      () => this.setLink(a, b, isCut),
    );
    this.onChange();
  }

  /** True if a branch already has this step at the cursor: the cursor moves along it. */
  private follows(step: Step): boolean {
    const { at, current } = this;
    const isNext = (branch: Branch): boolean =>
      branch.length > at && branch.sharesPrefix(current, at) && isSameChoice(branch.path[at].step, step);
    const hasDraws = step.draws !== undefined;
    const branch = hasDraws ? undefined : [current, ...this.all].find(isNext);
    if (branch === undefined) return false;
    this.show(branch, at + 1);
    this.onChange();
    return true;
  }

  private intervene(act: () => void, redo: () => void): void {
    const { at } = this;
    const origin = this.current;
    const before = { branch: origin.id, position: at };
    const isFork = at < origin.length && (origin.parent === null || origin.visited > at);
    if (isFork || origin.parent === null) this.fork();
    const branch = this.current;
    const isNewBranch = branch !== origin;
    const { length: cuts } = branch.cuts;
    if (at < branch.length) {
      // What the schedule would have done was never shown.
      branch.history.truncate();
      branch.path.length = at;
      branch.version++;
    }
    try {
      act();
    } catch (error) {
      if (isNewBranch) {
        this.all.splice(this.all.indexOf(branch), 1);
        this.show(origin, at);
      }
      throw error;
    }
    this.done.push({ before, branch, isNewBranch, length: at, cuts, redo });
    this.undone = [];
  }

  private fork(): void {
    const { at, current } = this;
    const history = current.history.fork();
    const branch = new Branch(this.nextId++, current, at, history, current.path.slice(0, at));
    this.all.push(branch);
    this.current = branch;
  }

  /** Takes a step at the end of the branch, where the cursor is. */
  private append(step: Step, by: RunStep['by']): void {
    const { current, world } = this;
    const sentAt = this.sentTimeOf(step);
    const outcome = current.history.take(step);
    const time = this.timeAfter(sentAt);
    current.path.push(runStepOf(world, outcome, this.recorded.states, { by, time }));
    current.version++;
    this.at = current.length;
    if (by === 'you') current.visited = this.at;
  }

  /** When the message of a step was sent, in units; null if it has none. */
  private sentTimeOf(step: Step): number | null {
    if (!isMessageStep(step)) return null;
    const [message] = this.world.rules.messagesOf(this.world.configuration, step);
    if (message === undefined) return null;
    return this.current.timeOfStep(message.sentStep);
  }

  /** Where the world has a clock, its time. Otherwise a message takes at least one unit, or its share of one. */
  private timeAfter(sentAt: number | null): number {
    const { configuration, rules } = this.world;
    const last = this.timeAt(this.length);
    if (rules.timing !== 'asynchronous') return Math.max(last, configuration.clock);
    if (sentAt === null) return last;
    if (this.plan.schedule.type === 'lockstep') return Math.max(last, sentAt + 1);
    return last + 1 / (1 + configuration.messages.length);
  }

  private show(branch: Branch, position: number): void {
    if (this.current !== branch) {
      this.current = branch;
      branch.history.resume();
    }
    this.moveTo(position);
  }

  private moveTo(position: number, isShown = true): void {
    this.current.history.seek(position);
    this.at = position;
    if (isShown) this.current.visited = Math.max(this.current.visited, position);
  }
}
