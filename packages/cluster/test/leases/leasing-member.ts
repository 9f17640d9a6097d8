/** A member whose leadership the test decides, and electors on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createElector } from '../../../hustings/src/elector/create-elector.ts';
import type { Elector } from '../../../hustings/src/elector/elector.ts';
import type { ElectorOptions } from '../../../hustings/src/elector/elector-options.ts';
import type { LeaseStore } from '../../../hustings/src/lease/lease-store.ts';
import { type LeasingMember, MemberLeases } from '../../src/leases/member-leases.ts';
import { TermLog } from '../../src/leases/term-log.ts';

export const MEMBERS = {
  cluster: 'demo',
  version: 1,
  members: [1, 2, 3].map((id) => ({ id, address: `127.0.0.1:700${id}` })),
};

export interface ScriptedMember {
  readonly leases: MemberLeases;
  /** How often it has resigned, each with the term of that time. */
  readonly resigned: number[];
  /** Leads with the next token, for `forMs`, or without a proof. */
  leads(forMs?: number): number;
  /** A majority has answered. */
  extend(forMs: number): void;
  /** No longer leads, and then again, in the same term. */
  lapses(): void;
  leadsAgain(): void;
  /** Another member leads, or none. */
  follows(leader: number | null): void;
  /** When this member stops to lead, on the monotonic clock. */
  readonly untilMs: number | null;
  elector(options?: Partial<ElectorOptions>, store?: LeaseStore): Elector;
  remove(): Promise<void>;
}

/** `resigns`: its resignations take effect. */
export async function scriptedMember(leaseMs: number, resigns = true): Promise<ScriptedMember> {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-leases-'));
  const log = await TermLog.open(join(folder, 'terms'), (error) => {
    throw error;
  });
  let token = 0;
  let leader: number | null = null;
  let untilMs: number | null = null;
  const resigned: number[] = [];
  const isOver = (): boolean => untilMs !== null && performance.now() >= untilMs;
  const member: LeasingMember = {
    id: 1,
    members: MEMBERS,
    leaseMs,
    isExclusive: true,
    leaseState: () => {
      const known = leader === 1 && isOver() ? null : leader;
      const leads = known === 1;
      const leadsForMs = leads && untilMs !== null ? untilMs - performance.now() : null;
      return { leader: known, token: known === null ? null : token, leads, leadsForMs };
    },
    resign: () => {
      resigned.push(token);
      if (!resigns) return;
      leader = null;
      leases.changed();
    },
  };
  const leases = new MemberLeases(member, log, Date.now);
  return {
    leases,
    resigned,
    leads: (forMs) => {
      token++;
      leader = 1;
      untilMs = forMs === undefined ? null : performance.now() + forMs;
      leases.changed();
      return token;
    },
    extend: (forMs) => {
      untilMs = performance.now() + forMs;
    },
    lapses: () => {
      leader = null;
      leases.changed();
    },
    leadsAgain: () => {
      leader = 1;
      leases.changed();
    },
    follows: (other) => {
      if (other !== null) token++;
      leader = other;
      leases.changed();
    },
    get untilMs() {
      return untilMs;
    },
    elector: (options = {}, store = leases) =>
      createElector({
        cluster: { id: 1, leaseMs, leases: async () => store },
        name: 'job',
        ...options,
      } as ElectorOptions),
    remove: async () => {
      await leases.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
