/** The steps of the store and the sink, by the number of their state. Every step is computed once and cached. */
import type { Violation } from '../../../../study/src/checker/index.ts';
import { Interner } from '../../../../study/src/checker/network/interner.ts';
import { intern, MAX_STATES, type Reply, type Request } from './model-candidate.ts';
import {
  accept,
  agedStore,
  answer,
  EMPTY_STORE,
  lose,
  type ModelStore,
  normalStore,
  setBack,
} from './model-store.ts';
import { marksOf, renumberStore } from './renumbering.ts';
import { idOf, REAL_RULES, type Setting, UNIT_MS } from './setting.ts';
import type { Steps } from './steps.ts';

/** A step of no candidate. */
export interface StoreMove {
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

export class StoreMoves {
  readonly states = new Interner<ModelStore>('states of the store', MAX_STATES);
  readonly requests = new Interner<Request>('requests', MAX_STATES);
  private readonly replies = new Interner<Reply>('replies', MAX_STATES);
  private readonly answered = new Map<number, Answered>();
  private readonly moves: StoreMove[][] = [];
  private readonly marks: Int32Array[] = [];
  private readonly aged: number[] = [];

  constructor(
    private readonly setting: Setting,
    private readonly steps: Steps,
  ) {}

  get initial(): number {
    return this.numberOf(EMPTY_STORE);
  }

  numberOf(state: ModelStore): number {
    return intern(this.states, normalStore(state, this.setting));
  }

  numberOfRequest(request: Request): number {
    return intern(this.requests, request);
  }

  marksOf(number: number): Int32Array {
    this.marks[number] ??= marksOf(this.setting.timings.length, (by) =>
      renumberStore(this.states.all[number], by),
    );
    return this.marks[number];
  }

  /** A unit of time passes. */
  agedOf(number: number): number {
    this.aged[number] ??= this.numberOf(agedStore(this.states.all[number], UNIT_MS));
    return this.aged[number];
  }

  answerOf(state: number, request: number): Answered {
    const key = state * 0x10_0000 + request;
    let known = this.answered.get(key);
    if (known === undefined) {
      const { setting, states, requests } = this;
      const { store: after, reply, violation } = answer(states.all[state], requests.all[request], setting);
      known = { to: this.numberOf(after), reply, replyNumber: intern(this.replies, reply), violation };
      this.answered.set(key, known);
    }
    return known;
  }

  /** A leader writes: the write is in flight, or reaches the sink at once. */
  writesOf(number: number, candidate: number, token: bigint): readonly StoreMove[] {
    const { setting, steps } = this;
    const state = this.states.all[number];
    const sent = { ...state, writes: [...state.writes, token] };
    const { store: after, violation } = accept(sent, token, setting);
    const atOnce = {
      step: steps.of(candidate, 'writes at once', true),
      to: this.numberOf(after),
      violation,
    };
    if (state.writes.length >= setting.writes!) return [atOnce];
    return [{ step: steps.of(candidate, 'writes', true), to: this.numberOf(sent), violation: null }, atOnce];
  }

  movesOf(number: number): readonly StoreMove[] {
    this.moves[number] ??= this.findMoves(number);
    return this.moves[number];
  }

  private findMoves(number: number): StoreMove[] {
    const { setting } = this;
    const state = this.states.all[number];
    const rules = setting.rules ?? REAL_RULES;
    const moves: StoreMove[] = [];
    const add = (name: string, after: ModelStore, violation: Violation | null = null): void => {
      moves.push({ step: this.steps.of(-1, name, true), to: this.numberOf(after), violation });
    };
    if (setting.evictions) {
      add('an operator evicts', { ...state, row: rules.evict(state.row, null, 0, setting.hasClock).row });
    }
    if (setting.transfers) {
      for (let successor = 0; successor < setting.timings.length; successor++) {
        const { row } = rules.requestTransfer(state.row, idOf(successor), true, 0, setting.hasClock);
        add(`an operator asks for a transfer to ${idOf(successor)}`, { ...state, row });
      }
    }
    if (setting.setsBack) add('the clock of the store is set back', setBack(state));
    if (setting.forgets) add('the store loses its data', lose(state));
    for (const token of new Set(state.writes)) {
      const { store: after, violation } = accept(state, token, setting);
      const which = token === state.row.token ? 'the latest' : 'an earlier';
      add(`a write of ${which} term reaches the sink`, after, violation);
    }
    return moves.filter(({ to, violation }) => to !== number || violation !== null);
  }
}
