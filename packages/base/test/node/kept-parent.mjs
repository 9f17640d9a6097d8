// Starts a process that notices nothing, pauses it, says what there is, and waits to be killed.
import { KeptProcesses } from '../../dist/node/kept-processes.js';

const kept = await KeptProcesses.open('hustings-kept-');
const started = kept.start(['-e', 'setInterval(() => {}, 1000)'], 'lines', process.env);
await started.pause();
process.stdout.write(`${JSON.stringify({ folder: kept.folder, pid: started.pid })}\n`);
