/**
 * A run model as signals, for everything on a page that shows one run: drawings, transport, inspector.
 *
 *     const store = new RunStore(model);
 *     store.snapshot.value        // the run at the cursor; changes at step boundaries
 *     store.selection.value = { type: 'node', node: 3 };
 *     store.change((model) => model.crash(3));
 *     store.dispose();
 */

import { capitalized } from '@hustings/base';
import type { InFlightMessage } from '@hustings/study/driver';
import { InputError } from '@hustings/study/kernel';
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { EnabledStep } from '../../model/run/enabled-steps.ts';
import { messageKey } from '../../model/run/message-key.ts';
import type { RunModel } from '../../model/run/run-model.ts';
import type { RunSnapshot } from '../../model/run/run-snapshot.ts';
import type { Axis } from '../../model/run/run-trace.ts';
import { reducedMotion } from '../shell/reduced-motion.ts';

/** A node, or a message in flight. */
export type RunSelection =
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'message'; readonly message: InFlightMessage };

/** The node that is selected; null if none is. */
export function selectedNode(selection: RunSelection | null): number | null {
  return selection?.type === 'node' ? selection.node : null;
}

/** How fast a run plays, as a multiple of the usual speed; 0 is as fast as the page can. */
export const SPEEDS: readonly number[] = [0.5, 1, 4, 0];

/** At speed 1: the time of a unit and of a step. */
const UNIT_MS = 600;
const STEP_MS = 400;
/** With reduced motion an instant is shown per second. */
const REDUCED_MS = 1000;
/** Longer than a frame. */
const SETTLE_MS = 40;
/** The number of steps that are listed with their effects. */
export const MAX_LISTED = 9;
/** Idle time beyond this number of units is skipped. */
const MAX_IDLE = 1.5;

/** A run model as signals. */
export class RunStore {
  readonly axis: Signal<Axis>;
  readonly selection = signal<RunSelection | null>(null);
  /** The index of the send event of the message that the reader points at. */
  readonly pointed = signal<number | null>(null);
  readonly isPlaying = signal(false);
  readonly speed = signal(1);
  /** The reader chooses each step, or the schedule goes on after an intervention. */
  readonly mode = signal<'schedule' | 'you'>('schedule');
  /** Why the last change was refused; null after one that worked. */
  readonly refusal = signal<string | null>(null);
  /** Changes with every change of cursor or branches. */
  readonly version = signal(0);
  /** Follows `version`. While the run plays, it follows after the frame of a step: lists and counters can wait, motion cannot. */
  readonly settled = signal(0);
  readonly snapshot: ReadonlySignal<RunSnapshot>;
  /** The steps that can happen next, without faults. */
  readonly enabled: ReadonlySignal<readonly EnabledStep[]>;

  private timer = 0;
  private settling = 0;

  constructor(readonly model: RunModel) {
    this.axis = signal<Axis>(model.plan.schedule.type === 'lockstep' ? 'units' : 'steps');
    model.onChange = () =>
      batch(() => {
        this.version.value++;
        if (!this.isPlaying.peek()) this.settle();
        else if (this.settling === 0) this.settling = window.setTimeout(() => this.settle(), SETTLE_MS);
      });
    const after = <T>(changes: ReadonlySignal<number>, read: () => T): ReadonlySignal<T> =>
      computed(() => {
        changes.value;
        return read();
      });
    this.snapshot = after(this.version, () => model.snapshot());
    this.enabled = after(this.settled, () => model.enabled({ most: MAX_LISTED }));
  }

  /** Changes the model. What the world refuses becomes `refusal`. */
  change(act: (model: RunModel) => void): void {
    this.pause();
    batch(() => {
      try {
        act(this.model);
        this.refusal.value = null;
        const isBranchEnd = this.model.position === this.model.length && this.model.branch.parent !== null;
        if (this.mode.peek() === 'schedule' && isBranchEnd) this.model.extend();
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        this.refusal.value = `${capitalized(error.message)}.`;
      }
    });
  }

  /** Undoes or redoes: nothing is added, so the schedule does not go on. */
  revise(act: (model: RunModel) => void): void {
    this.pause();
    batch(() => act(this.model));
  }

  /** Moves the cursor. */
  seek(position: number): void {
    this.pause();
    this.refusal.value = null;
    this.model.seek(position);
  }

  /** Moves the cursor to the last step at or before a place on the axis, as for a drag. */
  seekPlace(place: number): void {
    this.seek(this.model.trace().positionAt(this.axis.peek(), place));
  }

  /** The message that is selected, if it is still in flight: the cursor may have moved since. */
  selectedMessage(): InFlightMessage | null {
    const selected = this.selection.value;
    if (selected?.type !== 'message') return null;
    const key = messageKey(selected.message);
    return this.snapshot.value.messages.find((message) => messageKey(message) === key) ?? null;
  }

  /** The next of the speeds, or the one before. */
  changeSpeed(by: 1 | -1): void {
    const at = SPEEDS.indexOf(this.speed.peek()) + by;
    this.speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
  }

  toggle(): void {
    if (this.isPlaying.peek()) this.pause();
    else this.play();
  }

  /** Plays from the cursor, from the beginning if it is at the end. On a branch of the reader the schedule continues. */
  play(): void {
    const { model } = this;
    if (this.isPlaying.peek()) return;
    if (model.position === model.length) model.extend();
    if (model.position === model.length) model.seek(0);
    this.isPlaying.value = true;
    this.next();
  }

  pause(): void {
    if (!this.isPlaying.peek()) return;
    batch(() => {
      this.isPlaying.value = false;
      this.settle();
    });
    clearTimeout(this.timer);
  }

  dispose(): void {
    this.pause();
    this.model.onChange = () => {};
  }

  private settle(): void {
    clearTimeout(this.settling);
    this.settling = 0;
    this.settled.value = this.version.peek();
  }

  /** An instant after another: steps of equal time are taken together on the axis of time, and one by one on that of steps. */
  private next(): void {
    const { model } = this;
    if (model.position === model.length) this.pause();
    else this.timer = window.setTimeout(() => this.advance(), this.waitMs());
  }

  private advance(): void {
    if (!this.isPlaying.peek()) return;
    const { model } = this;
    model.seek(this.axis.peek() === 'units' ? model.instantEnd() : model.position + 1);
    this.next();
  }

  private waitMs(): number {
    const speed = this.speed.peek();
    if (speed === 0) return 0;
    if (reducedMotion()) return REDUCED_MS / speed;
    if (this.axis.peek() === 'steps') return STEP_MS / speed;
    const { model } = this;
    const units = model.timeAt(model.position + 1) - model.timeAt(model.position);
    return (UNIT_MS * Math.min(MAX_IDLE, units)) / speed;
  }
}
