/**
 * Members of a shard group in virtual time: the code that runs in production, on a memory store, with a clock and a network that
 * the seed controls. Members join, leave, crash, are suspended and cut off; requests and answers are delayed and lost.
 *
 *   one owner: two members never both have a valid lease of one shard
 *   tokens of a shard rise
 *   after the faults: every shard has an owner, the numbers differ by at most one, and nothing moves any more
 */
import { nextRandom } from '../../../src/lease/core/prng.ts';
import type { Clock } from '../../../src/lease/host/process-clock.ts';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';
import { createShardGroup, type ShardGroup, type ShardLead } from '../../../src/shards/index.ts';
import { turn } from '../../../src/testing/turn.ts';

const TTL_MS = 5_000;
const SHARDS = 8;
const MAX_MEMBERS = 4;
const FAULTY_MS = 40_000;
const QUIET_MS = 6 * TTL_MS;
/** Turns of the event loop in which everything that follows from a timer has happened. */
const TURNS = 12;

interface Timer {
  dueMs: number;
  readonly member: SimulatedMember | null;
  readonly call: () => void;
}

class SimulatedMember {
  group: ShardGroup | null = null;
  isCrashed = false;
  isCut = false;
  pausedUntilMs = 0;

  constructor(readonly id: string) {}
}

export interface SimulationResult {
  readonly violations: readonly string[];
  readonly moves: number;
  readonly terms: number;
  readonly faults: number;
}

export class ShardWorld {
  private nowMs = 0;
  private readonly timers = new Set<Timer>();
  private random: number;
  private readonly store: MemoryLeaseStore;
  private readonly members: SimulatedMember[] = [];
  private readonly working = new Map<string, { member: SimulatedMember; lead: ShardLead }>();
  private readonly tokens = new Map<string, bigint>();
  private readonly violations: string[] = [];
  private isFaulty = true;
  private moves = 0;
  private terms = 0;
  private faults = 0;
  private made = 0;

  /** `storeRate`: how fast the clock of the store runs. If that is more than 1, leases end too early. */
  constructor(seed: number, storeRate = 1) {
    this.random = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
    this.store = new MemoryLeaseStore({
      clock: { now: () => ({ monoMs: this.nowMs * storeRate, wallMs: this.nowMs * storeRate }) },
    });
  }

  async run(): Promise<SimulationResult> {
    for (let member = 0; member < 2; member++) this.join();
    while (this.nowMs < FAULTY_MS) {
      await this.advance(200 + this.draw(2_500));
      this.inflict();
    }
    this.isFaulty = false;
    for (const member of this.members) member.isCut = false;
    if (this.present().length === 0) this.join();
    await this.advance(QUIET_MS);
    const moved = this.moves;
    await this.advance(2 * TTL_MS);
    if (this.moves !== moved) this.violations.push('shards still move');
    const present = this.present();
    const counts = present.map(
      (member) => [...this.working.values()].filter((work) => work.member === member).length,
    );
    if (this.working.size !== SHARDS)
      this.violations.push(`only ${this.working.size} of ${SHARDS} shards have an owner`);
    if (Math.max(...counts) - Math.min(...counts) > 1)
      this.violations.push(`unbalanced: ${counts.join(', ')}`);
    for (const member of present) void member.group?.close();
    await this.advance(4 * TTL_MS);
    if (this.working.size > 0) this.violations.push('work goes on after all members have left');
    const { violations, moves, terms, faults } = this;
    return { violations, moves, terms, faults };
  }

  private present(): SimulatedMember[] {
    return this.members.filter(({ group, isCrashed }) => group !== null && !isCrashed);
  }

  private draw(below: number): number {
    this.random = nextRandom(this.random);
    return this.random % below;
  }

  private inflict(): void {
    const present = this.present();
    const member = present[this.draw(Math.max(1, present.length))];
    this.faults++;
    if (present.length < 2 || (present.length < MAX_MEMBERS && this.draw(3) === 0)) this.join();
    else {
      switch (this.draw(4)) {
        case 0:
          void member.group?.close();
          member.group = null;
          return;
        case 1:
          member.isCrashed = true;
          for (const [shard, work] of this.working) if (work.member === member) this.working.delete(shard);
          return;
        case 2:
          member.pausedUntilMs = this.nowMs + this.draw(2 * TTL_MS);
          return;
        default:
          member.isCut = !member.isCut;
      }
    }
  }

