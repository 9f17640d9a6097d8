/**
 * The steps of one candidate, by the number of its state. Every step runs the real core once and is cached.
 */

import { Interner } from '../../../../study/src/checker/network/interner.ts';
import type { Violation } from '../../../../study/src/checker/search/system.ts';
import type { CandidateOptions } from '../../../src/lease/core/candidate-options.ts';
import { type CandidateState, initialState } from '../../../src/lease/core/candidate-state.ts';
import type { Input, Output } from '../../../src/lease/core/lease-event.ts';
import { campaigns, observedOf, termOf, withMemory } from './core-map.ts';
import {
  agedCandidate,
  type Grant,
  intern,
  isRequest,
  keyOf,
  MAX_STATES,
  type Message,
  type ModelCandidate,
  NOW,
  normalCandidate,
  type Reply,
  type Request,
} from './model-candidate.ts';
import { OpenCore } from './open-core.ts';
import { marksOf, partsOf, renumberCandidate } from './renumbering.ts';
import { idOf, type Setting, UNIT_MS } from './setting.ts';
import type { Steps } from './steps.ts';

/** A step of one candidate alone. */
export interface Move {
  readonly step: number;
  readonly to: number;
  readonly violation: Violation | null;
  readonly outputs: readonly Output[];
  /** It also happens in runs without faults. */
  readonly isWithoutFault: boolean;
}

/** What the system needs to know about a state. */
export interface Facts {
  readonly marks: Int32Array;
  readonly isValid: boolean;
  readonly isWorking: boolean;
  /** A timer tick would change the state. */
  readonly isDue: boolean;
  /** Campaigns, leads, or will campaign again. */
  readonly campaigns: boolean;
  readonly token: bigint | null;
  readonly violation: Violation | null;
  /** The holder that it waits for, unless it already knows that the holder is gone. */
  readonly awaits: { readonly candidate: number; readonly attempt: number; readonly nonce: string } | null;
  readonly requests: readonly { readonly index: number; readonly request: Request }[];
  readonly mayLoseTime: boolean;
}

export class CandidateMoves {
  readonly states = new Interner<ModelCandidate>('states of a candidate', MAX_STATES);
  readonly options: CandidateOptions;
  private readonly core: OpenCore;
  private readonly allMoves: Move[][] = [];
  private readonly allFacts: Facts[] = [];
  private readonly goneMoves: Move[][] = [];

  constructor(
    readonly candidate: number,
    readonly setting: Setting,
    private readonly steps: Steps,
  ) {
    this.options = {
      name: 'x',
      id: idOf(candidate),
      identity: idOf(candidate),
      priority: setting.priorities?.[candidate] ?? 0,
      processProof: setting.gone ? 'p' : '',
      timing: setting.timings[candidate],
      holdAtLeastMs: 0,
      seed: 1,
    };
    this.core = new (setting.core ?? OpenCore)(this.options);
  }

  get isAstray(): boolean {
    return this.setting.faultyClocks?.includes(this.candidate) ?? true;
  }

  get initial(): number {
    const core = withMemory(initialState(1), { attempt: 0 });
    return this.numberOf({
      core,
      attempt: 0,
      first: 0,
      isWorking: false,
      grants: [],
      messages: [],
      reportedMs: 0,
      slackUnits: 0,
    });
  }

  numberOf(state: ModelCandidate): number {
    return intern(this.states, normalCandidate(state, this.options.timing, this.setting));
  }

  factsOf(number: number): Facts {
    this.allFacts[number] ??= this.lookAt(this.states.all[number]);
    return this.allFacts[number];
  }

  movesOf(number: number): readonly Move[] {
    this.allMoves[number] ??= this.findMoves(number);
    return this.allMoves[number];
  }

