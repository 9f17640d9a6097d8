/**
 * The quorum gate between members of which some forget, as a transition system: every order of claims, requests, answers, losses,
 * restarts, lost folders and time. With `kept` folders a member that comes back with another folder is refused by those that have
 * recorded the first one. With `ephemeral` ones it waits, and asks. Terms and votes of an algorithm with a majority of its own are
 * tokens and support with other names.
 *
 * Times are relative to the present, and those that no longer matter are equal, so the states are finite.
 */
import type { Violation } from '../../../study/src/checker/index.ts';
import { type PlainStep, PlainSystem } from '../../../study/test/checker/plain-system.ts';
import {
  type FolderRecord,
  folderProblem,
  isRecorded,
  withPeer,
  withRecorder,
} from '../../src/folder/folder-record.ts';
import {
  askedAgain,
  mayAsk,
  type Recovery,
  recollected,
  startedRecovery,
  withAnswer,
} from '../../src/folder/recovery.ts';
import { granted, isOver, type LeadClaim, leadsUntilMs, newClaim } from '../../src/gate/claim.ts';
import { considerRequest, NO_SUPPORT, type Support, startedSupporter } from '../../src/gate/supporter.ts';

interface Member {
  readonly support: Support;
  readonly boundTo: number;
  readonly boundUntilMs: number;
  readonly claim: {
    readonly token: number;
    readonly grantedMs: [number, number][];
    readonly hasLed: boolean;
  } | null;
  /** Ephemeral: until it has recovered. */
  readonly recovery: Recovery | null;
  /** Kept folders. */
  readonly folder: FolderRecord;
}

interface Message {
  readonly type: 'request' | 'grant';
  readonly from: number;
  readonly to: number;
  readonly token: number;
  readonly sentMs: number;
  /** The sender's folder. */
  readonly folder: string;
}

export interface ForgetfulState {
  readonly members: readonly Member[];
  readonly messages: readonly Message[];
  readonly restarts: number;
  readonly losses: number;
  /** The largest token that has led. */
  readonly ledToken: number;
  /** A lead began with a token that did not rise. */
  readonly fell: boolean;
}

export interface ForgetfulSetting {
  readonly folders: 'kept' | 'ephemeral';
  readonly size: number;
  /** The members below this one may be elected. */
  readonly claimants: number;
  readonly tokens: number;
  /** Messages on their way; with 0 a request is answered at once. */
  readonly inFlight: number;
  readonly restarts: number;
  /** How often a folder is lost; never those of a majority at once. */
  readonly losses: number;
  readonly forgetful: readonly number[];
  /** By claimant: whom it asks; all others unless given. */
  readonly asks?: readonly (readonly number[])[];
  /** By member: those that answer it when it recovers; all unless given. */
  readonly tells?: Readonly<Record<number, readonly number[]>>;
  /** Mutants. */
  readonly mutant?:
    | 'does not wait'
    | 'counts earlier answers'
    | 'counts recovering members'
    | 'asks once'
    | 'majority of all'
    | 'keeps a divided token'
    | 'forgets the folders of others'
    | 'compares nothing'
    | undefined;
}

const LEASE_MS = 1;
const TIMING = { leaseMs: LEASE_MS, marginMs: 0 };

export class ForgetfulSystem extends PlainSystem<ForgetfulState> {
  private readonly ids: readonly number[];

  constructor(private readonly setting: ForgetfulSetting) {
    super();
    this.ids = Array.from({ length: setting.size }, (_, id) => id);
  }

  /** Members whose folders are never lost know each other's. */
  start(): ForgetfulState {
    const { folders, forgetful, losses, restarts } = this.setting;
    const steady = this.ids.filter((id) => !forgetful.includes(id));
    const members = this.ids.map((id): Member => {
      const peers = Object.fromEntries(steady.filter((other) => other !== id).map((other) => [other, '0']));
      const isSteady = steady.includes(id);
      const folder: FolderRecord = {
        id: '0',
        recordedBy: isSteady ? this.ids.filter((other) => other !== id) : [],
        peers: folders === 'kept' ? peers : {},
      };
      return { support: NO_SUPPORT, boundTo: -1, boundUntilMs: 0, claim: null, recovery: null, folder };
    });
    return { members, messages: [], restarts, losses, ledToken: 0, fell: false };
  }

  *stepsOf(state: ForgetfulState): Iterable<PlainStep<ForgetfulState>> {
    for (const step of this.moves(state)) yield { ...step, to: this.normal(step.to) };
  }

