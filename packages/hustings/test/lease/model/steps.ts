/** Interns the steps of a system: a step has the same number in all states. */

export interface Step {
  /** −1 for a step of no candidate. */
  readonly candidate: number;
  readonly name: string;
  /** It may happen, and need not. */
  readonly isFault: boolean;
}

export class Steps {
  /** By number. */
  readonly all: Step[] = [];
  private readonly numbers = new Map<string, number>();

  of(candidate: number, name: string, isFault: boolean): number {
    const key = `${candidate} ${name}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.all.push({ candidate, name, isFault }) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }
}
