// A process manager: three processes of one command, in its own session. One that ends is started again.
import { spawn } from 'node:child_process';

const [, , command, ...args] = process.argv;
const start = () => spawn(command, args, { stdio: 'inherit' }).on('exit', () => setTimeout(start, 100));
for (let i = 0; i < 3; i++) start();