  /** A unit of the store's time passes: for both clocks, for the wall clock alone, or for neither. */
  agedOf(number: number, how: 'runs' | 'sleeps' | 'loses'): number {
    const state = this.states.all[number];
    if (how === 'sleeps') return this.numberOf(agedCandidate(state, 0, UNIT_MS));
    const slackUnits = how === 'loses' ? this.setting.slow! - 1 : state.slackUnits - 1;
    const units = how === 'loses' ? 0 : UNIT_MS;
    return this.numberOf({ ...agedCandidate(state, units, units), slackUnits });
  }

  /** A request has arrived at the store; `stays`: it will arrive again. */
  answeredOf(number: number, index: number, reply: Reply, stays: boolean, isLost: boolean): number {
    const state = this.states.all[number];
    const { call, sent } = state.messages[index];
    const messages = state.messages.filter((_, k) => stays || k !== index);
    return this.numberOf({
      ...state,
      messages: isLost ? messages : [...messages, { call, sent, body: reply }],
    });
  }

  /** The holder that it waits for has provably ended. */
  goneOf(number: number): readonly Move[] {
    const { nonce } = this.factsOf(number).awaits!;
    this.goneMoves[number] ??= this.tell(number, 'learns of the end', true, { type: 'gone', nonce });
    return this.goneMoves[number];
  }

  private lookAt(state: ModelCandidate): Facts {
    const { core, setting } = this;
    const marks = marksOf(setting.timings.length, (by) => renumberCandidate(state, this.candidate, by));
    const requests = state.messages.flatMap(({ body }, index) =>
      isRequest(body) ? [{ index, request: body }] : [],
    );
    if (state.core === null) {
      return {
        marks,
        isValid: false,
        isWorking: false,
        isDue: false,
        campaigns: false,
        token: null,
        violation: null,
        awaits: null,
        requests,
        mayLoseTime: false,
      };
    }
    core.load(state.core);
    const isValid = core.isValid(NOW);
    const { wakeMs } = core;
    const observed = observedOf(state.core);
    const violation = this.inspect(state, isValid, core.remainingMs(NOW));
    const isDue = this.play(state, { type: 'tick' }, 0).changed;
    const awaits =
      setting.gone && observed !== null && observed.nonce !== null && !observed.gone
        ? { ...partsOf(observed.nonce), nonce: observed.nonce }
        : null;
    const wakes = wakeMs !== null && wakeMs <= 0;
    return {
      marks,
      isValid,
      isWorking: state.isWorking,
      isDue,
      campaigns: campaigns(state.core),
      token: termOf(state.core)?.token ?? null,
      violation:
        violation ??
        (wakes === isDue
          ? null
          : {
              property: 'timer',
              text: isDue
                ? `candidate ${idOf(this.candidate)} has something to do and asked for no timer`
                : `candidate ${idOf(this.candidate)} asked for a timer for nothing`,
            }),
      awaits,
      requests,
      mayLoseTime: this.isAstray && setting.slow !== undefined && state.slackUnits === 0,
    };
  }

  /** P2, from the grants that reached the candidate, not from the state of its core. */
  private inspect({ grants, core }: ModelCandidate, isValid: boolean, remainingMs: number): Violation | null {
    const { stopAfterMs, killAfterMs } = this.options.timing;
    const who = `candidate ${idOf(this.candidate)}`;
    const granted = grants.filter(({ token }) => token === termOf(core)?.token);
    const leftMs = (ms: number): number =>
      Math.max(...granted.map(({ sent }) => ms + Math.min(sent.monoMs, sent.wallMs)));
    if (isValid && leftMs(stopAfterMs) <= 0) {
      const text =
        granted.length === 0
          ? 'the store granted no such term'
          : 'on one of its clocks the time since the granted request has passed';
      return { property: 'P2', text: `${who} claims leadership, and ${text}` };
    }
    if (remainingMs > 0 && remainingMs > leftMs(killAfterMs))
      return { property: 'P2', text: `${who} gives its work more time than it has` };
    return null;
  }

