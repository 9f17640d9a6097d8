/**
 * Candidates with the real core, a store with the real rules, and all that may happen between them, as a system that the
 * checker searches. Claimed in every state:
 *
 *   P1  the store grants no lease while another has not ended, and renews none that has
 *   P2  a candidate says that it leads only before the send of a granted request + soft, by both of its clocks
 *   P3  every new grant has a larger token than all before
 *   P4  a sink with a fence accepts no write of an older term after one of a newer
 *   exclusion: at no moment do two candidates say that they lead; where timers fire in time and overdue work is killed,
 *   at no moment do two works run
 *   work before release, one term at a time, timer: see candidate-desk.ts
 *
 * Does not speak of stores that forget what they answered, nor of two clocks of one machine that err together.
 */
import type { Initial, System, Violation } from '../../../src/checker/system.ts';
import { CandidateDesk, type Facts, type Move } from './candidate-desk.ts';
import { accept, agedHall, answer, EMPTY_HALL, type Hall, normalHall } from './hall.ts';
import {
  exchangeOf,
  hasGaps,
  marksOf,
  type Renumbering,
  renumberHall,
  renumberingOf,
  renumberStation,
} from './renumbering.ts';
import { idOf, REAL_RULES, type Setting, UNIT_MS } from './setting.ts';
import type { Reply, Request } from './station.ts';
import { Steps } from './steps.ts';
import { tellArrival, tellMove } from './story.ts';
import { Things } from './things.ts';

type Visit = (step: number, violation: Violation | null) => void;

interface HallMove {
  readonly step: number;
  readonly to: number;
  readonly violation: Violation | null;
}

interface Answered {
  readonly to: number;
  readonly reply: Reply;
  readonly replyNumber: number;
  readonly violation: Violation | null;
}

interface Renumbered {
  readonly by: Renumbering;
  /** Who takes the place of each candidate. */
  readonly order: readonly number[];
  readonly parts: number[][];
}

/** By the number of candidates: every order but the one that leaves all as they are. */
const EXCHANGES: Readonly<Record<number, readonly (readonly number[])[]>> = {
  2: [[1, 0]],
  3: [
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ],
};

/** A request that can arrive, and what becomes of the station by the answer. */
interface Arrival {
  readonly step: number;
  readonly index: number;
  readonly request: number;
  readonly stays: boolean;
  readonly isLost: boolean;
  readonly after: number[];
}

const PASSES = ['runs', 'sleeps', 'loses'] as const;

export class LeaseSystem implements System {
  readonly width: number;
  readonly rests = false;
  readonly draws = false;
  readonly desks: readonly CandidateDesk[];
  readonly halls = new Things<Hall>();
  readonly steps = new Steps();
  private readonly requests = new Things<Request>();
  private readonly replies = new Things<Reply>();
  private readonly answered = new Map<number, Answered>();
  /** By candidate and station. */
  private readonly arrivals: Arrival[][][];
  private readonly hallMoves: HallMove[][] = [];
  private readonly hallMarks: Int32Array[] = [];
  private readonly agedHalls: number[] = [];
  private readonly passed: number[][][];
  /** By the numbers that stand in a state: for each part of it, by number, what it becomes. */
  private readonly renumbered = new Map<number, Renumbered>();
  /** The same for each way to exchange candidates that are alike. */
  private readonly exchanges: readonly Renumbered[];
  private readonly marks: Int32Array;
  /** Numbers of the stations, then of the hall, of the state at hand and of the one after the step. */
  private readonly at: Int32Array;
  private readonly to: Int32Array;
  private readonly turned: Int32Array;
  private readonly least: Int32Array;

  /** `reduces`: states that differ only in who is who are one; the candidates must be alike. */
  constructor(
    readonly setting: Setting,
    readonly reduces = false,
  ) {
    const n = setting.timings.length;
    this.desks = setting.timings.map((_, candidate) => new CandidateDesk(candidate, setting, this.steps));
    this.width = 2 * (n + 1);
    this.marks = new Int32Array(2 + n);
    this.at = new Int32Array(n + 1);
    this.to = new Int32Array(n + 1);
    this.turned = new Int32Array(n + 1);
    this.least = new Int32Array(n + 1);
    this.exchanges = (reduces ? EXCHANGES[n] : []).map((order) => ({
      by: exchangeOf(order),
      order,
      parts: this.parts(),
    }));
    this.arrivals = setting.timings.map(() => []);
    this.passed = setting.timings.map(() => PASSES.map(() => []));
  }

