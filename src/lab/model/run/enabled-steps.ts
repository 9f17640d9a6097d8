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

/** The enabled steps of a world, faults last. `most` limits the number of steps whose effect is worked out. */
export function enabledSteps(
  world: World,
  scheduled: Step | null,
  cut: ReadonlySet<string>,
  faults: boolean,
  most: number,
): EnabledStep[] {
  const { configuration } = world;
  const steps = world.enabled().filter((step) => (faults || !isFaultStep(step)) && !isOnCutLink(step, cut));
  // Looked up once: there may be thousands. Steps about equal messages mean the oldest.
  const sample = steps.find(isMessageStep);
  const keyOf = (from: number, to: number, text: string, port?: number, age?: number): string =>
    `${from}>${to} ${text} ${sample?.port === undefined ? '' : port} ${sample?.age === undefined ? '' : age}`;
  const messages = new Map<string, InFlightMessage>();
  for (const message of [...configuration.messages, ...configuration.undelivered].reverse()) {
    const { from, port, sentTime, text, to } = message;
    messages.set(keyOf(from, to, text, port, configuration.clock - sentTime), message);
  }
  return steps.map((step, k) => {
    const message = isMessageStep(step)
      ? (messages.get(keyOf(step.from, step.to, step.message, step.port, step.age)) ?? null)
      : null;
    return {
      step,
      text: stepText(world, step, message),
      ...(k < most ? effectOf(world, step) : { effect: '', kind: 'unknown' as const }),
      isScheduled: scheduled !== null && isSameChoice(step, scheduled),
      isFault: isFaultStep(step),
      message,
    };
  });
}