  private findMoves(number: number): Move[] {
    const { setting } = this;
    const state = this.states.all[number];
    const { core } = state;
    if (core === null) return this.restart(state);
    const { type: phase, current } = core.phase;
    const moves: Move[] = [];
    const add = (name: string, isFault: boolean, input: Input): void => {
      moves.push(...this.tell(number, name, isFault, input));
    };
    if (this.factsOf(number).isDue) add('timer', false, { type: 'tick' });
    state.messages.forEach((message, index) => {
      if (!isRequest(message.body)) add(`hears ${index}`, false, inputOf(message));
    });
    if (phase === 'idle' || phase === 'withdrawing') add('campaigns', false, { type: 'campaign' });
    if (phase === 'stopping' || (state.isWorking && setting.ends))
      add('settles', phase === 'leading', { type: 'settled' });
    if (setting.releases && phase === 'leading') add('resigns', true, resignation(null, true));
    if (setting.releases && phase !== 'idle') add('withdraws', true, resignation(null, false));
    if (setting.transfers && phase === 'leading') {
      const successors = setting.timings
        .map((_, candidate) => candidate)
        .filter((each) => each !== this.candidate);
      for (const successor of successors) {
        add(`hands over to ${idOf(successor)}`, true, resignation(idOf(successor), true));
      }
    }
    if (setting.stalls && state.isWorking) add('reports', false, { type: 'progress' });
    if (setting.notifications) add('notification', true, { type: 'notification' });
    if (setting.storeErrors && current !== null)
      add('fails', true, { type: 'store-error', call: current.call, kind: 'unreachable' });
    for (const ms of this.isAstray ? (setting.jumpsMs ?? []) : []) {
      const to = this.numberOf(agedCandidate(state, 0, ms));
      moves.push(this.plain(`jumps ${ms}`, to));
    }
    if (setting.crashes) {
      const messages = state.messages
        .filter(({ body }) => isRequest(body))
        .map((message) => ({ ...message, call: 0 }));
      const to = this.numberOf({ ...state, core: null, isWorking: false, grants: [], messages });
      moves.push(this.plain('crashes', to));
    }
    return moves.filter((move) => move.to !== number || move.violation !== null);
  }

  /** A new process, which shares only its name with the old one. */
  private restart(state: ModelCandidate): Move[] {
    const attempt = state.attempt + 1;
    const core = withMemory(initialState(1), { attempt });
    const to = this.numberOf({ ...state, core, attempt, first: attempt });
    return [this.plain('restarts', to)];
  }

  private plain(name: string, to: number): Move {
    return {
      step: this.steps.of(this.candidate, name, true),
      to,
      violation: null,
      outputs: [],
      isWithoutFault: false,
    };
  }

  /** All results of an input: for each random draw, and for each message that a full link may lose. */
  private tell(number: number, name: string, isFault: boolean, input: Input): Move[] {
    const state = this.states.all[number];
    const moves: Move[] = [];
    const isWithoutFault = !isFault && input.type !== 'campaign';
    for (const drawn of this.setting.draws ? [0, Number.POSITIVE_INFINITY] : [0]) {
      const { after, violation, outputs } = this.play(state, input, drawn);
      for (const messages of fitting(after.messages, this.setting.inFlight[this.candidate])) {
        const to = this.numberOf({ ...after, messages });
        if (moves.some((move) => move.to === to)) continue;
        const way = moves.length === 0 ? name : `${name}, ${moves.length}`;
        moves.push({
          step: this.steps.of(this.candidate, way, isFault),
          to,
          violation,
          outputs,
          isWithoutFault,
        });
      }
    }
    return moves;
  }

  /** The work has reported no progress for longer than it may, and was not told to stop. */
  private isStalled({ core, isWorking, reportedMs }: ModelCandidate, input: Input): boolean {
    const { stallAfterMs } = this.options.timing;
    if (!this.setting.stalls || core?.phase.type !== 'leading' || !isWorking || input.type === 'progress')
      return false;
    return -reportedMs > stallAfterMs!;
  }

