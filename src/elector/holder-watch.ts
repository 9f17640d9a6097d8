/**
 * Looks whether the process that holds the lease is still there, where that can be known: on the same host. Then a
 * holder that was killed is succeeded at once and not only when its lease ends. All elections of this process that wait
 * for one holder share one look.
 */
import type { LeaseRecord } from '../lease/core/lease-record.ts';
import { isGone } from '../lease/host/process-proof.ts';

const LOOK_EACH_MS = 50;

/** By proof: who is to be told when it holds. */
const waiting = new Map<string, Set<() => void>>();
let timer: NodeJS.Timeout | null = null;

function lookAtAll(): void {
  for (const [proof, listeners] of [...waiting]) {
    if (isGone(proof)) for (const listener of [...listeners]) listener();
  }
}

function waitFor(proof: string, onGone: () => void): void {
  const listeners = waiting.get(proof) ?? new Set();
  waiting.set(proof, listeners.add(onGone));
  timer ??= setInterval(lookAtAll, LOOK_EACH_MS).unref();
}

function waitNoMore(proof: string, onGone: () => void): void {
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

  /** The latest record that stood in the way. */
  see({ holder }: LeaseRecord): void {
    if (holder?.nonce === this.nonce && this.proof !== '') return;
    this.stop();
    if (holder === null || holder.processProof === '') return;
    this.nonce = holder.nonce;
    this.proof = holder.processProof;
    waitFor(this.proof, this.tell);
    setImmediate(() => {
      if (this.nonce === holder.nonce && isGone(holder.processProof)) this.tell();
    });
  }

  stop(): void {
    if (this.proof !== '') waitNoMore(this.proof, this.tell);
    this.proof = '';
    this.nonce = null;
  }

  private readonly tell = (): void => {
    const { nonce } = this;
    this.stop();
    if (nonce !== null) this.onGone(nonce);
  };
}
