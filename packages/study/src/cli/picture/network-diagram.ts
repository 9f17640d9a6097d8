/** Pictures of the network during a simulated run. */

import { parseNumber } from '@hustings/base';
import {
  type FrameChoice,
  type NetworkDrawingOptions,
  networkAnimation,
  networkDrawing,
  type PictureStyle,
} from '../../drawing/index.ts';
import { purposesOf } from '../../drawing/trace/purpose.ts';
import { appearanceOf, InputError } from '../../kernel/index.ts';
import type { Run, TraceEvent } from '../../simulator/index.ts';
import { settingOf } from '../report/summary.ts';

/** Includes the states, which show who is passive, the phases and the fragments. */
const MAX_EVENTS = 200_000;

export class NetworkRecording {
  private readonly events: TraceEvent[] = [];

  take(event: TraceEvent): void {
    if (this.events.length === MAX_EVENTS) {
      throw new InputError(
        `a picture of a network is made of at most ${MAX_EVENTS} events: take fewer nodes or end the run earlier`,
      );
    }
    this.events.push(event);
  }

  /** `result` ends the subtitle. */
  draw(run: Run, result: string, style: PictureStyle, frames: FrameChoice): string {
    return networkDrawing({ ...this.optionsOf(run, result), frames }, style);
  }

  /** The run as an animated SVG. */
  animate(run: Run, result: string, style: PictureStyle): string {
    return networkAnimation(this.optionsOf(run, result), style);
  }

  private optionsOf(run: Run, result: string): NetworkDrawingOptions {
    const { algorithm, topology, ids, anonymous } = run.plan;
    return {
      title: algorithm.title,
      subtitle: `${settingOf(run)}: ${result}`,
      events: this.events,
      topology,
      ids: anonymous ? null : ids,
      weight: algorithm.weight,
      appearance: (state) => appearanceOf(algorithm, state),
      ...purposesOf(algorithm),
    };
  }
}

/** Reads --frames. */
export function readFrames(text: string | undefined): FrameChoice {
  if (text === undefined) return 1;
  return text === 'decisions' ? text : parseNumber('frames', text, "a whole number, as in 6, or 'decisions'");
}
