/** The run of names-kill.test.ts on every store that grants several elections at once. */
import { describe, test } from 'vitest';
import { temporaryFolder } from '../../../../../test-kit/command.ts';
import { missing } from '../../../../../test-kit/servers/index.ts';
import { openStore } from '../../../src/lease/index.ts';
import { TEST_STORES } from '../../lease/faults/stores.ts';
import { killAgainAndAgain } from './names-run.ts';

const folder = temporaryFolder();

describe('of two elections a candidate holds both or none, in every term', async () => {
  for (const { title, program, start, plan } of TEST_STORES) {
    const reason = program === null ? undefined : await missing(program);
    test(`on ${title}`, async ({ skip }) => {
      skip(reason !== undefined, reason);
      const server = await start();
      try {
        const url = plan(server).url(folder.path);
        const store = await openStore(url);
        const { transactions } = store.capabilities;
        await store.close();
        skip(!transactions, 'this store has no transactions over several elections');
        await killAgainAndAgain(url, 12);
      } finally {
        await server?.stop();
      }
    }, 600_000);
  }
});
