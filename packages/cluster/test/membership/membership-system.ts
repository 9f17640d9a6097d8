/**
 * Changes of the member list as a transition system: members that vote, lead, stamp, propose, store, confirm and restart in
 * every order. A message is never removed: each record that a leader has stored may reach any member at any later time or
 * never, and a vote counts whenever the candidate gets to it. So losses, delays, duplicates and every order are covered.
 *
 * A candidate may take any later term, which includes what it can learn from others.
 */
import type { Violation } from '../../../study/src/checker/index.ts';
import { type PlainStep, PlainSystem } from '../../../study/test/checker/plain-system.ts';
import {
  compareRecords,
  isMajority,
  isSameList,
  type ListRecord,
  mayConfirm,
  mayPropose,
  mayStore,
  proposedBy,
  recordProblem,
  stampedBy,
} from '../../src/membership/list-record.ts';

interface Stored extends ListRecord<number> {
  /** The names of the lists from which it was proposed, and its own. */
  readonly line: readonly number[];
  /** The members that have confirmed it. */
  readonly confirmed: readonly number[];
  /** The members of the list before: only for a mutant. */
  readonly before?: readonly number[];
}

interface Member {
  readonly term: number;
  /** In its term. */
  readonly hasVoted: boolean;
  readonly role: 'follower' | 'candidate' | 'leader';
  readonly votes: readonly number[];
  /** The place of its record in `records`; null for a member that waits for one. */
  readonly record: number | null;
  /** What a crash leaves, if that is another one: only for a mutant. */
  readonly disk: number | null;
}

export interface MembershipState {
  readonly members: readonly Member[];
  /** Ascending. Those that nobody can use any more are left out. */
  readonly records: readonly Stored[];
  /** By term: the member that led it. */
  readonly led: readonly (number | null)[];
  /** The newest record that was committed. */
  readonly committed: { readonly stamp: number; readonly line: readonly number[] };
  readonly broken: (typeof PROPERTIES)[number] | null;
}

/** The same in numbers alone: the search stores and compares its JSON text. Sets of members are bit masks. */
type Packed = readonly [
  members: readonly (readonly number[])[],
  records: readonly (readonly number[])[],
  led: readonly number[],
  committed: readonly number[],
  broken: number,
];

export interface MembershipSetting {
  /** The members of the first list are 0, 1, …; the others wait for a record. */
  readonly first: number;
  readonly ids: number;
  /** The ids below this one may become candidates. */
  readonly candidates: number;
  readonly terms: number;
  readonly versions: number;
  /** By candidate: the terms that it may take; all unless given. */
  readonly termsOf?: readonly (readonly number[])[];
  /** By candidate: the members that it may add or remove; all unless given. */
  readonly changes?: readonly (readonly number[])[];
  /** Mutants. */
  readonly mutant?:
    | 'no stamp'
    | 'stamp not committed'
    | 'two members at once'
    | 'votes across lists'
    | 'not synced'
    | 'majority of the old size'
    | 'confirms in a later term'
    | 'stores older records'
    | 'votes without a record'
    | 'forgets its vote';
}

const FOLLOWER = { role: 'follower', votes: [] } as const;

export class MembershipSystem extends PlainSystem<Packed> {
  constructor(private readonly setting: MembershipSetting) {
    super();
  }

  start(): Packed {
    return pack(this.first());
  }

  private first(): MembershipState {
    const { first, ids, mutant, terms } = this.setting;
    const members = Array.from({ length: first }, (_, id) => id);
    const record: Stored = {
      stamp: 0,
      version: 1,
      origin: 0,
      members,
      line: [listOf({ version: 1, origin: 0 })],
      confirmed: [],
    };
    // A new member with a file of a list that nobody has proposed.
    const file: Stored = {
      ...record,
      version: 2,
      members: [...Array(ids).keys()],
      line: [listOf({ version: 2, origin: 0 })],
    };
    const isWrong = mutant === 'votes without a record';
    return {
      members: Array.from({ length: ids }, (_, id) => {
        const place = id < first ? 0 : isWrong ? 1 : null;
        return { term: 0, hasVoted: false, ...FOLLOWER, record: place, disk: place };
      }),
      records: isWrong ? [record, file] : [record],
      led: Array.from({ length: terms + 1 }, () => null),
      committed: { stamp: 0, line: [listOf({ version: 1, origin: 0 })] },
      broken: null,
    };
  }

