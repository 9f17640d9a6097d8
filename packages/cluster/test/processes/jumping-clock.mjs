/**
 * Loaded into a member process before its program (`node --import`): at SIGUSR2 its wall clock jumps by the milliseconds in the
 * file that HUSTINGS_TEST_CLOCK names. The monotonic clock goes on, as it does when an administrator sets the time.
 */
import { readFileSync } from 'node:fs';

const read = Date.now.bind(Date);
let aheadMs = 0;
Date.now = () => read() + aheadMs;
process.on('SIGUSR2', () => {
  aheadMs += Number(readFileSync(process.env.HUSTINGS_TEST_CLOCK ?? '', 'utf8'));
});
