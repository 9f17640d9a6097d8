/**
 * A failure detector for the holder of a lease, for processes of the same host: it is perfect there, because a death
 * can be proved. A holder that was killed is then succeeded at once and not only when its lease expires. All elections of
 * this process that wait for one holder share one check.
 */
import type { LeaseRecord } from '../../lease/core/lease-record.ts';
import { isGone } from '../../lease/host/process-proof.ts';

const CHECK_EVERY_MS = 50;

/** The listeners for the death of each holder, by its process proof. */
const waiting = new Map<string, Set<() => void>>();
let timer: NodeJS.Timeout | null = null;

function checkAll(): void {
  for (const [proof, listeners] of [...waiting]) {
    if (isGone(proof)) for (const listener of [...listeners]) listener();
  }
}

function waitFor(proof: string, onGone: () => void): void {
  const listeners = waiting.get(proof) ?? new Set();
  waiting.set(proof, listeners.add(onGone));
  timer ??= setInterval(checkAll, CHECK_EVERY_MS).unref();
}

function stopWaiting(proof: string, onGone: () => void): void {
  const listeners = waiting.get(proof);
  listeners?.delete(onGone);
  if (listeners?.size === 0) waiting.delete(proof);
  if (waiting.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
}

export class HolderWatch {
  private proof = '';
  private nonce: string | null = null;

  constructor(private readonly onGone: (nonce: string) => void) {}

  /** Takes the latest record of the election. */
  observe({ holder }: LeaseRecord): void {
    if (holder?.nonce === this.nonce && this.proof !== '') return;
    this.stop();
    if (holder === null || holder.processProof === '') return;
    this.nonce = holder.nonce;
    this.proof = holder.processProof;
    waitFor(this.proof, this.report);
    setImmediate(() => {
      if (this.nonce === holder.nonce && isGone(holder.processProof)) this.report();
    });
  }

  stop(): void {
    if (this.proof !== '') stopWaiting(this.proof, this.report);
    this.proof = '';
    this.nonce = null;
  }

  private readonly report = (): void => {
    const { nonce } = this;
    this.stop();
    if (nonce !== null) this.onGone(nonce);
  };
}
