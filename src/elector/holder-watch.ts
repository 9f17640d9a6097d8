/**
 * Looks whether the process that holds the lease is still there, where that can be known: on the same host. Then a
 * holder that was killed is succeeded at once and not only when its lease ends.
 */
import type { LeaseRecord } from '../lease/core/lease-record.ts';
import { isGone } from '../lease/process-proof.ts';

const LOOK_EACH_MS = 50;

export class HolderWatch {
  private timer: NodeJS.Timeout | null = null;
  private nonce: string | null = null;

  constructor(private readonly onGone: (nonce: string) => void) {}

  /** The latest record that stood in the way. */
  see({ holder }: LeaseRecord): void {
    if (holder?.nonce === this.nonce && this.timer !== null) return;
    this.stop();
    if (holder === null || holder.process === '') return;
    const { nonce, process: proof } = holder;
    this.nonce = nonce;
    const look = (): void => {
      if (!isGone(proof)) return;
      this.stop();
      this.onGone(nonce);
    };
    this.timer = setInterval(look, LOOK_EACH_MS);
    this.timer.unref();
    setImmediate(look);
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.nonce = null;
  }
}
