/**
 * The leadership of a member as a store of leases, so that an elector of its process leads as it leads by a lease.
 *
 * Guaranteed: a lease is granted and renewed only while this member leads, with the token of its term, and never for longer than
 * the member has proved that it leads. Each grant of an election has a larger token than the one before. The member resigns when
 * the last lease of its term is released, so after the work of all electors has settled: the first release ends the term for
 * all of them.
 *
 * Not guaranteed: mutual exclusion, if the cluster does not need a majority; `capabilities` say so. Members share nothing but
 * their leader: there are no checkpoints, ticks, metadata or waiting candidates.
 */
import { ClusterClosedError } from 'hustings';
import type * as Store from 'hustings/internal/lease/store-interface';
import { selectTerms } from 'hustings/internal/lease/stores/term-keeping';
import { Watchers } from 'hustings/internal/lease/stores/watchers';
import { StoreError } from 'hustings/lease';
import type { MemberList } from '../member-list/member-list.ts';
import type { TermLog } from './term-log.ts';

/** The state of the leadership that leases depend on, as the member knows it now. */
export interface MemberLeaseState {
  /** The leader that it knows. */
  readonly leader: number | null;
  /** The token of that leader. */
  readonly token: number | null;
  /** It is the leader itself. */
  readonly leads: boolean;
  /** For how long it leads if nobody answers any more; null if nothing proves that it leads alone. */
  readonly leadsForMs: number | null;
}

/** The member of this process. */
export interface LeasingMember {
  readonly id: number;
  readonly members: MemberList;
  /** How long a proof of leadership lasts. */
  readonly leaseMs: number;
  /** A leader needs a majority, so that no two members lead at the same time. */
  readonly isExclusive: boolean;
  leaseState(): MemberLeaseState;
  /** Stops leading: the others may lead at once. */
  resign(): void;
}

interface HeldLease {
  readonly nonce: string;
  readonly token: number;
}

/** What `transferTo` says when the term of the member ends. No election reserves anything for it. */
const ANOTHER_MEMBER = 'another member';

export class MemberLeases implements Store.LeaseStore {
  readonly label: string;
  readonly capabilities: Store.Capabilities;
  /** Every call is local: a renewal has no others to wait for. */
  readonly maxItems = 1;
  readonly candidates = this.refuses('does not list the candidates that wait');
  readonly evict = this.refuses('cannot evict the leader; stop that member');
  readonly requestTransfer = this.refuses('cannot choose a successor: the algorithm does');
  readonly startTick = this.refuses('records no ticks');
  readonly endTick = this.startTick;
  readonly resetTicks = this.startTick;
  readonly ticks = this.startTick;
  /** By election: the lease of an elector of this process. */
  private readonly held = new Map<string, HeldLease>();
  private readonly watchers = new Watchers();
  /** The terms up to this token have ended, or end when their last lease is released. */
  private highestUsedToken = 0;
  private version = 0n;
  /** Why this member takes no part any more. */
  private failure: string | null = null;
  /** From then on `acquire`, `read` and `history` reject with it. A lease that is held is still renewed and released. */
  private closed: ClusterClosedError | null = null;
  private onEmpty: () => void = () => undefined;

  constructor(
    private readonly member: LeasingMember,
    private readonly log: TermLog,
    private readonly wallMs: () => number,
  ) {
    const { id, members, isExclusive } = member;
    this.label = `member ${id} of the cluster ${members.cluster}`;
    this.capabilities = capabilitiesOf(isExclusive);
  }

  /** The leader may have changed. Electors that wait or lead find out at once. */
  changed(): void {
    const leaseState = this.member.leaseState();
    this.log.see(leaseState.leader, leaseState.token, this.wallMs());
    this.watchers.notifyAll();
    this.resignIfSpent(leaseState);
  }

  /** This member takes no part any more. */
  fail(reason: string): void {
    this.failure ??= reason;
    this.log.end(null, this.wallMs());
    this.watchers.notifyAll();
  }