  *stepsOf(packed: Packed): Iterable<PlainStep<Packed>> {
    const state = unpack(packed);
    if (state.broken !== null) return;
    for (const { label, to } of this.moves(state)) yield { label, to: pack(this.normal(to)), isFault: true };
  }

  private *moves(state: MembershipState): Iterable<PlainStep<MembershipState>> {
    for (const [id, member] of state.members.entries()) {
      for (const [place, record] of state.records.entries()) {
        if (this.mayStore(state, member, id, record))
          yield { label: `${id} stores ${nameOf(record)}`, to: this.stores(state, id, place) };
      }
      const own = recordOf(state, member);
      if (own === null || !own.members.includes(id)) continue;
      yield* this.confirms(state, id, own);
      yield* this.raises(state, id, own);
      if (member.role !== 'follower' || member.disk !== member.record)
        yield { label: `${id} restarts`, to: this.restarts(state, id) };
      if (member.role === 'candidate') {
        for (const voter of state.members.keys()) yield* this.votes(state, id, voter, own);
        if (isMajorityOf(own, member.votes))
          yield { label: `${id} leads ${member.term}`, to: this.leads(state, id, own) };
      } else if (member.role === 'leader') yield* this.proposes(state, id, own);
      if (member.role !== 'leader' && id < this.setting.candidates) {
        for (const term of this.termsAfter(id, member.term)) {
          const candidate = { ...member, term, hasVoted: true, role: 'candidate' as const, votes: [id] };
          yield { label: `${id} asks for votes in ${term}`, to: withMember(state, id, candidate) };
        }
      }
    }
  }

  violationIn(packed: Packed): Violation | null {
    const state = unpack(packed);
    if (state.broken !== null) return { property: state.broken, text: state.broken };
    const inUse = new Set<number>();
    for (const record of state.records) {
      const uses = (id: number): boolean => {
        const own = recordOf(state, state.members[id]);
        return own !== null && isSameList(own, record);
      };
      if (isMajority(record.members, uses)) inUse.add(listOf(record));
    }
    const property = 'one list with a majority';
    return inUse.size > 1 ? { property, text: `${[...inUse].join(' and ')} are in use` } : null;
  }

  violationAtEnd(): null {
    return null;
  }

  private termsAfter(id: number, term: number): readonly number[] {
    const { terms, termsOf } = this.setting;
    const all = termsOf?.[id] ?? Array.from({ length: terms }, (_, place) => place + 1);
    return all.filter((each) => each > term);
  }

  private mayStore(state: MembershipState, member: Member, id: number, record: Stored): boolean {
    const own = recordOf(state, member);
    // M8
    if (own === null) return record.members.includes(id);
    if (this.setting.mutant === 'stores older records') return record !== own;
    // If the check refused a record that a leader can make, there would be fewer states.
    return mayStore(own, record) && recordProblem(own, record) === null;
  }

  private stores(state: MembershipState, id: number, place: number): MembershipState {
    const member = state.members[id];
    const own = recordOf(state, member);
    const isSame = own !== null && isSameList(own, state.records[place]);
    const disk = this.setting.mutant === 'not synced' ? member.disk : place;
    // M6
    return withMember(state, id, { ...member, ...(isSame ? {} : FOLLOWER), record: place, disk });
  }

  private *confirms(state: MembershipState, id: number, own: Stored): Iterable<PlainStep<MembershipState>> {
    const member = state.members[id];
    if (own.confirmed.includes(id) || own.stamp === 0) return;
    if (!mayConfirm(own, member.term) && this.setting.mutant !== 'confirms in a later term') return;
    const to = this.confirmed(state, member.record as number, id);
    yield { label: `${id} confirms ${nameOf(own)}`, to };
  }

