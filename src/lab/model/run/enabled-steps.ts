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
