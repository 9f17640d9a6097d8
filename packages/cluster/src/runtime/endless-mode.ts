/**
 * One run over all configured members that never ends, for algorithms that see crashes themselves. A process that stops is a
 * crash; one that starts again with its durable fields recovers.
 *
 * E1 A member that has never run is asleep. It starts by itself after a short random wait, unless a message comes first. But an
 *    algorithm that assumes bounded delays takes one that sleeps for one that answers in time, and the others may have elected
 *    long before the first start of this member. And a process without state cannot know whether its member has run before, and
 *    lost its folder soon after it made a promise. So with bounded delays, and where the algorithm has a lease, the first start is
 *    a recovery from the initial values.
 * E2 When a member becomes suspected, its link is reset, and the algorithm is told of each message that it has not
 *    acknowledged. Later messages to it are treated likewise, one timeout after they were sent.
 * E3 A follower whose leader is suspected starts, once in a term: the rule of kernel/world/failure-detector.ts.
 * E4 When a suspicion ends, the two sides of a cut may have elected different leaders, and an election may have passed over the
 *    member that was suspected. So the one that suspected it starts again after a wait, whatever it has decided by then. E3 and
 *    E4 hold for algorithms whose trigger is a crash; the others have timers of their own.
 * E5 No member runs the auxiliary processes of an overlay: they count as crashed from the start.
 * E6 Where the algorithm tells its standing, that counts instead of the last decision: a gain when the step is on disk, a loss
 *    at once.
 * E7 Where the algorithm proves that it leads, a member leads only until the proof lapses, and again when there is a new one.
 * E8 Where the leader can change the member list, each list is a run of its own: a message of another list is not delivered, and
 *    the two members compare their lists.
 * E9 Where folders do not last, a member becomes the leader only by votes for a request that it sent less than a lease ago. Older ones
 *    may have been forgotten by now. A process that was stopped sees such votes before its timers fire.
 */

import { type Decision, FOLLOWER, type Setup } from '@hustings/study/driver';
import { timeoutOf } from '@hustings/study/internal/kernel/params';
import { termToStartFor } from '@hustings/study/internal/kernel/world/failure-detector';
import { InputError, MAX_WORD, NONE, type NodeSummary } from '@hustings/study/kernel';
import type { SuspicionChange } from '../detector/peer-detector.ts';
import { checkFirst } from '../gate/term-increment-limiter.ts';
import type { Frame } from '../transport.ts';
import { overlaySetup } from '../view/overlay.ts';
import type { MemberRecord } from './durable-outbox.ts';
import type { ElectionMode, MessageFrame, ModeHost } from './election-mode.ts';
import type { ElectionRun, HandlerEffects, SentMessage } from './election-run.ts';
import { LEAD_MARGIN } from './lead-clock.ts';
import { LeadProof } from './lead-proof.ts';

export class EndlessMode implements ElectionMode {
  run: ElectionRun;
  readonly epoch = null;
  readonly proof: LeadProof | null;
  private readonly host: ModeHost;
  private readonly setup: Setup;
  /** After the last step, on disk or not; null if the algorithm does not tell. */
  private standing: NodeSummary | null;
  private readonly timeoutMs: number;
  private readonly hasTrigger: boolean;
  private sentInStep = 0;
  private readonly waits = new Map<string, () => void>();

  constructor(host: ModeHost) {
    const { algorithm, edges, set } = host.options;
    const { unitMs } = host;
    const setup = overlaySetup(algorithm, host.members, set ?? {}, edges ?? null);
    if (setup === null) throw new InputError('edges must connect all members');
    this.host = host;
    this.timeoutMs = timeoutOf(setup.params) * unitMs;
    this.hasTrigger = termToStartFor(algorithm, FOLLOWER, 0) !== NONE;
    this.setup = setup;
    this.run = this.createRun();
    this.standing = this.run.standing;
    const { lease = null } = this.standing ?? {};
    const leaseMs = (lease?.units ?? 0) * unitMs * (1 - LEAD_MARGIN);
    this.proof = lease === null ? null : new LeadProof(leaseMs, host.members.length === 1);
  }

  get promiseMs(): number {
    return (this.standing?.lease?.units ?? 0) * this.host.unitMs;
  }

  get term(): number | null {
    return this.standing?.term ?? null;
  }

  record(): MemberRecord {
    const { promiseMs, run } = this;
    const { name } = this.host.options.algorithm;
    return { algorithm: name, entered: 0, durable: run.durable, ...(promiseMs > 0 && { promiseMs }) };
  }

  firstRecord(term: number): MemberRecord | null {
    const { assumes, name, onRestart, termField } = this.host.options.algorithm;
    if (term === 0) {
      // E1
      const isRecovery = assumes.timing === 'bounded-delay' || this.promiseMs > 0;
      return isRecovery && onRestart ? this.record() : null;
    }
    if (termField === undefined)
      throw new InputError(
        `the tokens of ${name} cannot begin above ${term}, because it declares no termField; use a quorum or another algorithm`,
      );
    checkFirst(term, MAX_WORD, name);
    return this.recordIn(term);
  }

  recordIn(term: number, vote?: number): MemberRecord {
    const { termField = '', voteField = '' } = this.host.options.algorithm;
    const voted = vote !== undefined && { [voteField]: vote };
    return { ...this.record(), durable: { ...this.createRun().durable, [termField]: term, ...voted } };
  }

  open(saved: MemberRecord | null): void {
    const { startWithinMs = 2 * this.host.unitMs } = this.host.options;
    this.host.setState('running');
    if (saved !== null) {
      this.run.restore(saved.durable);
      this.run.recover();
    } else {
      // E1
      this.wait('start', this.host.jitter() * startWithinMs, () => {
        if (!this.run.isAwake) this.run.start();
      });
    }
  }