  /** M7; or a heartbeat of the leader comes first. */
  private *raises(state: MembershipState, id: number, own: Stored): Iterable<PlainStep<MembershipState>> {
    const member = state.members[id];
    const isForgotten = this.setting.mutant === 'forgets its vote' && own.stamp === member.term;
    if (own.stamp <= member.term && !isForgotten) return;
    const to = withMember(state, id, { ...member, ...FOLLOWER, term: own.stamp, hasVoted: false });
    yield { label: `${id} begins term ${own.stamp}`, to };
  }

  private confirmed(state: MembershipState, place: number, id: number): MembershipState {
    const record = state.records[place];
    const next = { ...record, confirmed: [...record.confirmed, id].sort((a, b) => a - b) };
    const after = { ...state, records: state.records.with(place, next) };
    if (!isMajorityOf(next, next.confirmed)) return after;
    const { committed } = state;
    const [older, newer] = next.stamp < committed.stamp ? [next, committed] : [committed, next];
    const isLost =
      !newer.line.includes(older.line.at(-1) as number) && !older.line.includes(newer.line.at(-1) as number);
    if (isLost) return { ...after, broken: 'no committed list is lost' };
    const isLater = next.stamp > committed.stamp || next.line.length > committed.line.length;
    return isLater ? { ...after, committed: { stamp: next.stamp, line: next.line } } : after;
  }

  private restarts(state: MembershipState, id: number): MembershipState {
    const member = state.members[id];
    return withMember(state, id, { ...member, ...FOLLOWER, record: member.disk });
  }

  private *votes(
    state: MembershipState,
    id: number,
    voter: number,
    own: Stored,
  ): Iterable<PlainStep<MembershipState>> {
    const { term, votes } = state.members[id];
    const member = state.members[voter];
    const held = recordOf(state, member);
    if (held === null || votes.includes(voter) || !own.members.includes(voter)) return;
    // M3, M8
    const mayVote = isSameList(held, own) || this.setting.mutant === 'votes across lists';
    if (!mayVote || member.term > term || (member.term === term && member.hasVoted)) return;
    const voted = withMember(state, voter, { ...member, ...FOLLOWER, term, hasVoted: true });
    const counted = { ...state.members[id], votes: [...votes, voter].sort((a, b) => a - b) };
    yield { label: `${voter} votes for ${id} in ${term}`, to: withMember(voted, id, counted) };
  }

  private leads(state: MembershipState, id: number, own: Stored): MembershipState {
    const { term } = state.members[id];
    const { committed, led } = state;
    const after = { ...state, led: led.with(term, id) };
    if (led[term] !== null && led[term] !== id) return { ...after, broken: 'one leader in each term' };
    if (term > committed.stamp && !own.line.includes(committed.line.at(-1) as number))
      return { ...after, broken: 'no committed list is lost' };
    const leader = { ...state.members[id], role: 'leader' as const, votes: [] };
    // M4
    const stamped = this.setting.mutant === 'no stamp' ? null : stampedBy(own, term);
    if (stamped === null) return withMember(after, id, leader);
    return this.holds(withMember(after, id, leader), id, { ...stamped, confirmed: [] });
  }

  /** The leader stores a record of its own, and confirms it. */
  private holds(state: MembershipState, id: number, record: Stored): MembershipState {
    const place = state.records.length;
    const member = { ...state.members[id], record: place, disk: place };
    const after = withMember({ ...state, records: [...state.records, record] }, id, member);
    return record.members.includes(id) ? this.confirmed(after, place, id) : after;
  }

  private *proposes(state: MembershipState, id: number, own: Stored): Iterable<PlainStep<MembershipState>> {
    const { changes, ids, mutant, versions } = this.setting;
    const { term } = state.members[id];
    if (own.version >= versions) return;
    const isStamped = mayPropose(own, term, isMajorityOf(own, own.confirmed));
    const isEarly = mutant === 'no stamp' || (mutant === 'stamp not committed' && own.stamp === term);
    if (!isStamped && !isEarly) return;
    const allowed = changes?.[id] ?? [...Array(ids).keys()];
    for (const members of changesOf(own.members, allowed, mutant === 'two members at once' ? 2 : 1)) {
      const next = proposedBy(own, term, members);
      const line = [...own.line, listOf(next)];
      const before = mutant === 'majority of the old size' ? { before: own.members } : {};
      const record: Stored = { ...next, line, confirmed: [], ...before };
      const follower = withMember(state, id, { ...state.members[id], ...FOLLOWER });
      // M5, M6
      yield { label: `${id} proposes ${members.join(' ')} in ${term}`, to: this.holds(follower, id, record) };
    }
  }

