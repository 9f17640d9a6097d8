/**
 * The time from the loss of the leader until all living members agree: they name the same living leader, in the same term,
 * and it leads. Members are asked every 10 ms, which is the resolution.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterUnderTest, MemberClaim } from './cluster-under-test.ts';
import { type Spread, spreadOf } from './spread.ts';

export type Loss = 'SIGKILL' | 'SIGSTOP';

export interface FailoverFigures {
  readonly title: string;
  readonly killed: Spread;
  readonly stopped: Spread;
  /** Rounds without agreement within the limit. They are in no spread. One without agreement when all live again is the last. */
  readonly failed: number;
  /** Suspicions of living members; null where suspicions are not reported. */
  readonly falseSuspicions: number | null;
  /** Rounds between whose faults the term changed, although the leader was alive. */
  readonly unprovoked: number;
  readonly seconds: number;
}

const ASK_EVERY_MS = 10;
const LIMIT_MS = 30_000;
/** After a member has come back, the others have heard it for this long before the next fault. */
const SETTLE_MS = 1_000;
const HEARTBEAT_SPREAD_MS = 200;

/** One cluster that loses its leader again and again. */
export class FailoverRun {
  private readonly times: Record<Loss, number[]> = { SIGKILL: [], SIGSTOP: [] };
  /** When each member was not running, by the wall clock. */
  private readonly absences: { readonly member: number; readonly fromMs: number; readonly toMs: number }[] =
    [];
  private readonly beganMs = performance.now();
  private failed = 0;
  private isStuck = false;
  private unprovoked = 0;
  private term: number | null = null;

  constructor(private readonly cluster: ClusterUnderTest) {}

  async lose(loss: Loss): Promise<void> {
    const { cluster } = this;
    if (this.isStuck) return;
    const all = cluster.servers.map((_, index) => index);
    await this.agreement(all);
    // At any time between two heartbeats.
    await sleep(SETTLE_MS + Math.random() * HEARTBEAT_SPREAD_MS);
    const before = await this.agreement(all);
    if (before === null) return this.giveUp();
    if (this.term !== null && before.term !== this.term) this.unprovoked++;
    const { leader } = before;
    const server = cluster.servers[leader];
    const fromMs = Date.now();
    cluster.hold();
    const lostMs = performance.now();
    const isDead = loss === 'SIGKILL' ? server.kill9() : server.pause();
    const after = await this.agreement(
      all.filter((index) => index !== leader),
      before.term,
    );
    if (after === null) this.failed++;
    else this.times[loss].push((performance.now() - lostMs) / 1_000);
    await isDead;
    cluster.release();
    if (loss === 'SIGKILL') await server.restart();
    else server.resume();
    const healed = await this.agreement(all);
    if (healed === null) return this.giveUp();
    this.term = healed.term;
    this.absences.push({ member: leader, fromMs, toMs: Date.now() });
  }

  /** The figures of the other clusters are kept. */
  private giveUp(): void {
    this.isStuck = true;
    this.failed++;
    process.stderr.write(
      `${this.cluster.title}: its living members do not agree within ${LIMIT_MS / 1_000} s; given up\n`,
    );
  }

  figures(): FailoverFigures {
    const suspicions = this.cluster.suspicions();
    const wasAbsent = (peer: number, atMs: number): boolean =>
      this.absences.some(({ fromMs, member, toMs }) => member === peer && atMs >= fromMs && atMs <= toMs);
    return {
      title: this.cluster.title,
      killed: spreadOf(this.times.SIGKILL),
      stopped: spreadOf(this.times.SIGSTOP),
      failed: this.failed,
      falseSuspicions: suspicions?.filter(({ atMs, peer }) => !wasAbsent(peer, atMs)).length ?? null,
      unprovoked: this.unprovoked,
      seconds: (performance.now() - this.beganMs) / 1_000,
    };
  }

  /** Resolves when these members agree, in a term above `above`; with null if they do not in time. */
  private async agreement(
    members: readonly number[],
    above = -1,
  ): Promise<{ readonly leader: number; readonly term: number } | null> {
    const { cluster } = this;
    const giveUpAt = performance.now() + LIMIT_MS;
    for (
      let dueAt = performance.now();
      dueAt < giveUpAt;
      dueAt = Math.max(dueAt + ASK_EVERY_MS, performance.now())
    ) {
      await sleep(dueAt - performance.now());
      const claims = await Promise.all(members.map((index) => cluster.claimOf(index).catch(() => null)));
      const leader = agreedLeader(claims, cluster.isAnonymous);
      const term = claims[0]?.term ?? -1;
      if (leader !== null && term > above) return { leader: members[leader], term };
    }
    return null;
  }
}

/** The index of the leader on which all agree, or null. */
export function agreedLeader(claims: readonly (MemberClaim | null)[], isAnonymous: boolean): number | null {
  const leading = claims.flatMap((claim, index) => (claim?.leads ? [index] : []));
  if (leading.length !== 1) return null;
  const leader = claims[leading[0]] as MemberClaim;
  const agrees = (claim: MemberClaim | null): boolean =>
    claim !== null &&
    claim.term === leader.term &&
    (claim === leader || claim.leader === leader.self || (isAnonymous && claim.isFollower));
  return claims.every(agrees) ? leading[0] : null;
}
