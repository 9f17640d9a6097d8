import { join } from 'node:path';
import { test } from 'vitest';
import { temporaryFolder } from '../../../../../test-kit/command.ts';
import { killAgainAndAgain } from './names-run.ts';

const folder = temporaryFolder();

test('of two elections a candidate holds both or none, in every term, however often it is killed', async () => {
  await killAgainAndAgain(`sqlite:${join(folder.path, 'leases.db')}`, 6);
}, 120_000);