  /** Records in order, without those that nobody has or can still store. */
  private normal(state: MembershipState): MembershipState {
    const { members, records } = state;
    const isKept = (record: Stored, place: number): boolean =>
      this.setting.mutant === 'stores older records' ||
      members.some((member) => {
        const own = recordOf(state, member);
        return member.record === place || member.disk === place || mayStore(own, record);
      });
    const kept = records.filter(isKept).sort(compareRecords);
    const place = (old: number | null): number | null => (old === null ? null : kept.indexOf(records[old]));
    return {
      ...state,
      records: kept,
      members: members.map((member) => ({
        ...member,
        record: place(member.record),
        disk: place(member.disk),
      })),
    };
  }
}

/** All lists with one member more or less, or up to `most`. */
function changesOf(members: readonly number[], ids: readonly number[], most: number): number[][] {
  const one = ids.map((id) =>
    members.includes(id) ? members.filter((other) => other !== id) : [...members, id].sort((a, b) => a - b),
  );
  const changed = one.filter(({ length }) => length > 0);
  return most === 1 ? changed : [...changed, ...changed.flatMap((list) => changesOf(list, ids, most - 1))];
}

/** `before` is there for the mutant that counts with the size of the list before. */
function isMajorityOf({ before, members }: Stored, by: readonly number[]): boolean {
  const isOf = (id: number): boolean => by.includes(id);
  return before === undefined ? isMajority(members, isOf) : 2 * members.filter(isOf).length > before.length;
}

const listOf = ({ origin, version }: { readonly origin: number; readonly version: number }): number =>
  16 * version + origin;
const nameOf = (record: Stored): string => `${record.stamp}/${listOf(record)} (${record.members.join(' ')})`;

function recordOf({ records }: MembershipState, { record }: Member): Stored | null {
  return record === null ? null : records[record];
}

function withMember(state: MembershipState, id: number, member: Member): MembershipState {
  return { ...state, members: state.members.with(id, member) };
}

const ROLES = ['follower', 'candidate', 'leader'] as const;
const PROPERTIES = ['one leader in each term', 'no committed list is lost'] as const;
const mask = (ids: readonly number[]): number => ids.reduce((bits, id) => bits | (1 << id), 0);
const idsIn = (bits: number): number[] => [0, 1, 2, 3, 4].filter((id) => bits & (1 << id));
const orNone = (value: number | null): number => value ?? -1;
const orNull = (value: number): number | null => (value < 0 ? null : value);

function pack({ broken, committed, led, members, records }: MembershipState): Packed {
  return [
    members.map(({ disk, hasVoted, record, role, term, votes }) => [
      term,
      hasVoted ? 1 : 0,
      ROLES.indexOf(role),
      mask(votes),
      orNone(record),
      orNone(disk),
    ]),
    records.map(({ before, confirmed, line, members: own, origin, stamp, version }) => [
      stamp,
      version,
      origin,
      mask(own),
      mask(confirmed),
      mask(before ?? []),
      ...line,
    ]),
    led.map(orNone),
    [committed.stamp, ...committed.line],
    broken === null ? -1 : PROPERTIES.indexOf(broken),
  ];
}

function unpack([members, records, led, [stamp, ...line], broken]: Packed): MembershipState {
  return {
    members: members.map(([term, voted, role, votes, record, disk]) => ({
      term,
      hasVoted: voted === 1,
      role: ROLES[role],
      votes: idsIn(votes),
      record: orNull(record),
      disk: orNull(disk),
    })),
    records: records.map(([own, version, origin, ids, confirmed, before, ...names]) => ({
      stamp: own,
      version,
      origin,
      members: idsIn(ids),
      confirmed: idsIn(confirmed),
      line: names,
      ...(before > 0 && { before: idsIn(before) }),
    })),
    led: led.map(orNull),
    committed: { stamp, line },
    broken: broken < 0 ? null : PROPERTIES[broken],
  };
}
