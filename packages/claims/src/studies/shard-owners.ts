/**
 * One owner per shard: the plan of a shard group and the rules of a lease store, with members that join, leave without a word
 * and pause. Each member acts on a view that may be old, and at last the members stay as they are.
 */

import { formatFigure } from '@hustings/base';
import {
  acquire,
  EMPTY_ROW,
  type LeaseRow,
  recordOf,
  release,
  renew,
} from 'hustings/internal/lease/core/lease-row';
import { type ShardView, stepsOf } from 'hustings/internal/shards/core/shard-plan';
import { type Study, study, verdictOf } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { stated } from '../origin.ts';
import { ROURKELA } from '../sources.ts';

const TTL_MS = 1000;
const SHARDS = Array.from({ length: 16 }, (_, index) => `${index}`);
const MEMBERS = 5;

interface Term {
  readonly nonce: string;
  readonly token: bigint;
  /** The member works until then, by its own clock. */
  readonly deadlineMs: number;
}

interface Member {
  readonly id: string;
  isPresent: boolean;
  view: ShardView | null;
  readonly held: Map<string, Term>;
  readonly claimed: Set<string>;
}

interface Counts {
  terms: number;
  /** Grants of a shard on which another member still worked. */
  shared: number;
  /** Groups at rest in which a shard has no owner, or a member more than its share. */
  unbalanced: number;
}

class GroupRun {
  readonly #experiment: Experiment;
  readonly #random;
  readonly #counts: Counts;
  readonly #rows = new Map<string, LeaseRow>(SHARDS.map((shard) => [shard, EMPTY_ROW]));
  readonly #members = Array.from({ length: MEMBERS }, (_, index): Member => {
    return { id: `m${index}`, isPresent: index === 0, view: null, held: new Map(), claimed: new Set() };
  });
  #nowMs = 0;

  constructor(experiment: Experiment, group: number, counts: Counts) {
    this.#experiment = experiment;
    this.#random = experiment.random(`shard group ${group}`);
    this.#counts = counts;
  }

  run(): void {
    for (let step = this.#experiment.some(400, 1000); step > 0; step--) this.#disturb();
    // Within a few TTLs, leases of members that have gone expire, and the plan is carried out.
    for (let round = 0; round < 60; round++) {
      for (const member of this.#members) this.#turn(member);
      this.#nowMs += TTL_MS / 8;
    }
    const present = this.#present();
    const [low, high] = [Math.floor, Math.ceil].map((rounded) => rounded(SHARDS.length / present.length));
    const owned = present.map(({ held }) => held.size);
    const all = owned.reduce((sum, each) => sum + each, 0);
    if (all !== SHARDS.length || owned.some((each) => each < low || each > high)) this.#counts.unbalanced++;
  }

  #disturb(): void {
    const random = this.#random;
    this.#nowMs += random.below(TTL_MS / 8);
    const member = this.#members[random.below(MEMBERS)];
    if (random.below(12) === 0) {
      if (member.isPresent && this.#present().length === 1) return;
      member.isPresent = !member.isPresent;
      // A process that starts again knows nothing; one that was paused goes on as before.
      if (random.below(2) === 0) for (const known of [member.held, member.claimed]) known.clear();
    } else if (member.isPresent) {
      [this.#look, this.#act, this.#call][random.below(3)].call(this, member);
    }
  }

  #turn(member: Member): void {
    if (!member.isPresent) return;
    this.#look(member);
    this.#act(member);
    this.#call(member);
  }

  #present(): Member[] {
    return this.#members.filter(({ isPresent }) => isPresent);
  }

  #look(member: Member): void {
    const owners = new Map(
      [...this.#rows].map(([shard, row]) => {
        const { holder, successor } = recordOf(shard, row, this.#nowMs);
        return [shard, holder?.id ?? successor];
      }),
    );
    member.view = { members: this.#present().map(({ id }) => ({ id, weight: 1 })), owners };
  }

  #act({ id, view, held, claimed }: Member): void {
    if (view === null) return;
    const own = { id, held: new Set(held.keys()), claimed, ending: new Map<string, string | null>() };
    const { claim, withdraw, handOver } = stepsOf(view, own);
    for (const shard of withdraw) claimed.delete(shard);
    for (const shard of claim) claimed.add(shard);
    for (const { shard, to } of handOver) {
      const term = held.get(shard)!;
      held.delete(shard);
      const request = {
        name: shard,
        ...term,
        reason: 'transferred',
        successor: to,
        reserveMs: TTL_MS,
      } as const;
      this.#rows.set(shard, release(this.#rows.get(shard)!, request, this.#nowMs).row);
    }
  }

  /** Renews the leases of the member, and asks for those that it claims. */
  #call(member: Member): void {
    const nowMs = this.#nowMs;
    for (const [shard, term] of member.held) {
      const { row, answer } = renew(this.#rows.get(shard)!, { name: shard, ttlMs: TTL_MS, ...term }, nowMs);
      this.#rows.set(shard, row);
      if (answer.type === 'ok') member.held.set(shard, { ...term, deadlineMs: nowMs + TTL_MS });
      else member.held.delete(shard);
    }
    for (const shard of member.claimed) {
      const nonce = `${member.id} ${shard} ${nowMs}`;
      const { row, answer } = acquire(
        this.#rows.get(shard)!,
        {
          ...{ name: shard, id: member.id, nonce, ttlMs: TTL_MS, priority: 0, processProof: '' },
          ...{ goneNonce: null, staleVersion: null, holdAtLeastMs: 0, registerMs: 0 },
        },
        nowMs,
      );
      this.#rows.set(shard, row);
      if (answer.type !== 'ok') continue;
      this.#counts.terms++;
      const isShared = this.#members.some(
        (other) => other !== member && (other.held.get(shard)?.deadlineMs ?? 0) > nowMs,
      );
      if (isShared) this.#counts.shared++;
      member.claimed.delete(shard);
      member.held.set(shard, { nonce, token: answer.token, deadlineMs: nowMs + TTL_MS });
    }
  }
}

export const shardOwners: Study = study({
  id: 'shards/owner',
  origin: stated([ROURKELA, 'line 445']),
  says: 'leases ensure that each shard is processed by one owner',
  method: 'share of runs',
  measure(experiment) {
    const groups = experiment.some(20, 200);
    const counts: Counts = { terms: 0, shared: 0, unbalanced: 0 };
    for (let group = 0; group < groups; group++) new GroupRun(experiment, group, counts).run();
    const { terms, shared, unbalanced } = counts;
    return {
      verdict: verdictOf(shared === 0 && unbalanced === 0),
      measured:
        `${shared} times a shard has two owners, in ${formatFigure(terms)} terms of ${SHARDS.length} shards in ${formatFigure(groups)} groups, ` +
        `while up to ${MEMBERS} members join, stop and pause; afterwards ${unbalanced} groups in which not every shard has an owner and every member its share`,
      why: 'a lease for each shard, and each member’s plan of who should own which',
    };
  },
});
