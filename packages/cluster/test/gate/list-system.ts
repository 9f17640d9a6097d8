/**
 * Members with a quorum that are started with any version of the member list, in any order, as a transition system. What a member
 * has heard of another one may be out of date. A lead needs a majority of its list; grants are instantaneous, because the lease
 * of L5 ends those of before.
 */
import type { Violation } from '../../../study/src/checker/index.ts';
import { type PlainStep, PlainSystem } from '../../../study/test/checker/plain-system.ts';
import {
  backersOf,
  type StoredVersion,
  successionProblem,
  type VersionedMembers,
} from '../../src/gate/list-succession.ts';

interface Member {
  /** 0 before the first list. */
  readonly stored: number;
  /** The version with which it runs; 0 before its first start. */
  readonly used: number;
  readonly token: number;
  /** What it has heard since its start, by member. */
  readonly told: readonly (readonly [id: number, version: number, token: number])[];
}

export interface ListState {
  readonly members: readonly Member[];
  readonly ledToken: number;
  /** A lead began with a token that did not rise. */
  readonly fell: boolean;
}

export interface ListSetting {
  /** The members of version 1 and of each later one. */
  readonly lists: readonly (readonly number[])[];
  /** The largest token; 0 without leads. */
  readonly tokens: number;
  /** Mutants. */
  readonly refuses?: typeof successionProblem;
  readonly backers?: typeof backersOf;
  /** A member supports leaders of earlier lists. */
  readonly supportsEarlier?: boolean;
  /** A member that stores a list does not count the tokens of others. */
  readonly ignoresTokens?: boolean;
}

const isMajority = (count: number, of: readonly number[]): boolean => 2 * count > of.length;

export class ListSystem extends PlainSystem<ListState> {
  readonly #ids: readonly number[];

  constructor(private readonly setting: ListSetting) {
    super();
    this.#ids = Array.from({ length: 1 + Math.max(...setting.lists.flat()) }, (_, id) => id);
  }

