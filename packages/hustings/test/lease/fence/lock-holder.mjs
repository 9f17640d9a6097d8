// Takes the lock of a file, says so, and keeps it until it is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { withFileLock } from '../../../dist/lease/fence/file-lock.js';

await withFileLock(process.argv[2], {}, async () => {
  process.stdout.write('held\n');
  await sleep(600_000);
});