  initials(): readonly Initial[] {
    const state = new Uint16Array(this.width);
    for (const desk of this.desks) this.to[desk.candidate] = desk.initial;
    this.to[this.desks.length] = this.hallNumber(EMPTY_HALL);
    this.write(state);
    return [{ state, violation: null }];
  }

  expand(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    const { at, desks } = this;
    const n = desks.length;
    this.read(state);
    for (let candidate = 0; candidate < n; candidate++) {
      const desk = desks[candidate];
      const number = at[candidate];
      for (const move of desk.movesOf(number)) this.moveTo(candidate, move, next, visit);
      const facts = desk.factsOf(number);
      if (facts.awaits !== null && this.isGone(facts.awaits)) {
        for (const move of desk.goneOf(number)) this.moveTo(candidate, move, next, visit);
      }
      this.arrive(candidate, next, visit);
      this.writeTo(candidate, facts, next, visit);
    }
    for (const { step, to, violation } of this.hallMovesOf(at[n])) {
      this.to.set(at);
      this.to[n] = to;
      this.finish(step, violation, next, visit);
    }
    this.passTime(next, visit);
  }

  optional(step: number): boolean {
    return this.steps.all[step].optional;
  }

  actor(step: number): number {
    return this.steps.all[step].candidate;
  }

  isBeyond(): boolean {
    return false;
  }

