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
 *
 * Guarantees: every step is one that the world allows; the same position of the same branch always has the same
 * configuration; the recorded run never changes. `onChange` is called after every change.
 */

import type { InFlightMessage, MessageStep, Step, World } from '@hustings/study/driver';
import { type AnyAlgorithm, InputError, type TraceEvent } from '@hustings/study/kernel';
import type { Plan, Run } from '@hustings/study/simulator';
import { type Branch, linkName } from './branch.ts';
import { BranchCursor } from './branch-cursor.ts';
import { continuationOf } from './continuation.ts';
import { type EnabledStep, enabledSteps } from './enabled-steps.ts';
import { type RecordedRun, type RecordOptions, recordRun } from './recorded-run.ts';
import { judgementOf, LastSnapshot, type RunSnapshot, shownNodes } from './run-snapshot.ts';
import { isKeyMoment, isSameChoice, type RunStep } from './run-step.ts';
import type { Axis, RunTrace } from './run-trace.ts';
import { refusalText } from './step-effect.ts';

/** What undo takes back: everything that one intervention added to a branch. */
interface Intervention {
  readonly before: { readonly branch: number; readonly position: number };
  readonly branch: Branch;
  readonly isNewBranch: boolean;
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
  onChange: () => void = () => {};

  private readonly cursor: BranchCursor;
  private done: Intervention[] = [];
  private undone: Intervention[] = [];
  private readonly shown = new LastSnapshot();

  /** Simulates and records a run. For long runs use RunRecorder, which can be advanced in parts. */
  static of(algorithm: AnyAlgorithm, options: RecordOptions = {}): RunModel {
    return new RunModel(recordRun(algorithm, options));
  }

  constructor(recorded: RecordedRun) {
    this.run = recorded.run;
    this.world = recorded.history.world;
    this.simulatorViolation = recorded.violation;
    this.missing = recorded.missing;
    this.cursor = new BranchCursor(recorded);
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
    return this.cursor.branches;
  }

  get branch(): Branch {
    return this.cursor.branch;
  }

  /** The number of steps before the cursor. */
  get position(): number {
    return this.cursor.position;
  }

  /** The number of steps of the current branch. */
  get length(): number {
    return this.branch.length;
  }

  get steps(): readonly RunStep[] {
    return this.branch.path;
  }

  /** The time at a position of the current branch, in units. */
  timeAt(position: number): number {
    return position === 0 ? 0 : this.steps[position - 1].time;
  }

  /** The events of the current branch, for drawings and counters. */
  trace(): RunTrace {
    return this.cursor.trace();
  }

  /** All events of the current branch. `trace().eventsBefore(position)` says how many are before a position. */
  events(axis: Axis = 'units'): readonly TraceEvent[] {
    return this.trace().events(axis);
  }

  /** Moves the cursor, to the nearest end if the position is outside. */
  seek(position: number): void {
    this.cursor.moveTo(Math.max(0, Math.min(this.length, Math.trunc(position) || 0)));
    this.onChange();
  }

  /** One step forward in the branch; false at its end. */
  forward(): boolean {
    if (this.cursor.atEnd) return false;
    this.seek(this.position + 1);
    return true;
  }

  /** One step back; false at the beginning. */
  back(): boolean {
    if (this.position === 0) return false;
    this.seek(this.position - 1);
    return true;
  }

  /** The position of the next (1) or previous (−1) decision, fault or violation; the end if there is none. */
  keyMoment(direction: 1 | -1): number {
    for (let k = this.position + direction; k > 0 && k <= this.length; k += direction) {
      if (isKeyMoment(this.steps[k - 1])) return k;
    }
    return direction === 1 ? this.length : 0;
  }

  /** The end of the instant that begins at a position: steps of equal time are shown together. */
  instantEnd(position = this.position): number {
    let end = position + 1;
    while (end < this.length && this.steps[end].time === this.steps[position].time) end++;
    return Math.min(end, this.length);
  }

  /** The step that the schedule takes at the cursor; null if the run is over there. */
  scheduled(): Step | null {
    const next = this.steps[this.position];
    if (next?.by === 'schedule') return next.step;
    const isRandom = this.plan.schedule.type !== 'lockstep';
    return continuationOf(this.world, isRandom, this.branch.cutLinks(this.position));
  }

  /** What can happen next, faults last. `most` limits the number of steps whose effect is worked out. */
  enabled({ faults = false, most = 16 } = {}): EnabledStep[] {
    return enabledSteps(this.world, this.scheduled(), this.branch.cutLinks(this.position), faults, most);
  }

