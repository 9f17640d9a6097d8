/** What the views of a run share: the run, and what the reader points at. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { InFlightMessage } from '../../../kernel/world/configuration.ts';
import type { RunModel } from '../../model/run/run-model.ts';
import type { Axis } from '../../model/run/run-trace.ts';

/** A node, or a message in flight. */
export type Selection =
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'message'; readonly message: InFlightMessage };

/** A run that views draw. They write the selection, the message pointed at, and the cursor. */
export interface ViewedRun {
  readonly model: RunModel;
  /** Changes after every change of the cursor or the branches. */
  readonly version: ReadonlySignal<number>;
  readonly axis: ReadonlySignal<Axis>;
  /** How fast messages move, as a multiple of the usual speed; 0 if they jump. */
  readonly speed: ReadonlySignal<number>;
  readonly selection: Signal<Selection | null>;
  /** The index of the send event of the message that the reader points at. */
  readonly pointed: Signal<number | null>;
}
