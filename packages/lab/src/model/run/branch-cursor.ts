/** The branches of a run, and the cursor in one of them. Takes steps, forks and drops; decides nothing. */

import { isMessageStep, type Machine, type Step, type World } from '@hustings/study/driver';
import { bitsFor } from '@hustings/study/internal/kernel/field';
import { InputError, type TracedMessage } from '@hustings/study/kernel';
import { Branch } from './branch.ts';
import type { RecordedRun } from './recorded-run.ts';
import { watchRules } from './rule-log.ts';
import { isSameChoice, type RunStep, runStepOf } from './run-step.ts';
import { RunTrace } from './run-trace.ts';

/** The branches of a run, and the cursor in one of them. */
export class BranchCursor {
  readonly world: World;
  readonly branches: Branch[];
  branch: Branch;
  /** The number of steps before the cursor. */
  position = 0;
  /** The id of the next fork, if it repeats one that was undone. */
  freeId: number | null = null;
  private nextId = 1;
  private readonly traces = new WeakMap<Branch, RunTrace>();

  constructor(private readonly recorded: RecordedRun) {
    const { history, steps } = recorded;
    this.world = history.world;
    this.branch = new Branch(0, null, 0, history, steps);
    this.branch.visited = steps.length;
    this.branches = [this.branch];
    history.seek(0);
  }

  get atEnd(): boolean {
    return this.position === this.branch.length;
  }

  /** The events of the current branch. Computed once per change of the branch. */
  trace(): RunTrace {
    const { branch } = this;
    const known = this.traces.get(branch);
    if (known?.version === branch.version) return known;
    const { machine } = this.world;
    const trace = new RunTrace(this.recorded.initial, branch, machine.codec.types, messageBits(machine));
    this.traces.set(branch, trace);
    return trace;
  }

  find(id: number): Branch {
    const branch = this.branches.find((each) => each.id === id);
    if (branch === undefined) throw new InputError(`there is no branch ${id}`);
    return branch;
  }

  show(branch: Branch, position: number): void {
    if (this.branch !== branch) {
      this.branch = branch;
      branch.history.resume();
    }
    this.moveTo(position);
  }

  moveTo(position: number, isShown = true): void {
    this.branch.history.seek(position);
    this.position = position;
    if (isShown) this.branch.visited = Math.max(this.branch.visited, position);
  }

  /** A new branch that is equal up to the cursor. */
  fork(): void {
    const { branch, position } = this;
    const id = this.freeId ?? this.nextId++;
    const copy = new Branch(id, branch, position, branch.history.fork(), branch.path.slice(0, position));
    this.branches.push(copy);
    this.branch = copy;
  }

  remove(branch: Branch): void {
    this.branches.splice(this.branches.indexOf(branch), 1);
  }

  /** Drops the steps of the current branch after the cursor. */
  truncate(): void {
    const { branch, position } = this;
    if (this.atEnd) return;
    branch.history.truncate();
    branch.path.length = position;
    branch.visited = Math.min(branch.visited, position);
    branch.version++;
  }

  /** Takes a step at the end of the current branch, where the cursor is. */
  append(step: Step, by: RunStep['by']): void {
    const { branch, world } = this;
    const choice = by === 'you' ? world.enabled().findIndex((each) => isSameChoice(each, step)) : null;
    const sentAt = this.sentTimeOf(step);
    const { result: outcome, rules } = watchRules(() => branch.history.take(step));
    const time = this.timeAfter(sentAt);
    const draws = by === 'you' ? (step.draws ?? null) : null;
    branch.path.push(runStepOf(world, outcome, this.recorded.states, { by, time, choice, draws, rules }));
    branch.version++;
    this.position = branch.length;
    if (by === 'you') branch.visited = this.position;
  }

  /** When the message of a step was sent, in units; null if it has none. */
  private sentTimeOf(step: Step): number | null {
    if (!isMessageStep(step)) return null;
    const message = this.world.rules.messageOf(this.world.configuration, step);
    return message === undefined ? null : this.branch.timeOfStep(message.sentStep);
  }

  /** Where the world has a clock, its time. Otherwise a message takes at least one unit, or its share of one. */
  private timeAfter(sentAt: number | null): number {
    const { configuration, rules } = this.world;
    const last = this.branch.path.at(-1)?.time ?? 0;
    if (rules.timing !== 'asynchronous') return Math.max(last, configuration.clock);
    if (sentAt === null) return last;
    if (this.recorded.run.plan.schedule.type === 'lockstep') return Math.max(last, sentAt + 1);
    return last + 1 / (1 + configuration.messages.length);
  }
}

/** The bits of a message, as the simulator counts them: its type, its fields as declared, and the items of its lists. */
function messageBits({
  codec,
  messageLimits,
  scale,
}: Pick<Machine, 'codec' | 'messageLimits' | 'scale'>): (message: TracedMessage) => number {
  const { arity, firstPlace, places, types } = codec;
  const fixed = codec.bits(scale);
  return (message) => {
    const type = types.indexOf(message.type);
    let sum = fixed[type];
    for (let place = firstPlace[type]; place < firstPlace[type] + arity[type]; place++) {
      const value = message[places.names[place]];
      if (Array.isArray(value)) sum += value.length * bitsFor(messageLimits[places.width + place]);
    }
    return sum;
  };
}
