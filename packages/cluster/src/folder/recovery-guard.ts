/**
 * A transport that asks the other members what this one has forgotten, and answers them. The rules are in recovery.ts. The clock,
 * the wire and what this member knows are inputs.
 */
import { frameProblem } from '../frame-fields.ts';
import type { RecordName } from '../membership/list-record.ts';
import type { MemberClock } from '../runtime/member-clock.ts';
import type { Frame, Transport, TransportEvents } from '../transport.ts';
import {
  askedAgain,
  countedAnswers,
  extendedRecovery,
  type KnownToken,
  mayAsk,
  neededAnswers,
  type Recovery,
  type RecoveryAnswer,
  recollected,
  startedRecovery,
  withAnswer,
} from './recovery.ts';

/** The member that has forgotten. */
export interface RecoveryGuardOptions {
  readonly self: number;
  readonly clock: MemberClock;
  /** Between two questions. */
  readonly pauseMs: number;
  /** A number that no other process of any member has. */
  readonly process: number;
  /** The members of the list in use, this one included; null while there is none with this member. */
  members(): readonly number[] | null;
  /** How long support lasts with this list. */
  leaseMs(): number;
  /** The name of the list that this member has stored; null before there is one. */
  list(): RecordName | null;
  /** What this member has supported, as far as it knows; null before it has read its disk. */
  known(): KnownToken | null;
  /** Sends the list in use, where the leader can change it. */
  sendList(to: number): void;
  /** Why another member cannot name this token, or null. */
  refusal(token: number): string | null;
  onRefused(from: number, reason: string): void;
  /** Whether there is a connection to this process. */
  isConnected(peer: number): boolean;
  /** R5. From now on this member may support others. */
  onRecovered(known: KnownToken): void;
}

/** What the status tells of a recovery. */
export interface RecoveryProgress {
  readonly isRecovered: boolean;
  /** The others whose answers count, and that are not recovering themselves. */
  readonly answeredBy: readonly number[];
  /** How many of them are enough. */
  readonly needed: number;
}

/** The questions and answers of one member. */
export class RecoveryGuard implements Transport {
  readonly #options: RecoveryGuardOptions;
  readonly #inner: Transport;
  readonly #startMs: number;
  /** Null when the member has recovered. */
  #recovery: Recovery | null;
  #events: TransportEvents | null = null;
  #cancelTick: () => void = () => undefined;

  constructor(inner: Transport, options: RecoveryGuardOptions) {
    this.#inner = inner;
    this.#options = options;
    this.#startMs = options.clock.now();
    this.#recovery = startedRecovery(this.#startMs, 0, options.process);
  }

  get isRecovered(): boolean {
    return this.#recovery === null;
  }

  get progress(): RecoveryProgress {
    const { list, members: membersOf, self } = this.#options;
    const members = membersOf() ?? [];
    const recovery = this.#recovery ?? { answers: {} };
    const counted = [...countedAnswers(recovery, members, self, list())];
    const answeredBy = counted.flatMap(([id, { isRecovering }]) => (isRecovering ? [] : [id]));
    return { isRecovered: this.isRecovered, answeredBy, needed: Math.max(0, neededAnswers(members.length)) };
  }

  async open(events: TransportEvents): Promise<void> {
    this.#events = events;
    await this.#inner.open({ ...events, onFrame: (from, frame) => this.#receive(from, frame) });
    this.#tick();
  }

  send(to: number, frame: Frame): void {
    this.#inner.send(to, frame);
  }

  reset(to: number): void {
    this.#inner.reset(to);
  }

  close(): Promise<void> {
    this.#events = null;
    this.#cancelTick();
    return this.#inner.close();
  }

  #tick(): void {
    const { clock, leaseMs, members, pauseMs, self } = this.#options;
    if (this.#events === null || this.#recovery === null) return;
    const ids = members();
    if (ids !== null) {
      this.#recovery = extendedRecovery(this.#recovery, this.#startMs + leaseMs());
      const { question } = this.#recovery;
      if (mayAsk(this.#recovery, clock.now()))
        for (const id of ids)
          if (id !== self) this.#tell(id, { type: 'recovery', about: 'question', question });
      this.#recover(ids);
    }
    this.#cancelTick = clock.after(pauseMs, () => this.#tick());
  }

  #tell(to: number, frame: Frame): void {
    // One that waits for a connection would only fill the queue.
    if (this.#options.isConnected(to)) this.#inner.send(to, frame);
  }

  #receive(from: number, frame: Frame): void {
    // The member reports one that is not valid.
    if (frame.type !== 'recovery' || frameProblem(frame) !== null) this.#events?.onFrame(from, frame);
    else if (frame.about === 'question') this.#answer(from, frame.question as number);
    else this.#consider(from, frame as unknown as RecoveryAnswer & { readonly question: number });
  }

  #answer(to: number, question: number): void {
    const { list, process, sendList } = this.#options;
    const known = this.#options.known();
    // Questions are repeated.
    if (known === null) return;
    const { leader, token } = known;
    sendList(to);
    const isRecovering = !this.isRecovered;
    this.#tell(to, {
      type: 'recovery',
      about: 'answer',
      question,
      process,
      isRecovering,
      token,
      leader,
      list: list(),
    });
  }

  #consider(from: number, { question, ...frame }: RecoveryAnswer & Asked): void {
    if (this.#recovery === null) return;
    const { members, onRefused, refusal } = this.#options;
    const { isRecovering, leader, list, process, token } = frame;
    const reason = refusal(token);
    if (reason !== null) {
      onRefused(from, reason);
      return;
    }
    const answer = { isRecovering, leader, list, process, token };
    this.#recovery = withAnswer(this.#recovery, question, from, answer);
    const ids = members();
    if (ids !== null) this.#recover(ids);
  }

  #recover(members: readonly number[]): void {
    const { list, onRecovered, self } = this.#options;
    const known = this.#options.known();
    if (this.#recovery === null || known === null) return;
    const recollection = recollected(this.#recovery, members, self, known, list());
    if (recollection === null) {
      this.#recovery = askedAgain(this.#recovery, members, self, list());
      return;
    }
    this.#recovery = null;
    onRecovered(recollection);
  }
}

interface Asked {
  readonly question: number;
}
