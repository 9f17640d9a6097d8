/**
 * A run that can be stepped forwards and backwards: its steps with their draws, and checkpoints, which are configurations at
 * regular distances. Going back loads the nearest earlier checkpoint, and replays the steps from there.
 *
 * There are at most MAX_CHECKPOINTS, unless every configuration was given: beyond that every other one is dropped. All configurations of the stretch that was
 * replayed last are kept, so stepping backwards replays each stretch once.
 */
import { InputError } from '../errors.ts';
import type { Configuration } from './configuration.ts';
import type { Step, StepOutcome } from './step.ts';
import type { World } from './world.ts';

const MAX_CHECKPOINTS = 1024;

/** A run that can be stepped forwards and backwards. */
export class History {
  private readonly taken: Step[] = [];
  private readonly checkpoints: Configuration[];
  /** Steps between two checkpoints. */
  private spacing = 16;
  private most = MAX_CHECKPOINTS;
  private at = 0;
  /** The configurations before each of the steps from `first` on. */
  private stretch: { readonly first: number; readonly configurations: readonly Configuration[] } | null =
    null;

  /** The run begins where the world is. */
  constructor(
    readonly world: World,
    first: Configuration = world.save(),
  ) {
    this.checkpoints = [first];
  }

  /**
   * A run that was taken elsewhere, with its configuration before each step and at its end. The cursor is at the end. No
   * step is taken again, so what happened to the configuration between two steps is kept.
   */
  static of(world: World, steps: readonly Step[], configurations: readonly Configuration[]): History {
    const history = new History(world, configurations[0]);
    for (const step of steps) history.taken.push(step);
    for (const configuration of configurations.slice(1)) history.checkpoints.push(configuration);
    history.spacing = 1;
    history.most = Number.POSITIVE_INFINITY;
    history.at = steps.length;
    return history;
  }

  /** The number of steps before the cursor. */
  get position(): number {
    return this.at;
  }

  get steps(): readonly Step[] {
    return this.taken;
  }

  /** Takes a step at the cursor. If it differs from the recorded one, the later steps are dropped. */
  take(step: Step): StepOutcome {
    const outcome = this.world.apply(step);
    this.truncate();
    // It may end at this step.
    this.stretch = null;
    this.taken.push(outcome.step);
    this.at++;
    if (this.at % this.spacing === 0) this.keep();
    return outcome;
  }

  /** Another run in the same world that shares the steps before the cursor. Call `resume` before using it. */
  fork(): History {
    const copy = new History(this.world, this.checkpoints[0]);
    for (let k = 0; k < this.at; k++) copy.taken.push(this.taken[k]);
    copy.spacing = this.spacing;
    copy.most = this.most;
    copy.checkpoints.push(...this.checkpoints.slice(1, Math.floor(this.at / this.spacing) + 1));
    copy.at = this.at;
    return copy;
  }

  /** Loads the configuration at the cursor, after the world was used otherwise. */
  resume(): void {
    this.load(this.at);
  }

  /** Drops the steps after the cursor. */
  truncate(): void {
    if (this.at === this.taken.length) return;
    this.taken.length = this.at;
    this.checkpoints.length = Math.floor(this.at / this.spacing) + 1;
    this.stretch = null;
  }

  /** Replays the next step; null at the end of the run. */
  forward(): StepOutcome | null {
    if (this.at === this.taken.length) return null;
    return this.world.apply(this.taken[this.at++]);
  }

  /** Goes back one step; false at the beginning. */
  back(): boolean {
    if (this.at === 0) return false;
    this.seek(this.at - 1);
    return true;
  }

  /** Moves the cursor to a number of steps. */
  seek(position: number): void {
    if (!Number.isInteger(position) || position < 0 || position > this.taken.length) {
      throw new InputError(`the position must be from 0 to ${this.taken.length}, not ${position}`);
    }
    const isNear = position >= this.at && position - this.at < this.spacing;
    if (!isNear) this.load(position);
    while (this.at < position) this.forward();
  }

  /** Loads the configuration at a position. */
  private load(position: number): void {
    const place = Math.floor(position / this.spacing);
    const first = place * this.spacing;
    this.at = position;
    if (this.spacing === 1) {
      this.world.load(this.checkpoints[position]);
      return;
    }
    if (this.stretch?.first !== first) {
      this.world.load(this.checkpoints[place]);
      const configurations = [this.world.save()];
      const end = Math.min(first + this.spacing, this.taken.length);
      for (let k = first; k < end; k++) {
        this.world.apply(this.taken[k]);
        configurations.push(this.world.save());
      }
      this.stretch = { first, configurations };
    }
    this.world.load(this.stretch.configurations[position - first]);
  }

  private keep(): void {
    this.checkpoints.push(this.world.save());
    if (this.checkpoints.length <= this.most) return;
    this.spacing *= 2;
    this.stretch = null;
    const kept = this.checkpoints.filter((_, k) => k % 2 === 0);
    this.checkpoints.splice(0, Number.POSITIVE_INFINITY, ...kept);
  }
}