  /**
   * Takes a step at the cursor. If it is the next step of this branch or of another that is equal up to here, that branch
   * is followed. Otherwise it is an intervention: the branch grows at its end, and forks before it.
   */
  take(chosen: Step): void {
    // Steps are compared as the world writes them.
    const [step] = this.world.matching(chosen);
    if (step === undefined) throw new InputError(refusalText(this.world, chosen));
    if (this.follows(step)) return;
    this.intervene(
      () => this.cursor.append(step, 'you'),
      () => this.take(step),
    );
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

  /** Duplicates a message in flight. */
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
    const { cursor } = this;
    const { position } = cursor;
    if (this.branch.parent === null) return 0;
    cursor.moveTo(this.length, false);
    let added = 0;
    for (; added < most && this.steps.at(-1)?.violation?.property !== 'handler'; added++) {
      const next = this.scheduled();
      if (next === null) break;
      cursor.append(next, 'schedule');
    }
    cursor.moveTo(position, false);
    if (added > 0) this.onChange();
    return added;
  }

  /** Shows another branch, at the same position if it is long enough. */
  switchTo(id: number, position = this.position): void {
    const branch = this.cursor.find(id);
    this.cursor.show(branch, Math.max(0, Math.min(position, branch.length)));
    this.onChange();
  }

  /** What can be undone and redone now. */
  get revisable(): { readonly undo: boolean; readonly redo: boolean } {
    return { undo: this.done.length > 0, redo: this.undone.length > 0 };
  }

  /** Takes back the last intervention, and the branch that it made. */
  undo(): boolean {
    const last = this.done.pop();
    if (last === undefined) return false;
    const { before, branch, cuts, isNewBranch } = last;
    if (isNewBranch) this.cursor.remove(branch);
    else {
      this.cursor.show(branch, before.position);
      this.cursor.truncate();
      branch.cuts.length = cuts;
      branch.version++;
    }
    this.undone.push(last);
    this.switchTo(before.branch, before.position);
    return true;
  }

  /** Does again what undo took back. */
  redo(): boolean {
    const last = this.undone.pop();
    if (last === undefined) return false;
    const left = this.undone;
    this.switchTo(last.before.branch, last.before.position);
    this.cursor.freeId = last.isNewBranch ? last.branch.id : null;
    last.redo();
    this.cursor.freeId = null;
    this.undone = left;
    return true;
  }

  /** The run at the cursor. */
  snapshot(): RunSnapshot {
    const { branch, position, world } = this;
    return this.shown.at(branch, position, () => ({
      position,
      time: this.timeAt(position),
      nodes: shownNodes(world),
      messages: world.configuration.messages,
      cutLinks: branch.cutLinks(position),
      last: this.steps[position - 1] ?? null,
      violation: this.trace().violationBefore(position),
      judgement: judgementOf(world),
      isOver: this.cursor.atEnd && this.scheduled() === null,
    }));
  }

  private stepOn(
    type: MessageStep['type'],
    { from, port, sentTime, text, to }: InFlightMessage,
  ): MessageStep {
    return { type, from, to, port, age: this.world.configuration.clock - sentTime, message: text };
  }

  private setLink(a: number, b: number, isCut: boolean): void {
    if (this.branch.cutLinks(this.position).has(linkName(a, b)) === isCut) return;
    this.intervene(
      () => {
        this.branch.cuts.push({ at: this.position, a, b, isCut });
        this.branch.version++;
      },
      () => this.setLink(a, b, isCut),
    );
  }

  /** True if a branch already has this step at the cursor: the cursor moves along it. */
  private follows(step: Step): boolean {
    const { branch, branches, position } = this;
    const isNext = (each: Branch): boolean =>
      each.length > position &&
      each.sharesPrefix(branch, position) &&
      isSameChoice(each.path[position].step, step);
    const next = step.draws === undefined ? [branch, ...branches].find(isNext) : undefined;
    if (next === undefined) return false;
    this.cursor.show(next, position + 1);
    this.onChange();
    return true;
  }

  private intervene(act: () => void, redo: () => void): void {
    const { branch: origin, cursor, position } = this;
    // What the schedule would do after a choice of the reader is replaced, unless it was shown.
    if (origin.parent === null || (position < origin.length && origin.visited > position)) cursor.fork();
    const { branch } = cursor;
    const isNewBranch = branch !== origin;
    const cuts = branch.cuts.length;
    cursor.truncate();
    try {
      act();
    } catch (error) {
      if (isNewBranch) {
        cursor.remove(branch);
        cursor.show(origin, position);
      }
      throw error;
    }
    this.done.push({ before: { branch: origin.id, position }, branch, isNewBranch, cuts, redo });
    this.undone = [];
    this.onChange();
  }
}