  private *moves(state: ForgetfulState): Iterable<PlainStep<ForgetfulState>> {
    const { claimants, folders, forgetful, inFlight, tokens } = this.setting;
    for (const at of this.ids) {
      const member = state.members[at];
      if (state.restarts > 0) yield { label: `${at} restarts`, to: this.restarted(state, at), isFault: true };
      if (state.losses > 0 && forgetful.includes(at) && this.mayLose(state, at))
        yield { label: `${at} loses its folder`, to: this.lost(state, at), isFault: true };
      yield* folders === 'kept' ? this.meetings(state, at) : this.recoveries(state, at);
      if (at >= claimants || !this.isAdmitted(member, at)) continue;
      if (member.claim === null) {
        if (member.support.token < tokens) yield* this.claims(state, at);
        continue;
      }
      const claim = claimOf(member.claim);
      yield* this.supportsItself(state, at, claim);
      if (inFlight > 0 && state.messages.length >= inFlight) continue;
      for (const to of this.setting.asks?.[at] ?? this.ids) {
        if (to === at) continue;
        const request = this.message('request', at, to, claim.token, 0, member);
        if (inFlight > 0)
          yield { label: `${at} asks ${to}`, to: withMessages(state, [...state.messages, request]) };
        else if (this.mayArrive(state, request))
          yield { label: `${to} answers the request of ${at}`, to: this.answered(state, request) };
      }
    }
    for (const [place, message] of state.messages.entries()) {
      const rest = withMessages(state, state.messages.toSpliced(place, 1));
      const { from, to, token, type } = message;
      yield { label: `lost: ${type} ${token} ${from} > ${to}`, to: rest, isFault: true };
      if (this.mayArrive(state, message))
        yield { label: `${type} ${token} ${from} > ${to}`, to: this.arrived(rest, message) };
    }
    yield { label: 'time passes', to: this.later(state) };
  }

  violationIn({ members, fell }: ForgetfulState): Violation | null {
    const leaders = members.filter(
      ({ claim }) => claim !== null && leadsUntilMs(claimOf(claim), this.setting.size, TIMING) > 0,
    );
    if (leaders.length > 1) return { property: 'one leader', text: 'two members lead at the same time' };
    return fell ? { property: 'rising tokens', text: 'a lead began with a token that did not rise' } : null;
  }

  violationAtEnd(): null {
    return null;
  }

  private isAdmitted({ folder, recovery }: Member, at: number): boolean {
    if (this.setting.folders === 'ephemeral') return recovery === null;
    const { mutant, size } = this.setting;
    if (mutant === 'compares nothing') return true;
    if (mutant === 'majority of all') return folder.recordedBy.length >= Math.floor(size / 2);
    return isRecorded(folder, at, this.ids);
  }

  /** A member that knows the folder of another tells it. */
  private *meetings(state: ForgetfulState, at: number): Iterable<PlainStep<ForgetfulState>> {
    for (const peer of this.setting.forgetful) {
      if (peer === at || !this.connects(state, at, peer)) continue;
      const { folder } = state.members[at];
      const { folder: theirs } = state.members[peer];
      const known = withPeer(folder, peer, theirs.id);
      const told = withRecorder(theirs, at);
      if (known === folder && told === theirs) continue;
      const recorded = this.with(state, at, { ...state.members[at], folder: known });
      yield {
        label: `${at} records the folder of ${peer}`,
        to: this.with(recorded, peer, { ...recorded.members[peer], folder: told }),
      };
    }
  }

  private connects({ members }: ForgetfulState, a: number, b: number): boolean {
    if (this.setting.mutant === 'compares nothing') return true;
    const refuses = (at: number, peer: number): boolean =>
      folderProblem(members[at].folder, peer, members[peer].folder.id) !== null;
    return !refuses(a, b) && !refuses(b, a);
  }

