/**
 * Candidates with the real core and a store with the real rules, with all messages, clocks and faults between them, as a
 * system that the checker searches. Properties of every state:
 *
 *   P1  the store grants no lease before another has ended, and renews no lease that has ended
 *   P2  a candidate claims leadership only until the send time of a granted request + stopAfterMs, on both clocks
 *   P3  every new grant has a larger token than all before
 *   P4  a fenced sink accepts no write of an older term after a write of a newer term
 *   mutual exclusion: two candidates never claim leadership at the same time; if timers fire in time and overdue work is
 *   killed, the work of two terms never runs at the same time
 *   work before release, one term at a time, stalled work, timer: see candidate-moves.ts
 *
 * Not covered: a store whose clock jumps forward, and two clocks of one machine that err together.
 */
import type { Initial, System, Violation } from '../../../../study/src/checker/index.ts';
import { CandidateMoves, type Facts, type Move } from './candidate-moves.ts';
import { tellArrival, tellMove } from './narration.ts';
import { NormalForm } from './normal-form.ts';
import { idOf, type Setting, UNIT_MS } from './setting.ts';
import { Steps } from './steps.ts';
import { type StoreMove, StoreMoves } from './store-moves.ts';

type Visit = (step: number, violation: Violation | null) => void;

/** A request that can arrive, and the state of the candidate after each answer. */
interface Arrival {
  readonly step: number;
  readonly index: number;
  readonly request: number;
  readonly stays: boolean;
  readonly isLost: boolean;
  readonly after: number[];
}

const ARRIVALS = [
  { name: 'arrives', stays: false, isLost: false },
  { name: 'arrives twice', stays: true, isLost: false },
  { name: 'arrives unanswered', stays: true, isLost: true },
] as const;

/** How a unit of time passes on the clocks of a candidate. */
const PASSES = ['runs', 'sleeps', 'loses'] as const;
const TIME = `${UNIT_MS} ms pass`;

export class LeaseSystem implements System {
  readonly width: number;
  readonly mustTerminate = false;
  private readonly steps = new Steps();
  private readonly candidates: readonly CandidateMoves[];
  private readonly store: StoreMoves;
  private readonly form: NormalForm;
  /** By candidate and its state. */
  private readonly arrivals: Arrival[][][];
  private readonly passed: number[][][];
  /** The numbers of the candidates' states, then of the store's: before and after the step. */
  private readonly at: Int32Array;
  private readonly to: Int32Array;

  /** `reduces`: states that differ only by an exchange of candidates are one state; the candidates must be alike. */
  constructor(
    private readonly setting: Setting,
    readonly isReduced = false,
  ) {
    const { timings } = setting;
    this.candidates = timings.map((_, candidate) => new CandidateMoves(candidate, setting, this.steps));
    this.store = new StoreMoves(setting, this.steps);
    this.form = new NormalForm(this.candidates, this.store, isReduced);
    this.width = 2 * (timings.length + 1);
    this.at = new Int32Array(timings.length + 1);
    this.to = new Int32Array(timings.length + 1);
    this.arrivals = timings.map(() => []);
    this.passed = timings.map(() => PASSES.map(() => []));
  }

  initials(): readonly Initial[] {
    const state = new Uint16Array(this.width);
    for (const { candidate, initial } of this.candidates) this.to[candidate] = initial;
    this.to[this.candidates.length] = this.store.initial;
    this.write(state);
    return [{ state, violation: null }];
  }