  /** Ends the term: electors stop their work or give up. Resolves when all have released their leases, at the latest after `maxMs`. */
  async drain(maxMs: number): Promise<void> {
    this.highestUsedToken = Number.POSITIVE_INFINITY;
    this.closed ??= new ClusterClosedError(this.member.members.cluster);
    this.watchers.notifyAll();
    if (this.held.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.onEmpty = resolve;
      timer = setTimeout(resolve, maxMs);
    });
    clearTimeout(timer);
  }

  async acquire(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    this.checkOpen();
    return requests.map((request) => this.acquireOne(request));
  }

  async renew(requests: readonly Store.RenewRequest[]): Promise<readonly Store.RenewAnswer[]> {
    return requests.map((request) => this.renewOne(request));
  }

  async release(requests: readonly Store.ReleaseRequest[]): Promise<readonly Store.ReleaseAnswer[]> {
    return requests.map((request) => this.releaseOne(request));
  }

  async read(names: readonly string[]): Promise<readonly Store.LeaseRecord[]> {
    this.checkOpen();
    return names.map((name) => this.recordOf(name, this.member.leaseState()));
  }

  watch(name: string, onNotification: () => void): () => void {
    return this.watchers.add(name, onNotification);
  }

  isPushing(): boolean {
    return true;
  }

  async time(): Promise<number> {
    return this.wallMs();
  }

  async history(name: string, query?: Store.HistoryQuery): Promise<readonly Store.Term[]> {
    if (this.closed !== null) throw this.closed;
    const nowMs = this.wallMs();
    const terms = this.log.newest.map(({ leader, token, ...rest }) => ({
      ...{ name, token: BigInt(token), holder: `${leader}`, nonce: nonceOf(leader, token), ...rest },
      claimedUntilMs: rest.endMs ?? nowMs,
      metadata: this.metadataOf(leader),
    }));
    return selectTerms(terms, query);
  }

  async names(): Promise<readonly string[]> {
    return [...this.held.keys()];
  }

  /** A cluster registers no candidates, so there is none to withdraw. */
  async withdraw(): Promise<void> {}

  async init(): Promise<void> {}

  initStatements(): readonly string[] {
    return [];
  }

  async prune(): Promise<readonly string[]> {
    return [];
  }

  async probe(): Promise<Store.Probe> {
    this.checkOpen();
    return { server: this.label, roundTripMs: 0, clockOffsetMs: 0, problems: [], warnings: [] };
  }

  /** The owner of the cluster closes it. */
  async close(): Promise<void> {
    await this.drain(0);
    this.fail('was closed');
    this.watchers.clear();
    await this.log.close();
  }

  private acquireOne({ name, nonce, ttlMs }: Store.AcquireRequest): Store.AcquireAnswer {
    this.resignIfSpent(this.member.leaseState());
    const leaseState = this.member.leaseState();
    const { token } = leaseState;
    const holder = this.held.get(name);
    const isHeld = holder !== undefined && holder.token === token && holder.nonce !== nonce;
    if (!leaseState.leads || token === null || token <= this.highestUsedToken || isHeld) {
      return { type: 'held', record: this.recordOf(name, leaseState) };
    }
    const ageMs = ageOf(leaseState, ttlMs);
    // Too little is left for the work to start. The next answer of a majority is due.
    if (2 * ageMs > ttlMs) {
      const remainingMs = Math.ceil(this.member.leaseMs / 20);
      return { type: 'held', record: { ...this.recordOf(name, leaseState), remainingMs } };
    }
    this.held.set(name, { nonce, token });
    return { type: 'ok', token: BigInt(token), checkpoint: null, ageMs };
  }

  private renewOne({ name, nonce, token, ttlMs }: Store.RenewRequest): Store.RenewAnswer {
    if (!this.isHeldBy(name, nonce, token)) return { type: 'lost' };
    const leaseState = this.member.leaseState();
    if (!this.leadsWith(Number(token), leaseState)) {
      this.drop(name);
      return { type: 'lost' };
    }
    const transferTo = token <= this.highestUsedToken ? ANOTHER_MEMBER : null;
    return { type: 'ok', challenger: null, transferTo, ageMs: ageOf(leaseState, ttlMs) };
  }

  private releaseOne({ name, nonce, token, reason }: Store.ReleaseRequest): Store.ReleaseAnswer {
    if (!this.isHeldBy(name, nonce, token)) return { type: 'lost' };
    const isLed = this.leadsWith(Number(token), this.member.leaseState());
    this.drop(name);
    if (!isLed) return { type: 'lost' };
    if ([...this.held.values()].some((other) => BigInt(other.token) === token)) this.watchers.notifyAll();
    else {
      this.log.end(reason, this.wallMs());
      this.member.resign();
    }
    return { type: 'ok' };
  }

  private isHeldBy(name: string, nonce: string, token: bigint): boolean {
    const holder = this.held.get(name);
    return holder !== undefined && holder.nonce === nonce && BigInt(holder.token) === token;
  }

  private leadsWith(token: number, { leads, leadsForMs, token: current }: MemberLeaseState): boolean {
    return this.failure === null && leads && current === token && (leadsForMs === null || leadsForMs > 0);
  }

  /** The lease is over, and with it the term of this member. */
  private drop(name: string): void {
    const { token } = this.held.get(name)!;
    this.held.delete(name);
    this.highestUsedToken = Math.max(this.highestUsedToken, token);
    if (this.held.size === 0) this.onEmpty();
  }

  /** A member that has lost its lead, and its leases with it, may lead again in the same term: nobody could use that. */
  private resignIfSpent({ leads, token }: MemberLeaseState): void {
    const isSpent = leads && token !== null && token <= this.highestUsedToken;
    if (isSpent && ![...this.held.values()].some((lease) => lease.token === token)) this.member.resign();
  }

  private recordOf(name: string, { leader, leads, leadsForMs, token }: MemberLeaseState): Store.LeaseRecord {
    const isLed = leader !== null && token !== null;
    const ttlMs = this.member.leaseMs;
    // A member does not see when the leader renews its lease, so nothing may be concluded from an old version.
    this.version++;
    return {
      name,
      token: BigInt(isLed ? token : this.log.latestToken),
      holder: isLed
        ? {
            ...{ id: `${leader}`, nonce: nonceOf(leader, token), ttlMs, priority: 0 },
            ...{ processProof: '', evicted: false },
          }
        : null,
      remainingMs: leads && leadsForMs !== null ? Math.floor(leadsForMs) : null,
      durationMs: ttlMs,
      version: this.version,
      successor: null,
      metadata: isLed ? this.metadataOf(leader) : null,
      checkpoint: null,
    };
  }

  private metadataOf(leader: number): { readonly address: string } | null {
    const { members } = this.member.members;
    const found = members.find(({ id }) => id === leader);
    return found === undefined ? null : { address: found.address };
  }

  private checkOpen(): void {
    if (this.closed !== null) throw this.closed;
    if (this.failure !== null) throw new StoreError('unusable', `${this.label} ${this.failure}`);
  }

  private refuses(what: string): () => Promise<never> {
    return async () => {
      throw new StoreError('unusable', `${this.label} ${what}`);
    };
  }
}

/** The lease ends when the proof does: the rest of it, if less than `ttlMs`, is that of an older lease. */
function ageOf({ leadsForMs }: MemberLeaseState, ttlMs: number): number {
  return leadsForMs === null ? 0 : Math.max(0, Math.ceil(ttlMs - leadsForMs));
}

const nonceOf = (leader: number, token: number): string => `${leader}/${token}`;

function capabilitiesOf(isExclusive: boolean): Store.Capabilities {
  return {
    expiry: isExclusive ? 'clock' : 'suspicion',
    // What a member answers is what it has heard last.
    linearizable: false,
    survivesCrash: isExclusive,
    survivesFailover: isExclusive,
    push: true,
    audit: false,
    transactions: false,
    tickClock: 'none',
    caveats: [
      ...(isExclusive
        ? ['Members keep their votes on disk: one that has lost its folder must come back with a new id.']
        : [
            'There is no mutual exclusion: in a network split each side has a leader, and after a pause there may be two for a moment.',
            'The token is the epoch or the term of the algorithm: two sides of a split may use the same one.',
          ]),
      'All elections of the cluster have the same leader, and its token.',
      'The history has the terms that this member has seen, in its own folder, with the times at which it saw them.',
    ],
  };
}
