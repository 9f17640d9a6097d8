/** What can happen next, with texts and effects. */
import {
  type Configuration,
  type InFlightMessage,
  isFaultStep,
  isMessageStep,
  type MessageStep,
  type Step,
  type World,
} from '@hustings/study/driver';
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
  const steps = world.enabled(faults).filter((step) => !isOnCutLink(step, cut));
  const moved = new MovedMessages(world, steps.find(isMessageStep));
  return steps.map((step, k) => {
    const { effect, kind } = k < most ? effectOf(world, step) : UNKNOWN;
    const isScheduled = scheduled !== null && isSameChoice(step, scheduled);
    return new ListedStep(world, moved, step, effect, kind, isScheduled);
  });
}

const UNKNOWN: EffectText = { effect: '', kind: 'unknown' };

/** A class, because the frame in which hundreds are made also moves hundreds of messages. */
class ListedStep implements EnabledStep {
  constructor(
    private readonly world: World,
    private readonly moved: MovedMessages,
    readonly step: Step,
    readonly effect: string,
    readonly kind: EffectText['kind'],
    readonly isScheduled: boolean,
  ) {}

  get text(): string {
    return stepText(this.world, this.step, this.message);
  }

  get isFault(): boolean {
    return isFaultStep(this.step);
  }

  get message(): InFlightMessage | null {
    return isMessageStep(this.step) ? this.moved.by(this.step) : null;
  }
}

/** The messages of a configuration by the steps that move them. */
class MovedMessages {
  private readonly configuration: Configuration;
  private known: Map<string, InFlightMessage> | null = null;

  constructor(
    world: World,
    /** Its details are those of all steps. */
    private readonly sample: MessageStep | undefined,
  ) {
    this.configuration = world.configuration;
  }

  by({ age, from, message, port, to }: MessageStep): InFlightMessage | null {
    this.known ??= this.read();
    return this.known.get(this.key(from, to, message, port, age)) ?? null;
  }

  /** Steps about equal messages mean the oldest. */
  private read(): Map<string, InFlightMessage> {
    const { clock, messages, undelivered } = this.configuration;
    return new Map(
      [...messages, ...undelivered].reverse().map((message) => {
        const { from, port, sentTime, text, to } = message;
        return [this.key(from, to, text, port, clock - sentTime), message];
      }),
    );
  }

  private key(from: number, to: number, text: string, port?: number, age?: number): string {
    const { sample } = this;
    return `${from}>${to} ${text} ${sample?.port === undefined ? '' : port} ${sample?.age === undefined ? '' : age}`;
  }
}
