/**
 * The quorum gate as a transition system: three members, of which two were elected, in every order of claims, requests,
 * answers, losses, restarts and time. All clocks run at the same rate; the margin is for those that do not.
 *
 * Times are relative to the present, and those that no longer matter are equal, so the states are finite.
 */
import type { Violation } from '../../../study/src/checker/index.ts';
import { type PlainStep, PlainSystem } from '../../../study/test/checker/plain-system.ts';
import { granted, isOver, type LeadClaim, leadsUntilMs, newClaim } from '../../src/gate/claim.ts';
import {
  considerRequest,
  NO_SUPPORT,
  released,
  type Support,
  startedSupporter,
} from '../../src/gate/supporter.ts';

interface Member {
  readonly support: Support;
  readonly boundTo: number;
  readonly boundUntilMs: number;
  readonly claim: {
    readonly token: number;
    readonly grantedMs: [number, number][];
    readonly hasLed: boolean;
  } | null;
}

interface Message {
  readonly type: 'request' | 'grant' | 'release';
  readonly from: number;
  readonly to: number;
  readonly token: number;
  readonly sentMs: number;
}

export interface GateState {
  readonly members: readonly Member[];
  readonly messages: readonly Message[];
  readonly restarts: number;
  /** The largest token that has led. */
  readonly ledToken: number;
  /** A lead began with a token that did not rise. */
  readonly fell: boolean;
  /** A lead that was over began again. */
  readonly revived: boolean;
}

export interface GateSetting {
  readonly leaseMs: number;
  readonly claimants: number;
  readonly tokens: number;
  readonly inFlight: number;
  readonly restarts: number;
  /** A leader may look at its clock long after its lead is over. Otherwise it ends its claim at once. */
  readonly lateTimers?: boolean;
  /** Mutants. */
  readonly grants?: typeof granted;
  readonly considers?: typeof considerRequest;
  readonly starts?: typeof startedSupporter;
  /** What is on disk after a crash. */
  readonly keeps?: (support: Support) => Support;
  /** The lease counts from the arrival of the answer. */
  readonly countsFromAnswer?: boolean;
  /** The claimant does not support itself before it asks the others. */
  readonly asksFirst?: boolean;
}

const SIZE = 3;

export class GateSystem extends PlainSystem<GateState> {
  private readonly timing: { readonly leaseMs: number; readonly marginMs: number };
  private readonly considers: typeof considerRequest;

  constructor(private readonly setting: GateSetting) {
    super();
    this.timing = { leaseMs: setting.leaseMs, marginMs: 0 };
    this.considers = setting.considers ?? considerRequest;
  }

  start(): GateState {
    const member: Member = { support: NO_SUPPORT, boundTo: -1, boundUntilMs: 0, claim: null };
    return {
      members: Array.from({ length: SIZE }, () => member),
      messages: [],
      restarts: this.setting.restarts,
      ledToken: 0,
      fell: false,
      revived: false,
    };
  }

  *stepsOf(state: GateState): Iterable<PlainStep<GateState>> {
    for (const step of this.moves(state)) yield { ...step, to: this.normal(step.to) };
  }

  private *moves(state: GateState): Iterable<PlainStep<GateState>> {
    const { claimants, inFlight, tokens } = this.setting;
    for (const [at, member] of state.members.entries()) {
      if (state.restarts > 0) yield { label: `${at} restarts`, to: this.restarted(state, at), isFault: true };
      if (at >= claimants) continue;
      if (member.claim === null) {
        if (member.support.token < tokens) yield* this.claims(state, at);
        continue;
      }
      const claim = claimOf(member.claim);
      yield* this.supportsItself(state, at, claim);
      // Its election names another, or it was told of a larger token.
      yield { label: `${at} gives up`, to: this.with(state, at, { ...member, claim: null }) };
      if (state.messages.length >= inFlight) continue;
      yield { label: `${at} releases`, to: this.released(state, at, claim.token) };
      for (let to = 0; to < SIZE; to++) {
        if (to === at) continue;
        const request: Message = { type: 'request', from: at, to, token: claim.token, sentMs: 0 };
        yield { label: `${at} asks ${to}`, to: withMessages(state, [...state.messages, request]) };
      }
    }
    for (const [place, message] of state.messages.entries()) {
      const rest = withMessages(state, state.messages.toSpliced(place, 1));
      const { from, to, token, type } = message;
      yield { label: `lost: ${type} ${token} ${from} > ${to}`, to: rest, isFault: true };
      yield { label: `${type} ${token} ${from} > ${to}`, to: this.arrived(rest, message) };
    }
    yield { label: 'time passes', to: this.later(state) };
  }

  violationIn({ members, fell, revived }: GateState): Violation | null {
    const leaders = members.filter(
      ({ claim }) => claim !== null && leadsUntilMs(claimOf(claim), SIZE, this.timing) > 0,
    );
    if (leaders.length > 1) return { property: 'one leader', text: 'two members lead at the same time' };
    if (revived) return { property: 'one lead per token', text: 'a lead that was over began again' };
    return fell ? { property: 'rising tokens', text: 'a lead began with a token that did not rise' } : null;
  }

  violationAtEnd(): null {
    return null;
  }

  private *claims(state: GateState, at: number): Iterable<PlainStep<GateState>> {
    const member = state.members[at];
    const token = member.support.token + 1;
    const { refusal, supporter } = this.considers(member, at, token, 0, this.timing.leaseMs);
    if (this.setting.asksFirst) {
      const claimed = { ...member, claim: plainOf(newClaim(token)) };
      yield { label: `${at} claims ${token}`, to: this.with(state, at, claimed) };
    } else if (refusal === null) {
      const claim = granted(newClaim(token), at, 0, 0, SIZE, this.timing);
      yield {
        label: `${at} claims ${token}`,
        to: this.with(state, at, { ...supporter, claim: plainOf(claim) }),
      };
    }
  }