  onMessage(from: number, { body, epoch, port, proposer }: MessageFrame, cause: string): void {
    const { list } = this.host;
    if (epoch !== (list?.number ?? 0) || proposer !== (list?.proposer ?? 0)) {
      this.host.countStale();
      this.host.noteOtherList(from); // E8
    } else this.host.refuse(from, this.run.deliver(this.host.members.indexOf(from), port, body, cause));
  }

  onView(from: number): void {
    this.host.refuse(from, 'this algorithm runs without epochs');
  }

  /** E2. */
  onReset(peer: number, lost: readonly Frame[]): void {
    const to = this.host.members.indexOf(peer);
    for (const frame of lost) {
      if (frame.type !== 'message') continue;
      const { body, key, port } = frame as MessageFrame;
      this.run.notify({ to, port: port as number, message: body as SentMessage['message'] }, String(key));
    }
  }

  onSuspicion({ peer, suspected }: SuspicionChange): void {
    if (suspected) {
      this.host.options.transport.reset(peer); // E2
      this.startIfLeaderSuspected();
    } else if (this.hasTrigger) this.startAgain();
  }

  onHears(): void {}
  poll(): void {}

  /** E9. */
  refuses({ beganMs, standing }: HandlerEffects): boolean {
    const { isEphemeral, self } = this.host.options;
    const hasLed = standing !== null && this.standing !== null && isSameStanding(standing, this.standing);
    if (!isEphemeral || this.proof === null || standing?.leader !== self || hasLed) return false;
    this.proof.note(standing, beganMs);
    const nowMs = this.host.leadMs();
    return this.proof.untilMs(nowMs) <= nowMs;
  }

  onStep({ beganMs, sent, standing }: HandlerEffects): void {
    this.sentInStep = sent.length;
    if (standing === null) return;
    const isSame = isSameStanding(standing, this.standing);
    this.standing = standing;
    this.proof?.note(standing, beganMs);
    this.watchProof();
    if (!isSame) this.host.noteResult(null); // E6
  }

  afterHandler({ decision, sent, standing }: HandlerEffects, local: readonly SentMessage[]): void {
    const { members, options } = this.host;
    for (const { to } of sent) {
      const peer = members[to];
      if (peer !== undefined && this.host.suspects(peer))
        this.wait(`reset ${peer}`, this.timeoutMs, () => {
          if (this.host.suspects(peer)) options.transport.reset(peer); // E2
        });
    }
    const { run } = this;
    for (const message of local) {
      if (message.to === run.at)
        options.clock.after(0, () => run.deliver(run.at, message.port, message.message));
      else options.clock.after(this.timeoutMs, () => run.notify(message)); // E5
    }
    if (standing !== null) {
      if (isSameStanding(standing, this.standing)) this.host.noteResult(this.resultOf(standing)); // E6
    } else if (decision !== null) this.host.noteResult(decision);
    if (decision !== null) this.startIfLeaderSuspected();
  }

  restart(): void {
    // A member that has never run does not lead.
    if (!this.run.isAwake) return;
    const { durable } = this.run;
    this.close();
    this.host.noteResult(null);
    const run = this.createRun();
    run.restore(durable);
    this.run = run;
    this.standing = run.standing;
    this.proof?.begin(NONE);
    this.host.noteRestart(durable);
    run.recover();
  }

  close(): void {
    for (const cancel of this.waits.values()) cancel();
    this.waits.clear();
    this.run.close();
  }

  private createRun(): ElectionRun {
    const { limit, list, members, options } = this.host;
    return this.host.createRun(this.setup, members.indexOf(options.self), list, limit);
  }

  private resultOf({ leader, term }: NodeSummary): Decision | null {
    if (leader === NONE) return null;
    return { role: leader === this.host.options.self ? 'leader' : 'follower', leader, term };
  }

  /** E7. */
  private watchProof(): void {
    const { proof, standing } = this;
    if (proof === null || standing?.leader !== this.host.options.self) return;
    const nowMs = this.host.leadMs();
    const leftMs = proof.untilMs(nowMs) - nowMs;
    if (leftMs <= 0) return;
    this.wait('proof', leftMs, () => {
      this.host.noteTime();
      this.watchProof();
    });
  }

  /** E3. */
  private startIfLeaderSuspected(): void {
    if (!this.hasTrigger) return;
    this.wait('leader suspected', this.host.jitter() * this.host.unitMs, () => {
      const { decision, startedFor } = this.run;
      if (decision?.role !== 'follower' || decision.leader === null || startedFor > decision.term) return;
      if (this.host.suspects(decision.leader)) this.run.start();
    });
  }

  /** E4. An algorithm may ignore a start while an election of its own is under way; that one may have passed over the other. */
  private startAgain(): void {
    this.wait('cut healed', (2 + 2 * this.host.jitter()) * this.timeoutMs, () => {
      if (!this.run.isAwake) return;
      this.sentInStep = 0;
      this.run.start();
      if (this.sentInStep === 0) this.startAgain();
    });
  }

  /** One wait of each name at a time: the first one counts. */
  private wait(name: string, delayMs: number, then: () => void): void {
    if (this.waits.has(name)) return;
    const cancel = this.host.options.clock.after(delayMs, () => {
      this.waits.delete(name);
      then();
    });
    this.waits.set(name, cancel);
  }
}

function isSameStanding(one: NodeSummary, other: NodeSummary | null): boolean {
  return one.leader === other?.leader && one.term === other.term;
}
