/** A system whose states are plain values: the search numbers them by their JSON text. */
import type { Initial, System, Violation } from '../../src/checker/index.ts';

/** A step that is possible in a state. */
export interface PlainStep<State> {
  readonly label: string;
  readonly to: State;
  /** It may happen, and need not. */
  readonly isFault?: boolean;
}

export abstract class PlainSystem<State> implements System {
  readonly width = 2;
  readonly mustTerminate = true;
  private readonly texts: string[] = [];
  private readonly byText = new Map<string, number>();
  private readonly labels: { readonly label: string; readonly isFault: boolean }[] = [];
  private readonly steps = new Map<string, number>();

  abstract start(): State;
  abstract stepsOf(state: State): Iterable<PlainStep<State>>;
  abstract violationIn(state: State): Violation | null;
  /** The violation of a state without a step that must happen. */
  abstract violationAtEnd(state: State): Violation | null;

  initials(): readonly Initial[] {
    const state = new Uint16Array(this.width);
    this.write(this.start(), state);
    return [{ state, violation: null }];
  }

  expand(
    state: Uint16Array,
    next: Uint16Array,
    visit: (step: number, violation: Violation | null) => void,
  ): void {
    for (const { label, to, isFault = false } of this.stepsOf(this.read(state))) {
      this.write(to, next);
      visit(this.stepOf(label, isFault), null);
    }
  }

  isOptional(step: number): boolean {
    return this.labels[step].isFault;
  }

  actor(): number {
    return -1;
  }

  exceedsBound(): boolean {
    return false;
  }

  inspect(state: Uint16Array): Violation | null {
    return this.violationIn(this.read(state));
  }

  judgeEnd(state: Uint16Array): Violation | null {
    return this.violationAtEnd(this.read(state));
  }

  describe(_state: Uint16Array, step: number): string {
    return this.labels[step].label;
  }

  read(state: Uint16Array): State {
    return JSON.parse(this.texts[state[0] + 65_536 * state[1]]);
  }

  private write(value: State, state: Uint16Array): void {
    const text = JSON.stringify(value);
    let number = this.byText.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.byText.set(text, number);
    }
    state[0] = number & 0xffff;
    state[1] = number >>> 16;
  }

  private stepOf(label: string, isFault: boolean): number {
    let step = this.steps.get(label);
    if (step === undefined) {
      step = this.labels.push({ label, isFault }) - 1;
      this.steps.set(label, step);
    }
    return step;
  }
}
