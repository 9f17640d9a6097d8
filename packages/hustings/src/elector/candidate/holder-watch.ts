/**
 * A failure detector for the holder of a lease, for processes of the same host: it is perfect there, because a death
 * can be proved. A holder that was killed is then succeeded at once and not only when its lease expires. All elections of
 * this process that wait for one holder share one check.
 */
import type { LeaseRecord } from '../../lease/core/lease-record.ts';
import { remainsOf } from '../../lease/host/process-proof.ts';

const CHECK_EVERY_MS = 50;
/** A check of a dead holder reads the whole process table: it may take this part of the time. */
const MAX_SHARE = 1 / 20;

interface Watched {
  /** Each with its election. */
  readonly listeners: Map<() => void, string>;
  nextMs: number;
}

/** By process proof. */
const holders = new Map<string, Watched>();
let timer: NodeJS.Timeout | null = null;

function checkAll(): void {
  for (const [proof, holder] of [...holders]) {
    const startMs = performance.now();
    if (startMs < holder.nextMs) continue;
    const remains = remainsOf(proof);
    const endMs = performance.now();
    holder.nextMs = endMs + (endMs - startMs) / MAX_SHARE;
    if (remains === null) continue;
    for (const [listener, election] of [...holder.listeners]) {
      if (remains.areCandidates(election)) listener();
    }
  }
}

function waitFor(proof: string, election: string, onGone: () => void): void {
  const holder = holders.get(proof) ?? { listeners: new Map(), nextMs: 0 };
  holder.listeners.set(onGone, election);
  if (!holders.has(proof)) setImmediate(checkAll);
  holders.set(proof, holder);
  timer ??= setInterval(checkAll, CHECK_EVERY_MS).unref();
}

function stopWaiting(proof: string, onGone: () => void): void {
  const holder = holders.get(proof);
  holder?.listeners.delete(onGone);
  if (holder?.listeners.size === 0) holders.delete(proof);
  if (holders.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
}

export class HolderWatch {
  private proof = '';
  private nonce: string | null = null;

  /** `election` is what `markCandidate` was given. */
  constructor(
    private readonly election: string,
    private readonly onGone: (nonce: string) => void,
  ) {}

  /** Takes the latest record of the election. */
  observe({ holder }: LeaseRecord): void {
    if (holder?.nonce === this.nonce && this.proof !== '') return;
    this.stop();
    if (holder === null || holder.processProof === '') return;
    this.nonce = holder.nonce;
    this.proof = holder.processProof;
    waitFor(this.proof, this.election, this.report);
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