  expand(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    const { at, candidates, store, setting } = this;
    const storePart = at.length - 1;
    this.read(state);
    for (let candidate = 0; candidate < storePart; candidate++) {
      const model = candidates[candidate];
      const { awaits, isValid, token } = model.factsOf(at[candidate]);
      for (const move of model.movesOf(at[candidate])) this.take(candidate, move, next, visit);
      if (awaits !== null && this.isGone(awaits)) {
        for (const move of model.goneOf(at[candidate])) this.take(candidate, move, next, visit);
      }
      for (const arrival of this.arrivalsOf(candidate)) {
        this.to.set(at);
        const violation = this.answerInto(candidate, arrival);
        this.finish(arrival.step, violation, next, visit);
      }
      if (isValid && setting.writes !== undefined) {
        for (const move of store.writesOf(at[storePart], candidate, token!))
          this.take(storePart, move, next, visit);
      }
    }
    for (const move of store.movesOf(at[storePart])) this.take(storePart, move, next, visit);
    this.passTime(next, visit);
  }

  isOptional(step: number): boolean {
    return this.steps.all[step].isFault;
  }

  actor(step: number): number {
    return this.steps.all[step].candidate;
  }

  exceedsBound(): boolean {
    return false;
  }

  inspect(state: Uint16Array): Violation | null {
    this.read(state);
    let valid = 0;
    let working = 0;
    for (let candidate = 0; candidate < this.candidates.length; candidate++) {
      const { isValid, isWorking, violation } = this.factsOf(candidate);
      if (violation !== null) return violation;
      if (isValid) valid++;
      if (isWorking) working++;
    }
    if (valid > 1)
      return { property: 'mutual exclusion', text: 'two candidates claim leadership at the same moment' };
    if (working > 1 && !this.setting.lateTimers && this.setting.kills) {
      return { property: 'mutual exclusion', text: 'the work of two terms runs at the same moment' };
    }
    return null;
  }

  judgeEnd(): null {
    return null;
  }

  describe(state: Uint16Array, step: number): string {
    this.read(state);
    const { candidate, name } = this.steps.all[step];
    if (candidate < 0) return name;
    const who = idOf(candidate);
    const number = this.at[candidate];
    const arrival = this.arrivalsOf(candidate).find((each) => each.step === step);
    if (arrival !== undefined) {
      const { reply } = this.store.answerOf(this.at[this.candidates.length], arrival.request);
      return tellArrival(who, this.store.requests.all[arrival.request], reply, name);
    }
    const model = this.candidates[candidate];
    const moves = [
      ...model.movesOf(number),
      ...(model.factsOf(number).awaits === null ? [] : model.goneOf(number)),
    ];
    return tellMove(
      who,
      model.states.all[number],
      name,
      moves.find((each) => each.step === step)?.outputs ?? [],
    );
  }

  /** The only step of a run without faults. There is a next state only if a candidate campaigns. */
  stepWithoutFault(
    state: Uint16Array,
    next: Uint16Array,
  ): { readonly time: boolean; readonly campaigns: boolean } {
    this.read(state);
    const { candidates, at } = this;
    const n = candidates.length;
    if (!candidates.some((_, candidate) => this.factsOf(candidate).campaigns))
      return { time: false, campaigns: false };
    this.to.set(at);
    for (let candidate = 0; candidate < n; candidate++) {
      const move = candidates[candidate].movesOf(at[candidate]).find(({ isWithoutFault }) => isWithoutFault);
      const [arrival] = this.arrivalsOf(candidate);
      if (move !== undefined) this.to[candidate] = move.to;
      else if (arrival !== undefined) this.answerInto(candidate, arrival);
      else continue;
      this.settle(next);
      return { time: false, campaigns: true };
    }
    this.to[n] = this.store.agedOf(at[n]);
    for (let candidate = 0; candidate < n; candidate++) this.to[candidate] = this.passedOf(candidate, 0);
    this.settle(next);
    return { time: true, campaigns: true };
  }

  hasLeader(state: Uint16Array): boolean {
    this.read(state);
    return this.candidates.some((_, candidate) => this.factsOf(candidate).isValid);
  }

  /** The facts of the state that was read last. */
  private factsOf(candidate: number): Facts {
    return this.candidates[candidate].factsOf(this.at[candidate]);
  }

