/** The list of one member with a quorum, from its start until it is stored: the rules are in list-succession.ts. */
import { backersOf, type StoredVersion, type VersionedMembers } from './list-succession.ts';
import type { ListFrame } from './support-frame.ts';
import { TermIncrementLimiter } from './term-increment-limiter.ts';

/** The lists of a member, and its disk. */
export interface ListFollowerOptions {
  readonly self: number;
  /** From the disk; null before the first one. */
  readonly stored: VersionedMembers | null;
  /** The list that this member was started with, and uses. */
  readonly list: VersionedMembers;
  /** Resolves when a support with this token is on disk, and then the list. One that rejects ends the member; the host knows. */
  save(token: number): Promise<void>;
}

export class ListFollower {
  readonly #options: ListFollowerOptions;
  readonly #limit = new TermIncrementLimiter('token', Number.MAX_SAFE_INTEGER);
  readonly #answers = new Map<number, StoredVersion>();
  #stored: VersionedMembers | null;
  #isSaving = false;

  constructor(options: ListFollowerOptions) {
    this.#options = options;
    this.#stored = options.stored;
  }

  /** The list that is on disk; null if there is none. */
  get stored(): VersionedMembers | null {
    return this.#stored;
  }

  /** L1: whether this member may support others in the list that it uses. */
  get isStored(): boolean {
    return this.#stored?.version === this.#options.list.version;
  }

  /** The answer to an inquiry; null if nothing is stored. */
  answer(token: number): ListFrame | null {
    if (this.#stored === null) return null;
    const { digest, version } = this.#stored;
    return { type: 'support', about: 'stored', version, digest, token };
  }

  /** An answer, whose fields were checked; returns why it is refused, or null. `known` is the largest token known here. */
  receive(from: number, { digest, token, version }: StoredVersion, known: number): string | null {
    const reason = this.#limit.refusal(known, token);
    if (reason === null) this.#answers.set(from, { digest, token, version });
    return reason;
  }

  /** Stores the list if it may. `known` is the largest token known here. */
  tick(known: number): void {
    const { list, save, self } = this.#options;
    if (this.isStored || this.#isSaving) return;
    const backers = backersOf(self, this.#stored, list, this.#answers);
    if (backers === null) return;
    this.#isSaving = true;
    // L5
    const token = Math.max(known, ...backers.map((id) => this.#answers.get(id)?.token ?? 0));
    save(token).then(
      () => {
        this.#stored = list;
      },
      () => undefined,
    );
  }
}