  private *supportsItself(state: GateState, at: number, claim: LeadClaim): Iterable<PlainStep<GateState>> {
    const member = state.members[at];
    const { refusal, supporter } = this.considers(member, at, claim.token, 0, this.timing.leaseMs);
    if (refusal !== null) return;
    const to = this.granting(this.with(state, at, { ...member, ...supporter }), at, at, 0, claim);
    yield { label: `${at} supports itself`, to };
  }

  private arrived(state: GateState, { type, from, to, token, sentMs }: Message): GateState {
    const member = state.members[to];
    if (type === 'release') {
      return this.with(state, to, { ...member, ...released(member, from, token, 0) });
    }
    if (type === 'request') {
      const { refusal, supporter } = this.considers(member, from, token, 0, this.timing.leaseMs);
      if (refusal !== null) return state;
      const answer: Message = { type: 'grant', from: to, to: from, token, sentMs };
      const next = this.with(state, to, { ...member, ...supporter });
      return withMessages(next, [...next.messages, answer]);
    }
    if (member.claim === null || member.claim.token !== token) return state;
    return this.granting(state, to, from, this.setting.countsFromAnswer ? 0 : sentMs, claimOf(member.claim));
  }

  private granting(state: GateState, at: number, by: number, sentMs: number, claim: LeadClaim): GateState {
    const { grants = granted } = this.setting;
    const next = grants(claim, by, sentMs, 0, SIZE, this.timing);
    const begins = next.hasLed && !claim.hasLed;
    const wasOver = isOver(claim, 0, SIZE, this.timing);
    return {
      ...this.with(state, at, { ...state.members[at], claim: plainOf(next) }),
      fell: state.fell || (begins && next.token <= state.ledToken),
      revived: state.revived || (wasOver && !isOver(next, 0, SIZE, this.timing)),
      ledToken: begins ? Math.max(state.ledToken, next.token) : state.ledToken,
    };
  }

  /** It stops leading, and tells one of the others; the message to the other is lost. */
  private released(state: GateState, at: number, token: number): GateState {
    const member = state.members[at];
    const unbound = this.with(state, at, { ...member, ...released(member, at, token, 0), claim: null });
    const message: Message = { type: 'release', from: at, to: SIZE - 1, token, sentMs: 0 };
    return withMessages(unbound, [...state.messages, message]);
  }

  private restarted(state: GateState, at: number): GateState {
    const { keeps = (support) => support, starts = startedSupporter } = this.setting;
    const supporter = starts(keeps(state.members[at].support), 0, this.timing.leaseMs);
    return {
      ...this.with(state, at, { ...supporter, claim: null }),
      restarts: state.restarts - 1,
    };
  }

  private later(state: GateState): GateState {
    const { leaseMs } = this.timing;
    const past = (ms: number): number => Math.max(ms - 1, -leaseMs);
    const members = state.members.map(({ boundTo, boundUntilMs, claim, support }): Member => {
      const left = Math.max(0, boundUntilMs - 1);
      return {
        support,
        boundTo,
        boundUntilMs: left,
        claim: claim && {
          ...claim,
          grantedMs: claim.grantedMs.map(([by, ms]) => [by, past(ms)]),
        },
      };
    });
    const messages = state.messages.map((message) => ({ ...message, sentMs: past(message.sentMs) }));
    return withMessages({ ...state, members }, messages);
  }

  /** Without what can no longer make a difference. */
  private normal(state: GateState): GateState {
    const { leaseMs } = this.timing;
    const { lateTimers = false } = this.setting;
    const members = state.members.map(({ boundTo, boundUntilMs, claim, support }): Member => {
      const isPast = claim === null || (!lateTimers && isOver(claimOf(claim), 0, SIZE, this.timing));
      return {
        support,
        boundTo: boundUntilMs > 0 ? boundTo : -1,
        boundUntilMs,
        claim: isPast
          ? null
          : {
              ...claim,
              grantedMs: claim.grantedMs.filter(([, ms]) => ms > -leaseMs),
            },
      };
    });
    const matters = ({ type, from, to, token, sentMs }: Message): boolean => {
      const { claim, support } = members[to];
      if (type === 'grant')
        return claim?.token === token && (sentMs > -leaseMs || !!this.setting.countsFromAnswer);
      if (type === 'release') return members[to].boundTo === from && token === support.token;
      if (this.setting.considers !== undefined) return true;
      return token > support.token || (token === support.token && from === support.leader);
    };
    return withMessages({ ...state, members }, state.messages.filter(matters));
  }

  private with(state: GateState, at: number, { support, boundTo, boundUntilMs, claim }: Member): GateState {
    const members = state.members.with(at, { support, boundTo, boundUntilMs, claim });
    return { ...state, members };
  }
}

/** Messages in flight are a set: their order does not matter. */
function withMessages(state: GateState, messages: readonly Message[]): GateState {
  const sorted = messages.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { ...state, messages: sorted };
}

function claimOf({ grantedMs, ...claim }: NonNullable<Member['claim']>): LeadClaim {
  return { ...claim, grantedMs: new Map(grantedMs) };
}

function plainOf({ token, grantedMs, hasLed }: LeadClaim): Member['claim'] {
  return { token, grantedMs: [...grantedMs].sort(([a], [b]) => a - b), hasLed };
}