  start(): ListState {
    const first = (id: number): Member => {
      const version = this.setting.lists[0].includes(id) ? 1 : 0;
      return { stored: version, used: version, token: 0, told: [] };
    };
    return { members: this.#ids.map(first), ledToken: 0, fell: false };
  }

  *stepsOf(state: ListState): Iterable<PlainStep<ListState>> {
    for (const id of this.#ids) {
      yield* this.starts(state, id);
      yield* this.hears(state, id);
      yield* this.leads(state, id);
    }
  }

  /** Any two majorities that could support two leaders now share a member. */
  violationIn(state: ListState): Violation | null {
    if (state.fell) return { property: 'rising tokens', text: 'a lead began with a token that did not rise' };
    for (const a of this.#ids) {
      for (const b of this.#ids) {
        const [ofA, ofB] = [this.supportersOf(state, a), this.supportersOf(state, b)];
        const both = ofA.filter((id) => ofB.includes(id)).length;
        const needed = (id: number, supporters: readonly number[]): number =>
          Math.max(0, Math.floor(this.listOf(state, id).length / 2) + 1 - (supporters.length - both));
        const exist =
          isMajority(ofA.length, this.listOf(state, a)) && isMajority(ofB.length, this.listOf(state, b));
        if (a !== b && exist && needed(a, ofA) + needed(b, ofB) <= both) {
          return {
            property: 'one leader',
            text: `members ${a} and ${b} have majorities without a common member`,
          };
        }
      }
    }
    return null;
  }

  violationAtEnd(): null {
    return null;
  }

  private *starts(state: ListState, id: number): Iterable<PlainStep<ListState>> {
    const { lists, refuses = successionProblem } = this.setting;
    const member = state.members[id];
    for (let version = Math.max(1, member.stored); version <= lists.length; version++) {
      if (version === member.used || !lists[version - 1].includes(id)) continue;
      const held = member.stored === 0 ? null : this.version(member.stored);
      if (version > member.stored && refuses(held, this.version(version)) !== null) continue;
      const to = this.with(state, id, this.stored(id, { ...member, used: version, told: [] }));
      yield { label: `${id} starts with version ${version}`, to, isFault: true };
    }
  }

  /** Two members are connected if each is in the list of the other. */
  private *hears(state: ListState, id: number): Iterable<PlainStep<ListState>> {
    const member = state.members[id];
    if (member.used === member.stored) return;
    for (const other of this.listOf(state, id)) {
      const { stored, token } = state.members[other];
      // What is earlier counts for nothing.
      if (other === id || stored < Math.max(1, member.stored) || !this.listOf(state, other).includes(id))
        continue;
      const told = [...member.told.filter(([from]) => from !== other), [other, stored, token] as const];
      const to = this.with(state, id, this.stored(id, { ...member, told: told.sort(([a], [b]) => a - b) }));
      yield { label: `${id} hears ${other}`, to };
    }
  }

  /** Stores the list at once if it may. */
  private stored(id: number, member: Member): Member {
    const { backers = backersOf, ignoresTokens } = this.setting;
    if (member.used === member.stored) return member;
    const told = new Map(
      member.told.map(([from, version, token]): [number, StoredVersion] => [
        from,
        { ...this.version(version), token },
      ]),
    );
    const held = member.stored === 0 ? null : this.version(member.stored);
    const found = backers(id, held, this.version(member.used), told);
    if (found === null) {
      // What others have stored counts only for the next version, and all that is not earlier counts alike.
      const isNext = member.stored > 0 && member.used === member.stored + 1;
      const rest = member.told.map(([from, , token]) => [from, member.stored, token] as const);
      return { ...member, told: isNext ? rest : [] };
    }
    const tokens = ignoresTokens ? [] : found.map((from) => told.get(from)?.token ?? 0);
    return { stored: member.used, used: member.used, token: Math.max(member.token, ...tokens), told: [] };
  }

  /** With the next token, and each majority that gives it. */
  private *leads(state: ListState, id: number): Iterable<PlainStep<ListState>> {
    const token = state.members[id].token + 1;
    if (token > this.setting.tokens || !this.supportersOf(state, id).includes(id)) return;
    const willing = this.supportersOf(state, id).filter((from) => state.members[from].token < token);
    const list = this.listOf(state, id);
    for (let set = 0; set < 2 ** willing.length; set++) {
      const chosen = willing.filter((_, place) => (set >> place) & 1);
      if (!chosen.includes(id) || chosen.length !== Math.floor(list.length / 2) + 1) continue;
      let next: ListState = {
        ...state,
        fell: token <= state.ledToken,
        ledToken: Math.max(token, state.ledToken),
      };
      for (const from of chosen) next = this.with(next, from, { ...next.members[from], token });
      yield { label: `${id} leads with token ${token} by ${chosen.join(', ')}`, to: next };
    }
  }

  /** L1, L2: those that may support this member, itself included. */
  private supportersOf({ members }: ListState, leader: number): number[] {
    const { used } = members[leader];
    const supports = (id: number): boolean => {
      const member = members[id];
      if (member.used === 0 || member.used !== member.stored) return false;
      const isEarlier = used < member.used && !this.setting.supportsEarlier;
      return !isEarlier && this.setting.lists[member.used - 1].includes(leader);
    };
    if (!supports(leader)) return [];
    return this.setting.lists[used - 1].filter(supports);
  }

  private listOf({ members }: ListState, id: number): readonly number[] {
    return this.setting.lists[members[id].used - 1] ?? [];
  }

  private version(version: number): VersionedMembers {
    return { version, digest: `${version}`, members: this.setting.lists[version - 1] };
  }

  private with(state: ListState, id: number, member: Member): ListState {
    return { ...state, members: state.members.with(id, member) };
  }
}