  inspect(state: Uint16Array): Violation | null {
    this.read(state);
    let valid = 0;
    let working = 0;
    for (let candidate = 0; candidate < this.desks.length; candidate++) {
      const { isValid, works, violation } = this.factsOf(candidate);
      if (violation !== null) return violation;
      if (isValid) valid++;
      if (works) working++;
    }
    if (valid > 1) return { property: 'exclusion', text: 'two candidates say at one moment that they lead' };
    if (working > 1 && !this.setting.late && this.setting.kills) {
      return { property: 'exclusion', text: 'the work of two terms runs at one moment' };
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
    const arrival = this.arrivals[candidate][number]?.find((each) => each.step === step);
    if (arrival !== undefined) {
      const { reply } = this.answerOf(this.at[this.desks.length], arrival.request);
      return tellArrival(who, this.requests.all[arrival.request], reply, name);
    }
    const desk = this.desks[candidate];
    const moves = [
      ...desk.movesOf(number),
      ...(desk.factsOf(number).awaits === null ? [] : desk.goneOf(number)),
    ];
    return tellMove(
      who,
      desk.stations.all[number],
      name,
      moves.find((each) => each.step === step)?.outputs ?? [],
    );
  }

  /** The one step of a world in which nothing fails; only if somebody stands is there a state after it. */
  calmly(state: Uint16Array, next: Uint16Array): { readonly time: boolean; readonly stands: boolean } {
    this.read(state);
    const { desks, at } = this;
    const n = desks.length;
    if (!desks.some((_, candidate) => this.factsOf(candidate).stands)) return { time: false, stands: false };
    this.to.set(at);
    for (let candidate = 0; candidate < n; candidate++) {
      const move = desks[candidate].movesOf(at[candidate]).find(({ isCalm }) => isCalm);
      const [arrival] = this.arrivalsOf(candidate);
      if (move !== undefined) this.to[candidate] = move.to;
      else if (arrival !== undefined) this.answerInto(candidate, arrival);
      else continue;
      this.settle(next);
      return { time: false, stands: true };
    }
    this.to[n] = this.agedHall();
    for (let candidate = 0; candidate < n; candidate++) this.to[candidate] = this.passedOf(candidate, 0);
    this.settle(next);
    return { time: true, stands: true };
  }

  hasLeader(state: Uint16Array): boolean {
    this.read(state);
    return this.desks.some((_, candidate) => this.factsOf(candidate).isValid);
  }

  /** Of the state that was read last. */
  factsOf(candidate: number): Facts {
    return this.desks[candidate].factsOf(this.at[candidate]);
  }

  read(state: Uint16Array): void {
    for (let k = 0; k < this.at.length; k++) this.at[k] = state[2 * k] + 65_536 * state[2 * k + 1];
  }

  private moveTo(candidate: number, { step, to, violation }: Move, next: Uint16Array, visit: Visit): void {
    this.to.set(this.at);
    this.to[candidate] = to;
    this.finish(step, violation, next, visit);
  }

  private arrive(candidate: number, next: Uint16Array, visit: Visit): void {
    for (const arrival of this.arrivalsOf(candidate)) {
      this.to.set(this.at);
      const violation = this.answerInto(candidate, arrival);
      this.finish(arrival.step, violation, next, visit);
    }
  }

  private arrivalsOf(candidate: number): readonly Arrival[] {
    const number = this.at[candidate];
    this.arrivals[candidate][number] ??= this.findArrivals(candidate, number);
    return this.arrivals[candidate][number];
  }

  /** Puts the station and the hall after an arrival into `to`. */
  private answerInto(candidate: number, { index, request, stays, isLost, after }: Arrival): Violation | null {
    const { at, desks } = this;
    const n = desks.length;
    const { to, reply, replyNumber, violation } = this.answerOf(at[n], request);
    this.to[candidate] = after[replyNumber] ??= desks[candidate].answeredOf(
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
    const { desks, setting } = this;
    const isFull = desks[candidate].stations.all[number].line.length >= setting.line[candidate];
    const ways = ARRIVALS.filter(
      ({ stays, isLost }) => !stays || (setting.duplicates && (isLost || !isFull)),
    );
    return desks[candidate].factsOf(number).requests.flatMap(({ index, request }) =>
      ways.map(({ name, stays, isLost }) => ({
        step: this.steps.of(candidate, `${name} ${index}`, stays),
        index,
        request: this.requests.of(request),
        stays,
        isLost,
        after: [],
      })),
    );
  }

  private answerOf(hall: number, request: number): Answered {
    const key = hall * 0x10_0000 + request;
    let known = this.answered.get(key);
    if (known === undefined) {
      const {
        hall: after,
        reply,
        violation,
      } = answer(this.halls.all[hall], this.requests.all[request], this.setting);
      known = { to: this.hallNumber(after), reply, replyNumber: this.replies.of(reply), violation };
      this.answered.set(key, known);
    }
    return known;
  }

  /** The process behind a nonce has crashed. */
  private isGone({ candidate, attempt }: { readonly candidate: number; readonly attempt: number }): boolean {
    const station = this.desks[candidate].stations.all[this.at[candidate]];
    return station.core === null || attempt < station.first;
  }

  /** A write may reach the sink at once, or be under way for any time. */
  private writeTo(candidate: number, { isValid, token }: Facts, next: Uint16Array, visit: Visit): void {
    const { at, desks, halls, setting } = this;
    if (!isValid || setting.writes === undefined) return;
    const hall = halls.all[at[desks.length]];
    const sent = { ...hall, writes: [...hall.writes, token!] };
    if (hall.writes.length < setting.writes) {
      this.to.set(at);
      this.to[desks.length] = this.hallNumber(sent);
      this.finish(this.steps.of(candidate, 'writes', true), null, next, visit);
    }
    const { hall: after, violation } = accept(sent, token!, setting);
    this.to.set(at);
    this.to[desks.length] = this.hallNumber(after);
    this.finish(this.steps.of(candidate, 'writes at once', true), violation, next, visit);
  }

  private hallMovesOf(number: number): readonly HallMove[] {
    this.hallMoves[number] ??= this.findHallMoves(number);
    return this.hallMoves[number];
  }

  private findHallMoves(number: number): HallMove[] {
    const { setting } = this;
    const hall = this.halls.all[number];
    const rules = setting.rules ?? REAL_RULES;
    const moves: HallMove[] = [];
    const add = (name: string, after: Hall, violation: Violation | null = null): void => {
      moves.push({ step: this.steps.of(-1, name, true), to: this.hallNumber(after), violation });
    };
    if (setting.evictions)
      add('an operator evicts', { ...hall, row: rules.evict(hall.row, 0, setting.hasClock).row });
    if (setting.transfers) {
      for (let heir = 0; heir < setting.timings.length; heir++) {
        const { row } = rules.requestTransfer(hall.row, idOf(heir), 0, setting.hasClock);
        add(`an operator asks for a transfer to ${idOf(heir)}`, { ...hall, row });
      }
    }
    for (const token of new Set(hall.writes)) {
      const { hall: after, violation } = accept(hall, token, setting);
      add(
        `a write of ${token === hall.row.token ? 'the latest' : 'an earlier'} term reaches the sink`,
        after,
        violation,
      );
    }
    return moves.filter(({ to, violation }) => to !== number || violation !== null);
  }

  /** For each candidate as its clocks may go. */
  private passTime(next: Uint16Array, visit: Visit): void {
    const { desks, setting } = this;
    const n = desks.length;
    if (!setting.late && desks.some((_, candidate) => this.factsOf(candidate).isDue)) return;
    const hall = this.agedHall();
    const pass = (candidate: number, name: string): void => {
      if (candidate === n) {
        this.to[n] = hall;
        const saved = this.to.slice();
        this.finish(this.steps.of(-1, name, name !== TIME), null, next, visit);
        this.to.set(saved);
        return;
      }
      for (let how = 0; how < PASSES.length; how++) {
        if (how === 1 && !(setting.suspends && desks[candidate].isAstray)) continue;
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

  private finish(step: number, violation: Violation | null, next: Uint16Array, visit: Visit): void {
    this.settle(next);
    visit(step, violation);
  }

  /** The one form of all states that behave alike. */
  private settle(next: Uint16Array): void {
    this.renumber();
    if (this.exchanges.length > 0) this.exchange();
    this.write(next);
  }

  private agedHall(): number {
    const number = this.at[this.desks.length];
    this.agedHalls[number] ??= this.hallNumber(agedHall(this.halls.all[number], UNIT_MS));
    return this.agedHalls[number];
  }

  private passedOf(candidate: number, how: number): number {
    const number = this.at[candidate];
    this.passed[candidate][how][number] ??= this.desks[candidate].agedOf(number, PASSES[how]);
    return this.passed[candidate][how][number];
  }

  private renumber(): void {
    const { marks, desks, to } = this;
    const n = desks.length;
    const hallMarks = this.marksOfHall(to[n]);
    let gaps = false;
    for (let k = 0; k < marks.length; k++) {
      let all = hallMarks[k];
      for (let candidate = 0; candidate < n; candidate++)
        all |= desks[candidate].factsOf(to[candidate]).marks[k];
      marks[k] = all;
      gaps ||= hasGaps(all);
    }
    if (!gaps) return;
    // Each of the sets has room.
    const key = marks.reduce((sum, mark) => sum * 512 + mark, 0);
    let by = this.renumbered.get(key);
    if (by === undefined) {
      by = {
        by: renumberingOf(marks.slice()),
        order: desks.map((_, candidate) => candidate),
        parts: this.parts(),
      };
      this.renumbered.set(key, by);
    }
    this.apply(by, to);
  }

  private parts(): number[][] {
    return Array.from(this.at, () => []);
  }

  /** Puts into `to` what its parts become. */
  private apply({ by, order, parts }: Renumbered, into: Int32Array): void {
    const { desks, to } = this;
    const n = desks.length;
    into[n] = parts[n][to[n]] ??= this.hallNumber(renumberHall(this.halls.all[to[n]], by));
    for (let k = 0; k < n; k++) {
      into[order[k]] = parts[k][to[k]] ??= desks[order[k]].numberOf(
        renumberStation(desks[k].stations.all[to[k]], k, by),
      );
    }
  }

  /** Of all states that differ only in who is who, the first. */
  private exchange(): void {
    const { to, turned, least } = this;
    least.set(to);
    for (const exchange of this.exchanges) {
      this.apply(exchange, turned);
      for (let k = 0; k < least.length; k++) {
        if (turned[k] === least[k]) continue;
        if (turned[k] < least[k]) least.set(turned);
        break;
      }
    }
    to.set(least);
  }

  private marksOfHall(number: number): Int32Array {
    this.hallMarks[number] ??= marksOf(this.desks.length, (by) => renumberHall(this.halls.all[number], by));
    return this.hallMarks[number];
  }

  private hallNumber(hall: Hall): number {
    return this.halls.of(normalHall(hall, this.setting));
  }

  private write(state: Uint16Array): void {
    for (let k = 0; k < this.to.length; k++) {
      state[2 * k] = this.to[k] & 0xffff;
      state[2 * k + 1] = this.to[k] >>> 16;
    }
  }
}

export const TIME = `${UNIT_MS} ms pass`;

const ARRIVALS = [
  { name: 'arrives', stays: false, isLost: false },
  { name: 'arrives twice', stays: true, isLost: false },
  { name: 'arrives unanswered', stays: true, isLost: true },
] as const;
