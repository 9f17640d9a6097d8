/**
 * The disk of etcd's leader hangs. The members elect another leader, and go on. The old one, which cannot write, goes on counting
 * the time of its leases, of whose renewals it hears nothing; when the disk is back, the cluster believes it (etcd issue 15247).
 * On machines without a disk that can be frozen, packages/hustings/test/lease/stores/etcd/etcd-faults.test.ts stands in: it revokes all leases of
 * etcd, and deletes keys, beside a holder that renews.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import {
  describeWith,
  EtcdMember,
  missingLoopDisk,
  startEtcdCluster,
  startLoopDisk,
  type TestServer,
} from '../../../../../test-kit/servers/index.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import type { ElectorEvent } from '../../../src/elector/events/elector-event.ts';
import { eventually } from '../contract/single-call.ts';

const TTL_MS = 6_000;
/** So that the old leader takes each lease of etcd for expired: the TTL, a quarter of it, and the time until it hears of no renewal. */
const FROZEN_MS = 11_000;
const AFTERWARDS_MS = 5_000;
/** Rounds that prove something, and rounds in all: on a busy machine the holder may have to give up by itself. */
const ROUNDS = 3;
const MAX_ROUNDS = 8;

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

const reason = await missingLoopDisk();

await describeWith(
  'etcd',
  `etcd with three members${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    it.skipIf(reason !== undefined)(
      'ends no lease that is renewed, whenever the disk of its leader hangs: nobody else is elected before the lease is over',
      async () => {
        const disk = await startLoopDisk();
        toEnd.push(() => disk.remove());
        const members = await startEtcdCluster(3, { firstDataIn: disk.path });
        for (const member of members) toEnd.push(() => member.stop());
        const [first, ...others] = members.map(memberOf);
        const { id: firstId } = await first.status();
        const { election, stop } = campaigns(members.slice(1));
        toEnd.push(stop);
        await eventually(async () => election.terms.length > 0 || undefined, 'somebody leads');

        let kept = 0;
        for (let round = 0; kept < ROUNDS; round++) {
          expect(round, 'the holder could not renew in time: this proves nothing').toBeLessThan(MAX_ROUNDS);
          await eventually(async () => {
            for (const member of others) await member.transferLeadership(firstId);
            return (await first.status()).leader === firstId || undefined;
          }, 'the member with the disk leads the others');
          await eventually(async () => election.isValid() || undefined, 'somebody leads');
          const before = election.terms.length;
          await disk.freeze();
          const hasMoved = await sleep(FROZEN_MS)
            .then(() => others[0].status())
            .then(({ leader }) => leader !== firstId)
            .finally(() => disk.thaw());
          await sleep(AFTERWARDS_MS);
          process.stdout.write(
            `round ${round}: ${election.terms.slice(before).join(', ') || 'the same term'}\n`,
          );
          expect(election.wrongs).toEqual([]);
          if (hasMoved && election.terms.length === before && election.isValid()) kept++;
        }
      },
      600_000,
    );
  },
);

function memberOf(server: TestServer): EtcdMember {
  const member = new EtcdMember(server);
  toEnd.push(() => member.close());
  return member;
}

/** Two candidates that know these members alone. */
function campaigns(members: readonly TestServer[]) {
  const store = `etcd://${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  const terms: string[] = [];
  const wrongs: string[] = [];
  /** The lease as its holder knows it. It is never released. */
  let holder = '';
  let endMs = 0;
  const onEvent = (event: ElectorEvent): void => {
    if (event.type !== 'elected' && event.type !== 'renewed') return;
    const { term } = event.lead;
    const nowMs = performance.now();
    if (event.type === 'elected') {
      terms.push(term.holder);
      if (nowMs < endMs) {
        wrongs.push(
          `${term.holder} was elected ${Math.round(endMs - nowMs)} ms before the lease of ${holder} ended`,
        );
      }
    }
    holder = term.holder;
    endMs = nowMs + event.lead.remainingMs();
  };
  const electors = ['a', 'b'].map((id) =>
    createElector({ store, name: 'job', id, ttlMs: TTL_MS, processProof: '', onEvent }),
  );
  for (const elector of electors) {
    elector.campaign((lead) => lead.ended.then(() => undefined)).catch(() => undefined);
  }
  const stop = () => Promise.all(electors.map((elector) => elector.close()));
  return { election: { terms, wrongs, isValid: () => performance.now() < endMs }, stop };
}