  private play(
    state: ModelCandidate,
    input: Input,
    drawn: number,
  ): { after: ModelCandidate; violation: Violation | null; outputs: readonly Output[]; changed: boolean } {
    const { core } = this;
    core.load(state.core as CandidateState);
    core.drawn = drawn;
    const outputs = core.step(input, NOW);
    const messages: Message[] = state.messages.filter(
      ({ call, body }) =>
        isRequest(body) || !('call' in input) || input.type === 'store-error' || call !== input.call,
    );
    const who = `candidate ${idOf(this.candidate)}`;
    let isWorking = state.isWorking && input.type !== 'settled';
    let violation: Violation | null = null;
    for (const output of outputs) {
      switch (output.type) {
        case 'acquire':
          messages.push({ call: output.call, sent: NOW, body: { type: 'acquire', request: output.request } });
          break;
        case 'renew':
          messages.push({ call: output.call, sent: NOW, body: { type: 'renew', request: output.request } });
          if (this.isStalled(state, input))
            violation = { property: 'stalled work', text: `${who} renews the lease of work that is stalled` };
          break;
        case 'release':
          messages.push({ call: output.call, sent: NOW, body: { type: 'release', request: output.request } });
          if (isWorking)
            violation = {
              property: 'work before release',
              text: `${who} releases the lease while its work runs`,
            };
          break;
        case 'elected':
          if (isWorking)
            violation = {
              property: 'one term at a time',
              text: `${who} begins a term while the work of the last one runs`,
            };
          isWorking = true;
          break;
        case 'overdue':
          if (this.setting.kills) isWorking = false;
          break;
        case 'ended':
          if (isWorking)
            violation = {
              property: 'one term at a time',
              text: `${who} ends a term while its work runs`,
            };
          break;
      }
    }
    const [term, next] = [termOf(state.core), termOf(core.saved)];
    if (term !== null && next?.token === term.token && next.granted.monoMs < term.granted.monoMs)
      violation = { property: 'late answer', text: `an answer shortens the lease of ${who}` };
    const reports = input.type === 'progress' || (isWorking && !state.isWorking);
    const after: ModelCandidate = {
      ...state,
      reportedMs: reports ? 0 : state.reportedMs,
      core: core.saved,
      isWorking,
      grants: grantsAfter(state, input),
      messages,
    };
    const changed = outputs.length > 0 || this.numberOf(after) !== this.numberOf(state);
    return { after, violation, outputs, changed };
  }
}

function resignation(successor: string | null, again: boolean): Input {
  return { type: 'release', reason: successor === null ? 'released' : 'transferred', successor, again };
}

function inputOf({ call, body }: Message): Input {
  if (body.type === 'acquire-answer') {
    // At the short TTLs of a search, candidates ask as often with notifications as without.
    return { type: 'acquire-answer', call, answer: body.answer, pushing: false };
  }
  if (body.type === 'renew-answer') return { type: 'renew-answer', call, answer: body.answer };
  if (body.type === 'release-answer') return { type: 'release-answer', call, answer: body.answer };
  throw new TypeError('the message must be an answer, not a request');
}

/** The grants that have reached the candidate, as the observer records them. */
function grantsAfter({ grants, messages }: ModelCandidate, input: Input): readonly Grant[] {
  if (!('call' in input)) return grants;
  const heard = messages.find(({ call, body }) => call === input.call && body.type === input.type);
  if (heard === undefined) return grants;
  const { body, sent } = heard;
  if (body.type === 'acquire-answer' && body.answer.type === 'ok')
    return [...grants, { token: body.answer.token, sent }];
  if (body.type === 'renew-answer' && body.answer.type === 'ok')
    return [...grants, { token: body.token, sent }];
  return grants;
}

/** Every way to lose messages until the rest fits. */
function fitting(messages: readonly Message[], most: number): (readonly Message[])[] {
  if (messages.length <= most) return [messages];
  const seen = new Set<string>();
  return messages.flatMap((_, lost) => {
    const rest = messages.filter((__, k) => k !== lost);
    const key = keyOf(rest);
    if (seen.has(key)) return [];
    seen.add(key);
    return fitting(rest, most);
  });
}