  private join(): void {
    const member = new SimulatedMember(`m${++this.made}`);
    this.members.push(member);
    member.group = createShardGroup({
      ...{ store: this.connection(member), name: 'group', shards: SHARDS, id: member.id, ttlMs: TTL_MS },
      ...{ clock: this.clock(member), processProof: '' },
      onEvent: ({ type }) => {
        if (type === 'draining') this.moves++;
      },
    });
    void member.group
      .run((lead) => this.work(member, lead))
      .catch((error) => {
        // A process that is suspended again and again cannot stop its work in time.
        if (error.code !== 'HUSTINGS_WORK_OVERDUE' || member.pausedUntilMs === 0)
          this.violations.push(`${error}`);
      });
  }

  private async work(member: SimulatedMember, lead: ShardLead): Promise<string> {
    const { shard, token } = lead;
    if (member.isCrashed) return '';
    this.terms++;
    const other = this.working.get(shard);
    if (other !== undefined && other.member !== member && other.lead.isValid() && lead.isValid()) {
      this.violations.push(`${other.member.id} and ${member.id} both own ${shard} at ${this.nowMs} ms`);
    }
    if (token < (this.tokens.get(shard) ?? 0n)) this.violations.push(`the token of ${shard} fell`);
    this.tokens.set(shard, token);
    const own = { member, lead };
    this.working.set(shard, own);
    await new Promise<void>((resolve) => {
      if (lead.draining.aborted) resolve();
      lead.draining.addEventListener('abort', () => resolve());
    });
    await new Promise<void>((resolve) => void this.clock(member).setTimeout?.(resolve, this.draw(300)));
    if (this.working.get(shard) === own) this.working.delete(shard);
    return `${member.id} left ${shard}`;
  }

  private clock(member: SimulatedMember | null): Clock {
    return {
      now: () => ({ monoMs: this.nowMs, wallMs: this.nowMs }),
      setTimeout: (call, delayMs) => {
        const timer: Timer = { dueMs: this.nowMs + Math.max(0, delayMs), member, call };
        this.timers.add(timer);
        return () => void this.timers.delete(timer);
      },
      random: () => this.draw(2 ** 31) / 2 ** 31,
    };
  }

  /** The store, as one member reaches it: each call takes time, both ways, and may be lost, both ways. */
  private connection(member: SimulatedMember): LeaseStore {
    const network = this.clock(null);
    const travel = (): Promise<void> =>
      new Promise((resolve) => {
        const isLost = this.isFaulty && (member.isCut || this.draw(50) === 0);
        const delayMs = this.isFaulty && this.draw(20) === 0 ? this.draw(TTL_MS) : this.draw(20);
        if (!isLost) network.setTimeout?.(resolve, delayMs);
      });
    return new Proxy<LeaseStore>(this.store, {
      get: (store, property) => {
        const value = Reflect.get(store, property, store);
        if (typeof value !== 'function') return value;
        const call = value.bind(store);
        // Nothing is pushed: members must find everything by themselves.
        if (property === 'isPushing') return () => false;
        if (property === 'watch') return () => () => undefined;
        if (property === 'close') return async () => undefined;
        return async (...args: unknown[]) => {
          await travel();
          const answer = await call(...args);
          await travel();
          return answer;
        };
      },
    });
  }

  private async advance(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    await settle();
    for (;;) {
      let first: Timer | null = null;
      for (const timer of this.timers) {
        const { member } = timer;
        if (member?.isCrashed) this.timers.delete(timer);
        // The timers of a suspended process fire when it resumes.
        else if (member !== null && member.pausedUntilMs > timer.dueMs) timer.dueMs = member.pausedUntilMs;
        if (!member?.isCrashed && (first === null || timer.dueMs < first.dueMs)) first = timer;
      }
      if (first === null || first.dueMs > endMs) break;
      this.timers.delete(first);
      this.nowMs = Math.max(this.nowMs, first.dueMs);
      first.call();
      await settle();
    }
    this.nowMs = endMs;
  }
}

async function settle(): Promise<void> {
  for (let each = 0; each < TURNS; each++) await turn();
}
