// One replica of a service: a candidate that prints what happens to it, one line of JSON each. While it leads, it runs the
// shell command of its third argument, if there is one, as a child.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createElector } from '../../../dist/index.js';

const [, , store, ttlMs, work] = process.argv;
const say = (/** @type {object} */ fields) =>
  writeSync(1, `${JSON.stringify({ pid: process.pid, ...fields })}\n`);

const elector = createElector({
  store,
  name: 'x',
  ttlMs: Number(ttlMs),
  onEvent: (event) => {
    if (event.type === 'waiting') say({ type: 'waiting' });
  },
});
await elector.campaign((lead) => {
  if (work) spawn('sh', ['-c', work], { stdio: 'ignore' }).unref();
  say({ type: 'elected' });
  return new Promise((resolve) => lead.signal.addEventListener('abort', () => resolve(undefined)));
});
