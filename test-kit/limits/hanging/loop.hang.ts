import { setTimeout as sleep } from 'node:timers/promises';
import { it } from 'vitest';

it('never returns', async () => {
  // biome-ignore lint/suspicious/noConsole: the output of a test that stands still is shown
  console.log('the loop begins');
  await sleep(500);
  for (;;);
});
