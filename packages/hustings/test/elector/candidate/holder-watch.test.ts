import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../../test-kit/eventually.ts';
import { startProcess } from '../../../../../test-kit/limits/child-process.ts';
import { hasProcessTable } from '../../../../base/src/node/process-table.ts';
import { HolderWatch } from '../../../src/elector/candidate/holder-watch.ts';
import type { LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import { processProof } from '../../../src/lease/host/process-proof.ts';

const heldBy = (nonce: string, processProof: string): LeaseRecord => ({
  name: 'x',
  token: 1n,
  holder: { id: 'a', nonce, ttlMs: 1, priority: 0, processProof, evicted: false },
  remainingMs: 1,
  durationMs: 1,
  version: 1n,
  successor: null,
  metadata: null,
  checkpoint: null,
});

describe.skipIf(!hasProcessTable())(
  'the failure detector for a holder on the same host (needs /proc)',
  () => {
    it('reports a death once to each election, except those that stopped or observed another holder', async () => {
      const child = startProcess('sleep', ['1000']);
      // Without the session of this process, which other processes share.
      const proof = processProof({ pids: [child.pid!], session: child.pid! }).replace(/ \d+:\d+,/, ' ');
      const told: string[] = [];
      const watches = ['a', 'b', 'c', 'd', 'e'].map((nonce) => {
        const watch = new HolderWatch('x', (gone) => told.push(gone));
        watch.observe(heldBy(nonce, proof));
        watch.observe(heldBy(nonce, proof));
        return watch;
      });
      watches[2].stop();
      watches[3].observe(heldBy('other', processProof()));
      watches[4].observe(heldBy('none', ''));
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      await eventually('both are told', () => told.length >= 2);
      // One more holder: its report arrives after any report of the first holder that is still on its way.
      watches[0].observe(heldBy('later', proof));
      await eventually('it is told at once', () => told.includes('later'));
      expect(told).toEqual(['a', 'b', 'later']);
      for (const watch of watches) watch.stop();
    });
  },
);
