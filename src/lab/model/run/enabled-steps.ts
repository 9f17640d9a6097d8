/** What can happen next, with texts and effects. */
import type { InFlightMessage } from '../../../kernel/world/configuration.ts';
import { isFaultStep, isMessageStep, type Step } from '../../../kernel/world/step.ts';
import type { World } from '../../../kernel/world/world.ts';
import { isOnCutLink } from './continuation.ts';
import { isSameChoice } from './run-step.ts';
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

/**
 * The enabled steps of a world, faults last. `most` limits the number of steps whose effect is worked out. There may be thousands,
 * of which a page lists a few: the text of the others is written when it is read.
 */
export function enabledSteps(
  world: World,
  scheduled: Step | null,
  cut: ReadonlySet<string>,
  faults: boolean,
  most: number,
): EnabledStep[] {
  const { configuration } = world;
  const steps = world.enabled(faults).filter((step) => !isOnCutLink(step, cut));
  const sample = steps.find(isMessageStep);
  const keyOf = (from: number, to: number, text: string, port?: number, age?: number): string =>
    `${from}>${to} ${text} ${sample?.port === undefined ? '' : port} ${sample?.age === undefined ? '' : age}`;
  let known: Map<string, InFlightMessage> | null = null;
  // Steps about equal messages mean the oldest.
  const messages = (): Map<string, InFlightMessage> => {
    known ??= new Map(
      [...configuration.messages, ...configuration.undelivered].reverse().map((message) => {
        const { from, port, sentTime, text, to } = message;
        return [keyOf(from, to, text, port, configuration.clock - sentTime), message];
      }),
    );
    return known;
  };
  return steps.map((step, k) => ({
    step,
    get text() {
      return stepText(world, step, this.message);
    },
    ...(k < most ? effectOf(world, step) : { effect: '', kind: 'unknown' as const }),
    isScheduled: scheduled !== null && isSameChoice(step, scheduled),
    isFault: isFaultStep(step),
    get message() {
      if (!isMessageStep(step)) return null;
      return messages().get(keyOf(step.from, step.to, step.message, step.port, step.age)) ?? null;
    },
  }));
}
