// Starts the demo, pauses its leader and one other process, says what there is, and waits to be killed.
import { Demo } from '../../dist/demo/demo.js';

const demo = await Demo.start({ ttlMs: 2000, stepMs: 50 });
const leader = await new Promise((resolve) => {
  demo.watch(() => {
    const found = demo.snapshot.processes.find(({ token }) => token !== null);
    if (found !== undefined) resolve(found);
  });
});
const other = demo.snapshot.processes.find(({ id }) => id !== leader.id);
await Promise.all([demo.act(leader.id, 'pause'), demo.act(/** @type {any} */ (other).id, 'pause')]);
const pids = demo.snapshot.processes.map(({ pid }) => pid);
process.stdout.write(`${JSON.stringify({ folder: demo.folder, pids })}
`);