  private *recoveries(state: ForgetfulState, at: number): Iterable<PlainStep<ForgetfulState>> {
    const member = state.members[at];
    const { recovery, support } = member;
    const { mutant, size } = this.setting;
    if (recovery === null) return;
    const isDue = mayAsk(recovery, 0);
    for (const from of this.setting.tells?.[at] ?? this.ids) {
      if (from === at || !(isDue || mutant === 'counts earlier answers')) continue;
      const { recovery: theirs, support: known } = state.members[from];
      const isRecovering = theirs !== null && mutant !== 'counts recovering members';
      const { leader, token } = known;
      const process = theirs?.question ?? 0;
      const answer = { process, isRecovering, token, leader, list: null };
      const next = withAnswer(recovery, recovery.question, from, answer);
      yield { label: `${from} answers ${at}`, to: this.with(state, at, { ...member, recovery: next }) };
    }
    const needed = mutant === 'majority of all' ? Math.floor(size / 2) : undefined;
    const again = askedAgain(recovery, this.ids, at, null);
    const counted = mutant === 'asks once' ? { ...recovery, wereRecovering: again.wereRecovering } : recovery;
    const found = recollected(counted, this.ids, at, support, null, needed);
    if (!isDue) return;
    if (found === null) {
      // Here nothing is answered late, so all questions of a process may have one number.
      const asking = { ...again, question: recovery.question };
      if (again !== recovery)
        yield { label: `${at} asks again`, to: this.with(state, at, { ...member, recovery: asking }) };
      return;
    }
    const { leader, token: right } = found;
    const divided = Math.max(support.token, ...Object.values(recovery.answers).map((known) => known.token));
    const token = mutant === 'keeps a divided token' ? divided : right;
    const recovered = { ...member, recovery: null, support: { leader, token, leaseMs: LEASE_MS } };
    yield { label: `${at} recovers`, to: this.with(state, at, recovered) };
  }

  private mayLose({ members }: ForgetfulState, at: number): boolean {
    const others = members.filter((member, id) => id !== at && !this.isAdmitted(member, id));
    return 2 * (others.length + 1) < this.setting.size;
  }

  private *claims(state: ForgetfulState, at: number): Iterable<PlainStep<ForgetfulState>> {
    const member = state.members[at];
    const token = member.support.token + 1;
    const { refusal, supporter } = considerRequest(member, at, token, 0, LEASE_MS);
    if (refusal !== null) return;
    const claim = plainOf(granted(newClaim(token), at, 0, 0, this.setting.size, TIMING));
    yield { label: `${at} claims ${token}`, to: this.with(state, at, { ...member, ...supporter, claim }) };
  }

  private *supportsItself(
    state: ForgetfulState,
    at: number,
    claim: LeadClaim,
  ): Iterable<PlainStep<ForgetfulState>> {
    const member = state.members[at];
    const { refusal, supporter } = considerRequest(member, at, claim.token, 0, LEASE_MS);
    if (refusal !== null) return;
    const to = this.granting(this.with(state, at, { ...member, ...supporter }), at, at, 0, claim);
    yield { label: `${at} supports itself`, to };
  }

  private message(
    type: Message['type'],
    from: number,
    to: number,
    token: number,
    sentMs: number,
    { folder }: Member,
  ): Message {
    return { type, from, to, token, sentMs, folder: folder.id };
  }

  /** The folder of the sender is on disk at the receiver. */
  private mayArrive({ members }: ForgetfulState, { folder, from, to }: Message): boolean {
    if (this.setting.folders === 'ephemeral' || this.setting.mutant === 'compares nothing') return true;
    return members[to].folder.peers[from] === folder;
  }

  private arrived(state: ForgetfulState, { type, from, to, token, sentMs }: Message): ForgetfulState {
    const member = state.members[to];
    if (type === 'request') {
      if (!this.isAdmitted(member, to)) return state;
      const { refusal, supporter } = considerRequest(member, from, token, 0, LEASE_MS);
      if (refusal !== null) return state;
      const next = this.with(state, to, { ...member, ...supporter });
      return withMessages(next, [...next.messages, this.message('grant', to, from, token, sentMs, member)]);
    }
    if (member.claim === null || member.claim.token !== token) return state;
    return this.granting(state, to, from, sentMs, claimOf(member.claim));
  }

  private answered(state: ForgetfulState, request: Message): ForgetfulState {
    const next = this.arrived(state, request);
    const [grant] = next.messages;
    const rest = withMessages(next, []);
    return grant !== undefined && this.mayArrive(rest, grant) ? this.arrived(rest, grant) : rest;
  }

  private granting(
    state: ForgetfulState,
    at: number,
    by: number,
    sentMs: number,
    claim: LeadClaim,
  ): ForgetfulState {
    const next = granted(claim, by, sentMs, 0, this.setting.size, TIMING);
    const begins = next.hasLed && !claim.hasLed;
    return {
      ...this.with(state, at, { ...state.members[at], claim: plainOf(next) }),
      fell: state.fell || (begins && next.token <= state.ledToken),
      ledToken: begins ? Math.max(state.ledToken, next.token) : state.ledToken,
    };
  }

