/**
 * Members with the real plan, and a store of leases, as a system that the checker searches. The lease itself is checked
 * elsewhere (packages/hustings/test/lease/model). Here it is one row per shard with P1 and P2: it expires only when its holder has crashed, or
 * has stopped its work. What a member has read may be old when it acts.
 *
 *   one owner: the work of one shard never runs in two members
 *   moves end: no weakly fair run is infinite, once members no longer join, leave or fail
 *   at the end, every shard has an owner that is a member, and the numbers of shards differ by at most one
 */
import type { Violation } from '../../../../study/src/checker/index.ts';
import { type PlainStep, PlainSystem } from '../../../../study/test/checker/plain-system.ts';
import * as real from '../../../src/shards/core/shard-plan.ts';

export interface GroupSetting {
  readonly members: number;
  readonly shards: number;
  /** Members that are there from the start, with their shards claimed by nobody. */
  readonly present: number;
  readonly weights?: readonly number[];
  /** How often a member that is not there joins, and one that is there leaves, crashes or loses one lease. */
  readonly joins?: number;
  readonly leaves?: number;
  readonly crashes?: number;
  readonly losses?: number;
  /** How often the work of a lease that is lost ignores it, and never ends. */
  readonly stuck?: number;
  /** What a mutant replaces. */
  readonly stepsOf?: typeof real.stepsOf;
  readonly releasesEarly?: boolean;
  readonly neverQuarantines?: boolean;
}

/** `-`: nothing; `c`: waits for the lease; `w`: works; a letter: its work finishes, and the shard goes to that member; `x`: gives up; `s`: its lease is lost, and its work goes on. */
type Local = string;

interface GroupState {
  /** Per member: `.` never there, `m` member, `l` leaves, `x` crashed, `g` has left. */
  phase: string[];
  /** What each member has read and not yet acted on: the members, and the owners; '' for nothing. */
  seen: string[];
  read: string[];
  /** Per member, a letter per shard. */
  local: string[];
  /** Whether the store lists the member. */
  listed: boolean[];
  /** Per shard: the holder, and the member for which it is reserved; `-` for none. */
  holder: string;
  reserved: string;
  /** Per member: whom it has quarantined from which shard, as in `0A`. */
  quarantined: string[][];
  faults: { joins: number; leaves: number; crashes: number; losses: number; stuck: number };
}

const NOBODY = '-';
const put = (text: string, at: number, letter: string): string =>
  text.slice(0, at) + letter + text.slice(at + 1);

export class GroupSystem extends PlainSystem<GroupState> {
  private readonly ids: readonly string[];
  private readonly shards: readonly string[];
  private readonly plans = new Map<string, real.ShardSteps>();

  constructor(private readonly setting: GroupSetting) {
    super();
    this.ids = [...'ABCD'].slice(0, setting.members);
    this.shards = Array.from({ length: setting.shards }, (_, shard) => `${shard}`);
  }

  start(): GroupState {
    const {
      members,
      shards,
      present,
      joins = 0,
      leaves = 0,
      crashes = 0,
      losses = 0,
      stuck = 0,
    } = this.setting;
    const none = NOBODY.repeat(shards);
    return {
      phase: this.ids.map((_, at) => (at < present ? 'm' : '.')),
      seen: this.ids.map(() => ''),
      read: this.ids.map(() => ''),
      local: this.ids.map(() => none),
      listed: Array.from({ length: members }, (_, at) => at < present),
      holder: none,
      reserved: none,
      quarantined: this.ids.map(() => []),
      faults: { joins, leaves, crashes, losses, stuck },
    };
  }

  *stepsOf(state: GroupState): Generator<PlainStep<GroupState>> {
    for (const [at, id] of this.ids.entries()) {
      const phase = state.phase[at];
      if (phase === '.' && state.faults.joins > 0) yield this.step(state, `${id} joins`, joined(at), true);
      if (phase === 'm' && state.faults.leaves > 0) yield this.step(state, `${id} leaves`, left(at), true);
      if ((phase === 'm' || phase === 'l') && state.faults.crashes > 0) {
        yield this.step(state, `${id} crashes`, crashed(at, this.setting.shards), true);
      }
      if (phase === 'x' && state.listed[at]) {
        yield this.step(state, `the store forgets ${id}`, (next) => {
          next.listed[at] = false;
        });
      }
      if (phase === 'm' || phase === 'l') yield* this.memberSteps(state, at, id);
    }
    for (const [shard] of this.shards.entries()) yield* this.storeSteps(state, shard);
  }

  violationIn(state: GroupState): Violation | null {
    for (const [shard] of this.shards.entries()) {
      const working = this.ids.filter((_, at) => isWorking(state.local[at][shard]));
      if (working.length > 1) {
        return { property: 'one owner', text: `${working.join(' and ')} both work on shard ${shard}` };
      }
    }
    return null;
  }

