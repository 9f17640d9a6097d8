/** Three candidates of one election; the leader writes a line every 5 ms and checks before each that it still leads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createElector } from '../../../src/elector/create-elector.ts';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';

/** No test of the contract uses this name. */
export const ELECTION = 'the campaign';

export interface Line {
  readonly id: string;
  readonly token: bigint;
}

export interface Campaign {
  readonly lines: readonly Line[];
  /** Resolves when somebody writes after this call. */
  writes(): Promise<void>;
}

/** Runs `faults` while the candidates campaign. Closes the stores. */
export async function duringCampaign(
  stores: readonly LeaseStore[],
  ttlMs: number,
  faults: (campaign: Campaign) => Promise<void>,
): Promise<readonly Line[]> {
  const stop = new AbortController();
  const lines: Line[] = [];
  const runs = stores.map((store, index) =>
    createElector({ store, name: ELECTION, id: `c${index}`, ttlMs, processProof: '' }).campaign(
      async (lead) => {
        while (lead.isValid() && !stop.signal.aborted) {
          lines.push({ id: `c${index}`, token: lead.token });
          await sleep(5);
        }
      },
      { signal: stop.signal },
    ),
  );
  const writes = async (): Promise<void> => {
    const before = lines.length;
    await expect.poll(() => lines.length, { timeout: 60_000, interval: 10 }).toBeGreaterThan(before + 2);
  };
  try {
    await faults({ lines, writes });
  } finally {
    stop.abort();
    await Promise.allSettled(runs);
    for (const store of stores) await store.close();
  }
  return lines;
}

/** The lines that a leader wrote after one with a larger token. */
export const staleLines = (lines: readonly Line[]): readonly Line[] =>
  lines.filter(({ token }, index) => index > 0 && token < lines[index - 1].token);
