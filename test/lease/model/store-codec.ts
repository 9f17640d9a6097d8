/** What the store and the sink can do, by the number of the hall: every step is tried once and remembered. */
import type { Violation } from '../../../src/checker/index.ts';
import { Things } from './interner.ts';
import type { Reply, Request } from './model-candidate.ts';
import { accept, agedHall, answer, EMPTY_HALL, type Hall, normalHall } from './model-store.ts';
import { marksOf, renumberHall } from './renumbering.ts';
import { idOf, REAL_RULES, type Setting, UNIT_MS } from './setting.ts';
import type { Steps } from './steps.ts';

/** A step that no candidate takes. */
export interface HallMove {
  readonly step: number;
  readonly to: number;
  readonly violation: Violation | null;
}

export interface Answered {
  readonly to: number;
  readonly reply: Reply;
  readonly replyNumber: number;
  readonly violation: Violation | null;
}

export class StoreDesk {
  readonly halls = new Things<Hall>();
  readonly requests = new Things<Request>();
  private readonly replies = new Things<Reply>();
  private readonly answered = new Map<number, Answered>();
  private readonly moves: HallMove[][] = [];
  private readonly marks: Int32Array[] = [];
  private readonly aged: number[] = [];

  constructor(
    private readonly setting: Setting,
    private readonly steps: Steps,
  ) {}

  get initial(): number {
    return this.numberOf(EMPTY_HALL);
  }

  numberOf(hall: Hall): number {
    return this.halls.of(normalHall(hall, this.setting));
  }

  marksOf(number: number): Int32Array {
    this.marks[number] ??= marksOf(this.setting.timings.length, (by) =>
      renumberHall(this.halls.all[number], by),
    );
    return this.marks[number];
  }

  /** A unit of time passes. */
  agedOf(number: number): number {
    this.aged[number] ??= this.numberOf(agedHall(this.halls.all[number], UNIT_MS));
    return this.aged[number];
  }

  answerOf(hall: number, request: number): Answered {
    const key = hall * 0x10_0000 + request;
    let known = this.answered.get(key);
    if (known === undefined) {
      const { setting, halls, requests } = this;
      const { hall: after, reply, violation } = answer(halls.all[hall], requests.all[request], setting);
      known = { to: this.numberOf(after), reply, replyNumber: this.replies.of(reply), violation };
      this.answered.set(key, known);
    }
    return known;
  }

  /** A leader writes: the write is under way, or has reached the sink at once. */
  writesOf(number: number, candidate: number, token: bigint): readonly HallMove[] {
    const { setting, steps } = this;
    const hall = this.halls.all[number];
    const sent = { ...hall, writes: [...hall.writes, token] };
    const { hall: after, violation } = accept(sent, token, setting);
    const atOnce = {
      step: steps.of(candidate, 'writes at once', true),
      to: this.numberOf(after),
      violation,
    };
    if (hall.writes.length >= setting.writes!) return [atOnce];
    return [{ step: steps.of(candidate, 'writes', true), to: this.numberOf(sent), violation: null }, atOnce];
  }

  movesOf(number: number): readonly HallMove[] {
    this.moves[number] ??= this.findMoves(number);
    return this.moves[number];
  }

  private findMoves(number: number): HallMove[] {
    const { setting } = this;
    const hall = this.halls.all[number];
    const rules = setting.rules ?? REAL_RULES;
    const moves: HallMove[] = [];
    const add = (name: string, after: Hall, violation: Violation | null = null): void => {
      moves.push({ step: this.steps.of(-1, name, true), to: this.numberOf(after), violation });
    };
    if (setting.evictions) {
      add('an operator evicts', { ...hall, row: rules.evict(hall.row, 0, setting.hasClock).row });
    }
    if (setting.transfers) {
      for (let successor = 0; successor < setting.timings.length; successor++) {
        const { row } = rules.requestTransfer(hall.row, idOf(successor), 0, setting.hasClock);
        add(`an operator asks for a transfer to ${idOf(successor)}`, { ...hall, row });
      }
    }
    for (const token of new Set(hall.writes)) {
      const { hall: after, violation } = accept(hall, token, setting);
      const which = token === hall.row.token ? 'the latest' : 'an earlier';
      add(`a write of ${which} term reaches the sink`, after, violation);
    }
    return moves.filter(({ to, violation }) => to !== number || violation !== null);
  }
}