  /** One part of the state, a candidate or the store, takes a step alone. */
  private take(
    part: number,
    { step, to, violation }: Move | StoreMove,
    next: Uint16Array,
    visit: Visit,
  ): void {
    this.to.set(this.at);
    this.to[part] = to;
    this.finish(step, violation, next, visit);
  }

  private finish(step: number, violation: Violation | null, next: Uint16Array, visit: Visit): void {
    this.settle(next);
    visit(step, violation);
  }

  private settle(next: Uint16Array): void {
    this.form.settle(this.to);
    this.write(next);
  }

  private arrivalsOf(candidate: number): readonly Arrival[] {
    const number = this.at[candidate];
    this.arrivals[candidate][number] ??= this.findArrivals(candidate, number);
    return this.arrivals[candidate][number];
  }

  /** Writes the candidate and the store after an arrival to `to`. */
  private answerInto(candidate: number, { index, request, stays, isLost, after }: Arrival): Violation | null {
    const { at, candidates } = this;
    const n = candidates.length;
    const { to, reply, replyNumber, violation } = this.store.answerOf(at[n], request);
    this.to[candidate] = after[replyNumber] ??= candidates[candidate].answeredOf(
      at[candidate],
      index,
      reply,
      stays,
      isLost,
    );
    this.to[n] = to;
    return violation;
  }

  private findArrivals(candidate: number, number: number): Arrival[] {
    const { candidates, setting } = this;
    const isFull = candidates[candidate].states.all[number].messages.length >= setting.inFlight[candidate];
    const ways = ARRIVALS.filter(
      ({ stays, isLost }) => !stays || (setting.duplicates && (isLost || !isFull)),
    );
    return candidates[candidate].factsOf(number).requests.flatMap(({ index, request }) =>
      ways.map(({ name, stays, isLost }) => ({
        step: this.steps.of(candidate, `${name} ${index}`, stays),
        index,
        request: this.store.numberOfRequest(request),
        stays,
        isLost,
        after: [],
      })),
    );
  }

  /** Has the process with this nonce crashed? */
  private isGone({ candidate, attempt }: { readonly candidate: number; readonly attempt: number }): boolean {
    const model = this.candidates[candidate].states.all[this.at[candidate]];
    return model.core === null || attempt < model.first;
  }

  /** In every combination of the candidates' clocks. */
  private passTime(next: Uint16Array, visit: Visit): void {
    const { candidates, setting } = this;
    const n = candidates.length;
    if (!setting.lateTimers && candidates.some((_, candidate) => this.factsOf(candidate).isDue)) return;
    const store = this.store.agedOf(this.at[n]);
    const pass = (candidate: number, name: string): void => {
      if (candidate === n) {
        this.to[n] = store;
        const saved = this.to.slice();
        this.finish(this.steps.of(-1, name, name !== TIME), null, next, visit);
        this.to.set(saved);
        return;
      }
      for (let how = 0; how < PASSES.length; how++) {
        if (how === 1 && !(setting.suspends && candidates[candidate].isAstray)) continue;
        if (how === 2 && !this.factsOf(candidate).mayLoseTime) continue;
        this.to[candidate] = this.passedOf(candidate, how);
        pass(
          candidate + 1,
          how === 0
            ? name
            : `${name}${how === 1 ? `, while ${idOf(candidate)} sleeps` : `, of which the clocks of ${idOf(candidate)} show none`}`,
        );
      }
    };
    pass(0, TIME);
  }

  private passedOf(candidate: number, how: number): number {
    const number = this.at[candidate];
    this.passed[candidate][how][number] ??= this.candidates[candidate].agedOf(number, PASSES[how]);
    return this.passed[candidate][how][number];
  }

  private read(state: Uint16Array): void {
    for (let k = 0; k < this.at.length; k++) this.at[k] = state[2 * k] + 65_536 * state[2 * k + 1];
  }

  private write(state: Uint16Array): void {
    for (let k = 0; k < this.to.length; k++) {
      state[2 * k] = this.to[k] & 0xffff;
      state[2 * k + 1] = this.to[k] >>> 16;
    }
  }
}
