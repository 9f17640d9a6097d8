/**
 * The work of one term: it writes to the sink with its token at random times, and reports progress. It checks `isValid` before
 * each write, but a write may take longer than the TTL to arrive. Told to stop, it stops soon, or ignores the request and
 * writes on for a while without a check. Killed, it stops at once.
 */
import type { Random } from '../../../../../study/src/kernel/random.ts';
import type { FencedSink } from './fenced-sink.ts';
import type { Environment } from './network.ts';

export interface Employer {
  /** Runs the action as soon as the process runs; never if the process has ended. */
  perform(action: () => void): void;
  isValid(): boolean;
  beat(): void;
  settled(): void;
}

export class SimulatedWork {
  isRunning = true;
  #isTold = false;
  readonly #random: Random;
  readonly #ignoresStop: boolean;
  #beats = true;

  constructor(
    readonly token: bigint,
    private readonly world: Environment,
    private readonly sink: FencedSink,
    private readonly employer: Employer,
    private readonly killable: boolean,
  ) {
    this.#random = world.random('work');
    this.#ignoresStop = world.isOn('work-ignores-stop') && this.#random.chance(0.5);
    this.#writeLater();
    if (world.isOn('short-work') && this.#random.chance(0.5)) {
      world.tally.count('short-work');
      this.#stopLater(this.#random.below(6 * world.ttlMs));
    }
  }

  /** The signal aborts. */
  tell(): void {
    this.#isTold = true;
    const { ttlMs, tally } = this.world;
    if (!this.#ignoresStop) this.#stopLater(this.#random.below(Math.ceil(ttlMs / 10)));
    else {
      tally.count('work-ignores-stop');
      // Work that can be killed does not stop by itself.
      if (!this.killable) this.#stopLater(this.#random.below(3 * ttlMs));
    }
  }

  kill(): void {
    if (!this.killable || !this.isRunning) return;
    this.isRunning = false;
    this.world.tally.count('kills');
    this.#reportEnd();
  }

  /** Like a crash: nobody is told. */
  vanish(): void {
    this.isRunning = false;
  }

  #stopLater(afterMs: number): void {
    this.world.plan(this.world.nowMs + afterMs, () =>
      this.employer.perform(() => {
        if (!this.isRunning) return;
        this.isRunning = false;
        this.employer.settled();
      }),
    );
  }

  #reportEnd(): void {
    this.world.plan(this.world.nowMs, () => this.employer.perform(() => this.employer.settled()));
  }

  #writeLater(): void {
    const { world } = this;
    world.plan(world.nowMs + 1 + this.#random.below(Math.ceil(world.ttlMs * 0.7)), () =>
      this.employer.perform(() => {
        if (!this.isRunning) return;
        this.#write();
        this.#writeLater();
      }),
    );
  }

  #write(): void {
    const { world } = this;
    const random = this.#random;
    if (this.#beats && world.isOn('no-progress') && random.chance(0.05)) {
      world.tally.count('no-progress');
      this.#beats = false;
    } else if (!this.#beats && random.chance(0.2)) this.#beats = true;
    if (this.#beats || !world.isOn('no-progress')) this.employer.beat();
    if (!this.isRunning) return;
    const mayWrite = this.employer.isValid() || (this.#isTold && this.#ignoresStop);
    if (!mayWrite) return;
    const slowly = random.chance(0.3);
    const afterMs = random.below(slowly ? 4 * world.ttlMs : Math.ceil(world.ttlMs / 10));
    world.plan(world.nowMs + afterMs, () => this.sink.write(this.token));
  }
}