  violationAtEnd(state: GroupState): Violation | null {
    const members = this.ids.filter((_, at) => state.phase[at] === 'm');
    if (members.length === 0) return null;
    // A shard whose work goes on in every member cannot have an owner.
    const isStuck = (shard: number): boolean =>
      members.every((id) => state.local[this.ids.indexOf(id)][shard] === 's');
    if (this.shards.some((_, shard) => isStuck(shard))) return null;
    const orphan = [...state.holder].findIndex((holder) => !members.includes(holder));
    if (orphan >= 0) return { property: 'no orphans', text: `shard ${orphan} has no owner in the end` };
    const counts = members.map((id) => [...state.holder].filter((holder) => holder === id).length);
    const { weights } = this.setting;
    const sum = members.reduce((total, id) => total + this.weightOf(id), 0);
    const isFair = members.every(
      (id, at) => Math.abs(counts[at] - (this.setting.shards * this.weightOf(id)) / sum) < 1,
    );
    if (!isFair)
      return { property: 'balance', text: `${members.join(', ')} own ${counts.join(', ')} shards` };
    return weights === undefined && Math.max(...counts) - Math.min(...counts) > 1
      ? { property: 'balance', text: `the numbers of shards are ${counts.join(', ')}` }
      : null;
  }

  private weightOf(id: string): number {
    return this.setting.weights?.[this.ids.indexOf(id)] ?? 1;
  }

  private step(
    state: GroupState,
    label: string,
    change: (next: GroupState) => void,
    isFault = false,
  ): PlainStep<GroupState> {
    const to: GroupState = {
      ...state,
      phase: [...state.phase],
      seen: [...state.seen],
      read: [...state.read],
      local: [...state.local],
      listed: [...state.listed],
      quarantined: [...state.quarantined],
      faults: { ...state.faults },
    };
    change(to);
    return { label, to, isFault };
  }

  private *memberSteps(state: GroupState, at: number, id: string): Generator<PlainStep<GroupState>> {
    const listed = this.ids.filter((_, other) => state.listed[other]).join('');
    const owners = this.shards
      .map((_, shard) => (state.holder[shard] === NOBODY ? state.reserved[shard] : state.holder[shard]))
      .join('');
    if (state.read[at] === '') {
      const planned = this.plannedLocal(state, at, id, listed, owners);
      if (planned !== state.local[at]) {
        yield this.step(state, `${id} reads the group`, (next) => {
          next.seen[at] = listed;
          next.read[at] = owners;
        });
      }
    } else {
      const planned = this.plannedLocal(state, at, id, state.seen[at], state.read[at]);
      yield this.step(state, `${id} plans`, (next) => {
        next.local[at] = planned;
        next.seen[at] = '';
        next.read[at] = '';
      });
    }
    for (const [shard] of this.shards.entries()) yield* this.shardSteps(state, at, id, shard);
    if (state.phase[at] === 'l' && /^[-s]*$/.test(state.local[at])) {
      yield this.step(state, `${id} is gone`, (next) => {
        next.phase[at] = 'g';
        next.seen[at] = '';
        next.read[at] = '';
      });
    }
  }

  private *shardSteps(
    state: GroupState,
    at: number,
    id: string,
    shard: number,
  ): Generator<PlainStep<GroupState>> {
    const local = state.local[at][shard];
    const become = (letter: Local, holder?: string, reserved?: string) => (next: GroupState) => {
      next.local[at] = put(next.local[at], shard, letter);
      if (holder !== undefined) next.holder = put(next.holder, shard, holder);
      if (reserved !== undefined) next.reserved = put(next.reserved, shard, reserved);
    };
    const isHolder = state.holder[shard] === id;
    if (local === 'c' && isHolder) yield this.step(state, `${id} learns that it owns ${shard}`, become('w'));
    else if (
      local === 'c' &&
      state.holder[shard] === NOBODY &&
      [NOBODY, id].includes(state.reserved[shard])
    ) {
      yield this.step(state, `the store grants ${shard} to ${id}`, become('c', id, NOBODY));
    }
    if (local === 'x') {
      yield this.step(state, `${id} gives up ${shard}`, become(NOBODY, isHolder ? NOBODY : undefined));
    }
    if (isDraining(local)) {
      const to = local === 'n' ? NOBODY : local;
      const label = `the work of ${shard} in ${id} finishes`;
      if (local === id) yield this.step(state, label, become('w'));
      else yield this.step(state, label, become(NOBODY, NOBODY, to));
      if (this.setting.releasesEarly && isHolder) {
        yield this.step(state, `${id} releases ${shard} before its work has finished`, (next) => {
          next.holder = put(next.holder, shard, NOBODY);
          next.reserved = put(next.reserved, shard, to);
        });
      }
    }
    yield* this.barringSteps(state, at, id, shard);
    if (isWorking(local) && state.faults.stuck > 0) {
      yield this.step(
        state,
        `${id} cannot renew ${shard}, and its work goes on`,
        (next) => {
          become('s')(next);
          next.faults.stuck--;
        },
        true,
      );
    }
    if (isWorking(local) && state.faults.losses > 0) {
      yield this.step(
        state,
        `${id} cannot renew ${shard}, and stops its work`,
        (next) => {
          become(NOBODY)(next);
          next.faults.losses--;
        },
        true,
      );
    }
  }

