/** A network at one moment of a replayed run, and how it came to it. */
import type { TraceEvent } from '../../kernel/trace.ts';
import type { Violation } from '../search/system.ts';

export interface Letter {
  readonly from: number;
  readonly to: number;
  /** The receiver's. */
  readonly port: number;
  /** The step in which it was sent. */
  readonly sent: number;
  readonly words: Int32Array;
  /** Type and fields. */
  readonly text: string;
}

export interface Scene {
  readonly before: Scene | null;
  /** By position. */
  readonly nodes: readonly (readonly number[])[];
  /** By position: units until each timer is due, NONE if it does not run. */
  readonly timers: readonly (readonly number[])[];
  /** By position: the term whose leader the node has found dead, NONE if none. */
  readonly noticed: readonly number[];
  /** By position: the terms that the node has ever led. */
  readonly led: readonly (readonly number[])[];
  /** Ticks and rounds so far. */
  readonly clock: number;
  /** Under way, in the order of sending. */
  readonly letters: readonly Letter[];
  /** Those that found nobody, until their senders hear of it. */
  readonly notices: readonly Letter[];
  /** What happened in the step that led here. */
  readonly events: readonly TraceEvent[];
  /** What that step broke. */
  readonly violation: Violation | null;
}

/** From the first to a given one. */
export function scenesTo(last: Scene): Scene[] {
  const scenes: Scene[] = [];
  for (let scene: Scene | null = last; scene !== null; scene = scene.before) scenes.push(scene);
  return scenes.reverse();
}

/** Scenes that go on alike are one, if they have the same past as well as is asked for. */
export function distinctScenes(scenes: readonly Scene[], pastOf: (scene: Scene) => string): readonly Scene[] {
  if (scenes.length < 2) return scenes;
  const place = ({ from, to, port, text }: Letter): unknown => [from, to, port, text];
  const keyOf = ({ nodes, timers, noticed, led, letters, notices, violation }: Scene): string =>
    JSON.stringify([nodes, timers, noticed, led, letters.map(place), notices.map(place), violation]);
  return [...new Map(scenes.map((scene) => [keyOf(scene) + pastOf(scene), scene])).values()];
}
