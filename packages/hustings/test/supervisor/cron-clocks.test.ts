import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import {
  describeWith,
  type Program,
  startEtcd,
  startNats,
  startZookeeper,
  type TestServer,
} from '../../../../test-kit/servers/index.ts';
import { startKubernetesStandIn } from '../../../../test-kit/servers/kubernetes-server.ts';
import { CronFleet, startedTwice } from './cron-fleet.ts';

const folder = temporaryFolder();
const fleets: CronFleet[] = [];
const servers: TestServer[] = [];
afterAll(async () => {
  await Promise.all(fleets.map((fleet) => fleet.end()));
  await Promise.all(servers.map((server) => server.stop()));
});

const DAY_MS = 86_400_000;

/** The stores whose rules run in the process of the candidate. */
const GROUNDS: readonly (readonly [
  title: string,
  program: Program | null,
  start: () => Promise<TestServer>,
])[] = [
  ['etcd', 'etcd', startEtcd],
  ['NATS', 'nats-server', startNats],
  ['ZooKeeper', 'zkServer.sh', startZookeeper],
  ['a stand-in for Kubernetes', null, startKubernetesStandIn],
];

for (const [title, program, start] of GROUNDS) {
  const claims = (): void => {
    it.concurrent('goes on ticking after a leader whose clock was a day ahead has died', async () => {
      const server = await start();
      servers.push(server);
      const options = ['--ttl', '3s', '--grace', '200ms'];
      const fleet = new CronFleet(join(folder.path, title), server.url, 1, 0, options);
      fleets.push(fleet);
      fleet.step('ahead', DAY_MS);
      fleet.launch('ahead');
      const second = await fleet.start(2);
      fleet.signal('ahead', 'SIGKILL');
      fleet.launch('right');
      const next = await eventually(
        'the replica with the right clock starts ticks',
        () => fleet.starts().filter(({ label }) => label === 'right')[1],
        30_000,
      );
      expect(next.tickMs).toBeGreaterThan(second.tickMs);
      expect(next.tickMs).toBeLessThan(Date.now() + 60_000);
      expect(startedTwice(fleet.lines())).toEqual([]);
    });
  };
  if (program === null) describe(`hustings cron on ${title}`, claims);
  else await describeWith(program, `hustings cron on ${title}`, claims);
}