  /** A member that leaves a free shard free is quarantined from it: real members wait for a while before. */
  private *barringSteps(
    state: GroupState,
    at: number,
    id: string,
    shard: number,
  ): Generator<PlainStep<GroupState>> {
    if (state.holder[shard] !== NOBODY || state.reserved[shard] !== NOBODY || this.setting.neverQuarantines)
      return;
    for (const [other, stuck] of this.ids.entries()) {
      const quarantine = `${shard}${stuck}`;
      if (state.local[other][shard] !== 's' || other === at || state.quarantined[at].includes(quarantine))
        continue;
      yield this.step(state, `${id} quarantines ${stuck} from ${shard}`, (next) => {
        next.quarantined[at] = [...next.quarantined[at], quarantine].sort();
      });
    }
  }

  private *storeSteps(state: GroupState, shard: number): Generator<PlainStep<GroupState>> {
    const holder = this.ids.indexOf(state.holder[shard]);
    if (holder >= 0 && [NOBODY, 's'].includes(state.local[holder][shard])) {
      yield this.step(state, `the lease of ${shard} expires`, (next) => {
        next.holder = put(next.holder, shard, NOBODY);
      });
    }
    const successor = this.ids.indexOf(state.reserved[shard]);
    // A reservation lasts until a successor that waits has asked.
    if (successor >= 0 && state.local[successor][shard] !== 'c') {
      yield this.step(state, `the reservation of ${shard} ends`, (next) => {
        next.reserved = put(next.reserved, shard, NOBODY);
      });
    }
  }

  /** The local state after the member has carried out its plan, as group-run.ts does. */
  private plannedLocal(state: GroupState, at: number, id: string, listed: string, read: string): string {
    const isLeaving = state.phase[at] === 'l';
    const ids = [...listed].filter((other) => other !== id);
    if (!isLeaving) ids.push(id);
    const { claim, withdraw, handOver } = this.planned(
      ...([ids.sort().join(''), read, id, state.local[at], state.quarantined[at]] as const),
    );
    let local = state.local[at];
    for (const [shard] of this.shards.entries()) {
      const now = local[shard];
      const to = handOver.find((each) => each.shard === `${shard}`)?.to;
      if (isWorking(now)) {
        const isKept = to === undefined;
        if (!isKept) local = put(local, shard, to);
        else if (isLeaving) local = put(local, shard, isDraining(now) && now !== id ? now : 'n');
        else if (isDraining(now)) local = put(local, shard, id);
      } else if (now === 'c' && (isLeaving || withdraw.includes(`${shard}`))) local = put(local, shard, 'x');
      else if (now === NOBODY && claim.includes(`${shard}`)) local = put(local, shard, 'c');
    }
    return local;
  }

  private planned(
    ids: string,
    read: string,
    id: string,
    local: string,
    quarantines: readonly string[],
  ): real.ShardSteps {
    const kinds = [...local]
      .map((letter) => ('cxs'.includes(letter) ? letter : isWorking(letter) ? 'w' : NOBODY))
      .join('');
    const key = `${ids} ${read} ${id} ${kinds} ${quarantines}`;
    let steps = this.plans.get(key);
    if (steps === undefined) {
      const quarantined = new Map<string, Set<string>>();
      const own = [...kinds].flatMap((kind, place) => (kind === 's' ? [`${place}${id}`] : []));
      for (const [shard, member] of [...quarantines, ...own]) {
        quarantined.set(shard, (quarantined.get(shard) ?? new Set()).add(member));
      }
      const view: real.ShardView = {
        members: [...ids].map((each) => ({ id: each, weight: this.weightOf(each) })),
        owners: new Map(
          this.shards.map((shard, place) => [shard, read[place] === NOBODY ? null : read[place]]),
        ),
        quarantined,
      };
      const inKind = (kind: string) => new Set(this.shards.filter((_, place) => kinds[place] === kind));
      steps = (this.setting.stepsOf ?? real.stepsOf)(view, {
        ...{ id, held: inKind('w'), claimed: inKind('c') },
        ending: new Map([...inKind('x')].map((shard) => [shard, null])),
      });
      this.plans.set(key, steps);
    }
    return steps;
  }
}

/** A capital letter is the member to which the shard goes; `n`: nobody. */
const isDraining = (local: Local): boolean => /[A-Dn]/.test(local);
const isWorking = (local: Local): boolean => local === 'w' || isDraining(local);

const joined =
  (at: number) =>
  (next: GroupState): void => {
    next.phase[at] = 'm';
    next.listed[at] = true;
    next.faults.joins--;
  };

const left =
  (at: number) =>
  (next: GroupState): void => {
    next.phase[at] = 'l';
    next.listed[at] = false;
    next.faults.leaves--;
  };

const crashed =
  (at: number, shards: number) =>
  (next: GroupState): void => {
    next.phase[at] = 'x';
    next.local[at] = NOBODY.repeat(shards);
    next.seen[at] = '';
    next.read[at] = '';
    next.faults.crashes--;
  };
