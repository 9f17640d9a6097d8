/** Three members of etcd whose leadership moves all the time: they answer with texts of every kind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeWith, EtcdMember, startEtcdCluster } from '../../../../../../test-kit/servers/index.ts';
import { HustingsError } from '../../../../../base/src/hustings-error.ts';
import { createElector } from '../../../../src/elector/create-elector.ts';
import { eventually } from '../../contract/single-call.ts';

const RUNS = 500;
const MOVES = 200;
const AT_ONCE = 4;
const MOVES_EVERY_MS = 120;

await describeWith('etcd', 'etcd with three members', () => {
  it('ends no candidacy while its leadership moves: of at least 500 one-off runs, none rejects for a reason but its own timeout', async () => {
    const servers = await startEtcdCluster(3);
    const members = servers.map((server) => new EtcdMember(server));
    const store = `etcd://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
    let isOver = false;
    let moves = 0;
    try {
      const ids: string[] = [];
      for (const member of members) {
        const { id } = await eventually(() => member.status().catch(() => undefined), 'a member answers');
        ids.push(id);
      }
      const moving = (async () => {
        for (; !isOver; moves++) {
          // Without waiting for the change before it.
          for (const member of members) void member.transferLeadership(ids[moves % 3]);
          await sleep(MOVES_EVERY_MS);
        }
      })();
      const codes = new Map<string, number>();
      const rejections: string[] = [];
      let started = 0;
      const runAll = async (): Promise<void> => {
        while (started < RUNS || moves < MOVES) {
          const elector = createElector({ store, name: `job ${started++}`, ttlMs: 3_000, processProof: '' });
          const code = await elector
            .runOnce(async () => 'done', { timeoutMs: 5_000 })
            .catch((error) => {
              const given = error instanceof HustingsError ? error.code : 'no code';
              if (given !== 'HUSTINGS_ACQUIRE_TIMEOUT') rejections.push(String(error));
              return given;
            });
          codes.set(code, (codes.get(code) ?? 0) + 1);
          await elector.close();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, runAll)).finally(() => {
        isOver = true;
      });
      await moving;
      process.stdout.write(
        `etcd, asked ${moves} times to change its leader: ${JSON.stringify([...codes])}\n`,
      );
      expect(rejections).toEqual([]);
      // On a busy machine some are late; runs that are all late prove nothing.
      expect(codes.get('done') ?? 0).toBeGreaterThan(started / 2);
    } finally {
      isOver = true;
      for (const member of members) member.close();
      for (const server of servers) await server.stop();
    }
  }, 600_000);
});
