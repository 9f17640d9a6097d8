/** Many requests at once, for which a store has two connections. */
import { afterEach, expect, it, vi } from 'vitest';
import {
  describeWith,
  type Program,
  startMariadb,
  startPostgres,
  type TestServer,
} from '../../../../../test-kit/servers/index.ts';
import { openStore } from '../../../src/lease/index.ts';
import { ServerConnections } from '../../../src/lease/stores/server-connections.ts';
import { claimOf } from '../contract/single-call.ts';

const SERVERS: readonly [Program, () => Promise<TestServer>][] = [
  ['mariadbd', startMariadb],
  ['postgres', startPostgres],
];
const ELECTIONS = 100;
const REPEATED = 3;

afterEach(() => {
  vi.restoreAllMocks();
});

for (const [program, start] of SERVERS) {
  await describeWith(program, `a store on ${program}`, () => {
    it('answers hundreds of requests that wait for its connections in a few round trips, and grants each lease once', async () => {
      const server = await start();
      const store = await openStore(server.url);
      try {
        await store.init();
        const lent = vi.spyOn(ServerConnections.prototype, 'use');
        const answers = await Promise.all(
          Array.from({ length: ELECTIONS * REPEATED }, (_, index) =>
            store.acquire([claimOf(`e${index % ELECTIONS}`, `${index}`)]),
          ),
        );
        const granted = answers.flat().flatMap((answer) => (answer.type === 'ok' ? [answer.token] : []));
        expect(granted.length).toBe(ELECTIONS);
        // Sent one by one, they would be at least one round trip each.
        expect(lent.mock.calls.length).toBeLessThan((ELECTIONS * REPEATED) / 4);
      } finally {
        await store.close();
        await server.stop();
      }
    });
  });
}