  /** A process starts in the same folder. With ephemeral folders it recovers all the same. */
  private restarted(state: ForgetfulState, at: number): ForgetfulState {
    const { folder, support } = state.members[at];
    const kept = this.setting.mutant === 'forgets the folders of others' ? { ...folder, peers: {} } : folder;
    return { ...this.started(state, at, support, kept), restarts: state.restarts - 1 };
  }

  private lost(state: ForgetfulState, at: number): ForgetfulState {
    const { id } = state.members[at].folder;
    const { folders, forgetful } = this.setting;
    const others = this.ids.filter((other) => other !== at && !forgetful.includes(other));
    // Those whose folders are never lost are known before anything else happens.
    const peers = Object.fromEntries(others.map((other) => [other, '0']));
    const next: FolderRecord = {
      id: folders === 'kept' ? `${Number(id) + 1}` : id,
      recordedBy: [],
      peers: folders === 'kept' ? peers : {},
    };
    return { ...this.started(state, at, NO_SUPPORT, next), losses: state.losses - 1 };
  }

  private started(state: ForgetfulState, at: number, support: Support, folder: FolderRecord): ForgetfulState {
    const { folders, mutant } = this.setting;
    const waitMs = mutant === 'does not wait' ? 0 : LEASE_MS;
    const isEphemeral = folders === 'ephemeral';
    // No other process has this number.
    const process = 1 + at + this.setting.size * (state.losses + state.restarts);
    const member: Member = {
      // The wait of an ephemeral member is that of its recovery.
      ...startedSupporter(support, 0, isEphemeral ? 0 : waitMs),
      ...(isEphemeral && { boundUntilMs: 0 }),
      claim: null,
      recovery: isEphemeral ? startedRecovery(0, waitMs, process) : null,
      folder,
    };
    // A link is between the present processes of two members.
    const messages = state.messages.filter(({ to }) => to !== at);
    return withMessages(this.with(state, at, member), messages);
  }

  private later(state: ForgetfulState): ForgetfulState {
    const past = (ms: number): number => Math.max(ms - 1, -LEASE_MS);
    const members = state.members.map((member): Member => {
      const { boundUntilMs, claim, recovery } = member;
      return {
        ...member,
        boundUntilMs: Math.max(0, boundUntilMs - 1),
        claim: claim && { ...claim, grantedMs: claim.grantedMs.map(([by, ms]) => [by, past(ms)]) },
        recovery: recovery && { ...recovery, asksAtMs: Math.max(0, recovery.asksAtMs - 1) },
      };
    });
    const messages = state.messages.map((message) => ({ ...message, sentMs: past(message.sentMs) }));
    return withMessages({ ...state, members }, messages);
  }

  /** What no longer matters is equal: promises that have ended, claims that are over, and messages without effect. */
  private normal(state: ForgetfulState): ForgetfulState {
    const members = state.members.map((member): Member => {
      const { boundTo, boundUntilMs, claim } = member;
      const isPast = claim === null || isOver(claimOf(claim), 0, this.setting.size, TIMING);
      const grantedMs = claim?.grantedMs.filter(([, ms]) => ms > -LEASE_MS) ?? [];
      return {
        ...member,
        boundTo: boundUntilMs > 0 ? boundTo : -1,
        claim: isPast ? null : { ...claim, grantedMs },
      };
    });
    const matters = ({ type, from, to, token, sentMs }: Message): boolean => {
      const { claim, support } = members[to];
      if (type === 'grant') return claim?.token === token && sentMs > -LEASE_MS;
      return token > support.token || (token === support.token && from === support.leader);
    };
    return withMessages({ ...state, members }, state.messages.filter(matters));
  }

  private with(state: ForgetfulState, at: number, member: Member): ForgetfulState {
    const { boundTo, boundUntilMs, claim, folder, recovery, support } = member;
    const plain = { support, boundTo, boundUntilMs, claim, recovery, folder };
    return { ...state, members: state.members.with(at, plain) };
  }
}

/** Messages in flight are a set: their order does not matter. */
function withMessages(state: ForgetfulState, messages: readonly Message[]): ForgetfulState {
  const sorted = messages.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { ...state, messages: sorted };
}

function claimOf({ grantedMs, ...claim }: NonNullable<Member['claim']>): LeadClaim {
  return { ...claim, grantedMs: new Map(grantedMs) };
}

function plainOf({ token, grantedMs, hasLed }: LeadClaim): Member['claim'] {
  return { token, grantedMs: [...grantedMs].sort(([a], [b]) => a - b), hasLed };
}
