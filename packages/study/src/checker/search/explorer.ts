/** Expands one state at a time, counts what it meets, and keeps the first violation. */
import { Expansion } from './expansion.ts';
import type { SeenStates } from './state-store.ts';
import type { System, Violation, Visit } from './system.ts';

/** A violation, and where the search found it. */
export interface FoundViolation extends Violation {
  /** The number of the state with the violation, or from which the step with the violation leads. */
  readonly state: number;
  readonly step: number | null;
}

/** What a search has counted. */
export interface Counts {
  readonly transitions: number;
  /** Terminal states: no step is enabled, except optional ones. */
  readonly terminal: number;
  /** States that were not expanded because they exceed a bound. */
  readonly beyondBound: number;
  /** Some step leads to a state of the same or an earlier level, so the graph may have a cycle. */
  readonly mayCycle: boolean;
  /** Partial-order reduction left out steps: the explored graph is smaller than the full one. See expansion.ts. */
  readonly isReduced: boolean;
}

export class Explorer {
  transitions = 0;
  terminal = 0;
  beyondBound = 0;
  mayCycle = false;
  finding: FoundViolation | null = null;

  private readonly expansion: Expansion;
  private readonly state: Uint16Array;
  private readonly next: Uint16Array;
  private number = 0;
  private nextLevel = 0;
  private enabled = 0;
  private readonly visit: Visit;
  private readonly settle: () => number;

  constructor(
    private readonly system: System,
    private readonly seen: Pick<SeenStates, 'read' | 'stage' | 'addStaged'>,
  ) {
    const next = new Uint16Array(system.width);
    this.state = new Uint16Array(system.width);
    this.next = next;
    this.expansion = new Expansion(system);
    this.visit = (step, violation) => {
      this.transitions++;
      if (!system.isOptional(step)) this.enabled++;
      seen.stage(next);
      if (violation !== null) this.finding ??= { ...violation, state: this.number, step };
    };
    this.settle = () => {
      const least = seen.addStaged(this.number);
      if (least < this.nextLevel) this.mayCycle = true;
      return least;
    };
  }

  get isReduced(): boolean {
    return this.expansion.isReduced;
  }

  /** Inspects and expands a state. `nextLevel` is the first number of the level after its own. */
  explore(number: number, nextLevel: number): void {
    const { state, system } = this;
    this.number = number;
    this.nextLevel = nextLevel;
    this.seen.read(number, state);
    let violation = system.inspect(state);
    if (violation === null && system.exceedsBound(state)) {
      this.beyondBound++;
      return;
    }
    this.enabled = 0;
    this.expansion.expand(state, this.next, nextLevel, this.visit, this.settle);
    if (this.enabled === 0) {
      this.terminal++;
      violation ??= system.judgeEnd(state);
    }
    if (violation !== null) this.finding = { ...violation, state: number, step: null };
  }

  /** Adds what another explorer has counted. */
  include({ beyondBound, isReduced, mayCycle, terminal, transitions }: Counts): void {
    this.transitions += transitions;
    this.terminal += terminal;
    this.beyondBound += beyondBound;
    this.mayCycle ||= mayCycle;
    this.expansion.isReduced ||= isReduced;
  }

  /** Counts from zero again. */
  reset(): void {
    this.transitions = 0;
    this.terminal = 0;
    this.beyondBound = 0;
    this.mayCycle = false;
    this.finding = null;
  }
}
